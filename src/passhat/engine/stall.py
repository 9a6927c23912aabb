"""Noticing an agent that keeps the event loop to itself.

An async agent that blocks, instead of awaiting, stops every other trial with it, and no time limit can end it: the
limits live on the same loop. All that can be done is to say so, and where.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from pathlib import Path

LOG = logging.getLogger("passhat")
_LONGEST = 10.0
_ENGINE = Path(__file__).parent


class Stall:
    """Looks from a thread whether the loop still turns, and warns once where it does not."""

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
        while not self._over.wait(self._limit):
            turned = threading.Event()
            try:
                self._loop.call_soon_threadsafe(turned.set)
            except RuntimeError:  # the loop is closed
                return
            if not turned.wait(self._limit) and not self._over.is_set():
                LOG.warning(
                    "the agent has kept the event loop busy for %g s%s: every other trial waits, and no time limit "
                    "can end it. An async agent awaits; one that blocks is a plain function, and gets a thread",
                    self._limit,
                    _place(self._thread),
                )
                return


def _place(thread: int) -> str:
    """Where that thread is in the agent: the frame just below our own."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - Python's own way to see another thread's stack
    stack = traceback.extract_stack(frame)
    ours = [position for position, entry in enumerate(stack) if Path(entry.filename).parent == _ENGINE]
    if not ours or ours[-1] + 1 >= len(stack):
        return ""
    agent = next((entry for entry in stack[ours[-1] + 1 :] if Path(entry.filename).parent.name != "agents"), stack[-1])
    return f" at {Path(agent.filename).name}:{agent.lineno} in {agent.name}"
