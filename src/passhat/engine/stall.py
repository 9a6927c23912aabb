"""Noticing who keeps the event loop to itself: an async agent that blocks, or what is sync beside one.

Who blocks, instead of awaiting, stops every other trial as well, and no time limit can end it: the limits live on the
same loop. All that can be done is to say so, who it is, and where.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path

from passhat.engine.where import ours

LOG = logging.getLogger("passhat")
_LONGEST = 10.0
_ENGINE = Path(__file__).parent
_AGENT, _FAULT = "the agent", "a fault"
# Whose code our function calls, by the name of the file and of the function, or of the file alone.
_CALLED: dict[tuple[str, str], str] = {
    ("attempt", "_ask"): _AGENT,
    ("attempt", "_grade"): "the grader",
    ("attempt", "_shown"): "the world's snapshot",
    ("attempt", "_look"): "the world's snapshot",
    ("attempt", "_tools"): "the world's tools",
    ("worlds", "close"): "the world's tear-down",
    ("execute", "_report"): "the progress function",
}
_CALLED_BY_FILE = {
    "worlds": "the world's set-up",
    "guard": "a tool",
    "exchange": _FAULT,
    "making": "a perturbation",
    "thread": "a task of the agent",
}


class Stall:
    """Looks from a thread whether the loop still turns, and warns where it does not, of each culprit once."""

    __slots__ = ("_limit", "_loop", "_over", "_thread")

    def __init__(self, limit: float) -> None:
        """Watch the running loop; it is stalled where it has not turned for *limit* seconds, 10 at most."""
        self._limit = min(limit, _LONGEST)
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="passhat-stall", daemon=True).start()

    def end(self) -> None:
        """Watch no longer."""
        self._over.set()

    def _watch(self) -> None:
        told: set[str] = set()
        while not self._over.wait(self._limit):
            turned = threading.Event()
            try:
                self._loop.call_soon_threadsafe(turned.set)
            except RuntimeError:  # the loop is closed
                return
            if turned.wait(self._limit) or self._over.is_set():
                continue
            who, place = _culprit(self._thread)
            if who not in told:
                told.add(who)
                LOG.warning(
                    "%s has kept the event loop busy for %g s%s: every other trial waits, and no time limit "
                    "can end it. %s",
                    who,
                    self._limit,
                    place,
                    _ADVICE.get(who, _ADVICE_ON_OTHERS),
                )


_ADVICE = {
    _AGENT: "An async agent awaits; one that blocks is a plain function, and gets a thread",
    _FAULT: "A fault decides at once, and waits by what it decides, as with Delay(2)",
}
_ADVICE_ON_OTHERS = "Beside an async agent it had better be async too; a sync agent has a thread for both"


def _culprit(thread: int) -> tuple[str, str]:
    """Whose code that thread is in, and where: the frame just below our own."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - Python's own way to see another thread's stack
    stack = traceback.extract_stack(frame)
    mine = [position for position, entry in enumerate(stack) if Path(entry.filename).parent == _ENGINE]
    if not mine or mine[-1] + 1 >= len(stack):
        return "something", ""
    theirs = next((entry for entry in stack[mine[-1] + 1 :] if not _between(entry.filename)), stack[-1])
    return _named([stack[each] for each in mine]), f" at {Path(theirs.filename).name}:{theirs.lineno} in {theirs.name}"


def _between(filename: str) -> bool:
    """True for what stands between our function and somebody's code, and tells nobody anything."""
    return ours(filename) or Path(filename).parent.name == "asyncio" or Path(filename).name == "contextlib.py"


def _named(functions: Sequence[traceback.FrameSummary]) -> str:
    """Whom the innermost of our functions calls that calls anybody's code."""
    for entry in reversed(functions):
        file = Path(entry.filename).stem
        if who := _CALLED.get((file, entry.name)) or _CALLED_BY_FILE.get(file):
            return who
    return "something"
