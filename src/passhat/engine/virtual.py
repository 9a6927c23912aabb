"""The event loop of virtual time: where there is nothing left to do but to wait for a timer, its clock jumps there.

The clock is the machine's and, on top of it, what has been skipped. While anything works, time passes as it always
does: timers ring in the order in which they would have rung, and a time limit ends an agent that never comes to rest.

Nothing is skipped while
* a task or a callback is ready: only then does a loop ask its selector to wait;
* a file is watched besides the loop's own: a connection or a server that is open for reading or writing, a pipe;
* a job of `run_in_executor` runs, and so of `to_thread`, or the look-up of a name, that somebody awaits;
* a thread runs that began after the loop did and is no worker of the loop's own pool: nobody can tell whether it is
  about to answer. So the watchers of child processes count, and those that are no thread watch a file;
* `may_skip` says no: a run has it say so while the surroundings of a trial work, such as its world and its grader.

In all these cases time passes at the machine's pace, which is slower and never wrong. With nothing scheduled the loop
waits to be woken, like any other. Not seen, and so skipped over, is what a loop is not told of: the work of a thread
that ran before the loop did, and of a process that nothing here is waiting for. Who reads another clock than the
loop's (`time.time`, `time.monotonic`) sees no jump. All this rests on what asyncio documents: that a loop takes a
selector, and that `time` and `run_in_executor` may be overridden.
"""

from __future__ import annotations

import asyncio
import logging
import selectors
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple, Unpack

LOG = logging.getLogger("passhat")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
_OURS = "passhat-"  # the names of our own threads begin so; they serve the surroundings, which `may_skip` knows of
_PATIENCE = 1.0
_SURROUNDINGS = "what surrounds the agents is at work"


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer where all that it could do is wait."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, patience: float = _PATIENCE) -> None:
        """A loop on top of *clock*; it says once why it waited, where it did for *patience* seconds to the end."""
        self._machine = clock
        self._skipped = 0.0
        self._patience = patience
        self._jobs = 0
        self._threads_before = frozenset(threading.enumerate())
        self._pool_threads: set[threading.Thread] = set()
        self._told = False
        self.may_skip: Callable[[], bool] = _always
        selector = _Selector(self)
        super().__init__(selector)
        self._watched = selector.get_map()
        self._own_files = len(self._watched)
        self.set_default_executor(
            ThreadPoolExecutor(
                thread_name_prefix="asyncio",
                initializer=lambda: self._pool_threads.add(threading.current_thread()),
            )
        )

    def time(self) -> float:
        """The seconds of the machine's clock, and those that were skipped."""
        return self._machine() + self._skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """The same, counted for as long as somebody awaits the result."""
        future = super().run_in_executor(executor, func, *args)
        self._jobs += 1
        future.add_done_callback(self._job_done)
        return future

    def skip(self, seconds: float) -> None:
        """Let *seconds* have passed."""
        self._skipped += seconds

    def held_by(self) -> str:
        """What keeps the clock from jumping, in words; nothing does where this is empty."""
        if not self.may_skip():
            return _SURROUNDINGS
        if len(self._watched) > self._own_files:
            return "a connection, a server or a pipe is open"
        if self._jobs:
            return "a thread works for an agent"
        for thread in threading.enumerate():
            if thread not in self._threads_before and thread not in self._pool_threads:
                if thread.name.startswith(_OURS):
                    continue
                return f"thread {thread.name!r} runs, which may be about to answer"
        return ""

    def waited(self, reason: str, seconds: float) -> None:
        """Say once why time is real: who asked for virtual time wonders where it is."""
        if seconds >= self._patience and not self._told and reason != _SURROUNDINGS:
            self._told = True
            LOG.warning("virtual time passes no faster than real time while %s", reason)

    def _job_done(self, _future: asyncio.Future[T]) -> None:
        self._jobs -= 1


class _Selector(selectors.DefaultSelector):
    """Waits for files as any selector does, but skips a wait that nothing but a timer could end."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """The files that are ready; *timeout* is None where no timer is set, and 0 where something else is ready."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        # In this order: a thread that is about to end writes to the loop's own file before it does.
        if reason := self._loop.held_by():
            found = super().select(timeout)
            if not found:
                self._loop.waited(reason, timeout)
            return found
        found = super().select(0)
        if not found:
            self._loop.skip(timeout)
        return found


def _always() -> bool:
    return True
