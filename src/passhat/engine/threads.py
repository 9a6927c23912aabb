"""Daemon threads of our own, for agents that block: one a running trial, as many as the concurrency.

The event loop's default executor is too small, and a program waits for its threads when it ends. These are never
waited for: one that hangs is left behind, and another takes its place.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Escaped(Exception):
    """Carries what a future cannot: an *error* that would end the loop or the worker that awaits it."""

    def __init__(self, error: BaseException) -> None:
        """A user's code raised *error* on a thread of ours."""
        super().__init__(f"{type(error).__name__}: {error}")
        self.error = error


class AgentThread:
    """A thread that does one thing after the other, and reports to the event loop."""

    __slots__ = ("_jobs", "_loop", "busy")

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        """Start the thread."""
        self._loop = loop
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.busy = False
        threading.Thread(target=self._work, name=name, daemon=True).start()

    async def call(self, function: Callable[[], T]) -> T:
        """What *function* returns or raises, done on this thread; a cancelled caller does not stop the thread."""
        future: asyncio.Future[T] = self._loop.create_future()
        context = copy_context()
        self.busy = True
        self._jobs.put(lambda: self._do(lambda: context.run(function), future))
        return await future

    def end(self) -> None:
        """Let the thread end once it has nothing left to do."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _do(self, function: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        try:
            result, error = function(), None
        except BaseException as raised:  # noqa: BLE001 - handed to the one who awaits it
            result, error = None, raised
        self.busy = False
        try:
            self._loop.call_soon_threadsafe(settle, future, result, error)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return


class Threads:
    """The idle threads of one run."""

    __slots__ = ("_idle", "_loop", "_started")

    def __init__(self) -> None:
        """No thread yet."""
        self._loop = asyncio.get_running_loop()
        self._idle: list[AgentThread] = []
        self._started = 0

    def take(self) -> AgentThread:
        """An idle thread, or a new one."""
        if self._idle:
            return self._idle.pop()
        self._started += 1
        return AgentThread(self._loop, f"passhat-agent-{self._started}")

    def give_back(self, thread: AgentThread) -> None:
        """Keep *thread* for the next trial, or let it end by itself where it is still at work."""
        if thread.busy:
            thread.end()
        else:
            self._idle.append(thread)

    def end(self) -> None:
        """Let all idle threads end."""
        for thread in self._idle:
            thread.end()
        self._idle.clear()


def settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    """Give *future* its result or error, unless nobody waits for it any more."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    elif isinstance(error, Exception) and not isinstance(error, StopIteration):
        future.set_exception(error)
    else:
        future.set_exception(Escaped(error))
