"""The thread on which sync graders work, one after the other, each for as long as it may.

On the event loop one that waits would hold up every trial, and one that hangs would hang the run. One thread serves
all: a grader need not be fit for several at once, and may keep what belongs to a thread. Where one takes too long it is
left behind with its thread, and another goes on with the rest.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, TypeVar

from passhat.engine.fence import Overdue
from passhat.engine.threads import settle
from passhat.engine.watch import clock_of

T = TypeVar("T")


class _Job:
    """Something to do, and who waits for it."""

    __slots__ = ("begun", "do", "future")

    def __init__(self, do: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        self.do = do
        self.future = future
        self.begun = 0.0


class _Clerk:
    """Who works: what it is doing now, and whether it was left behind with it."""

    __slots__ = ("job", "left")

    def __init__(self) -> None:
        self.job: _Job | None = None
        self.left = False


class Desk:
    """Takes one job after the other, and gives up the one that takes longer than its limit."""

    def __init__(self, limit: float) -> None:
        """A desk for jobs of at most *limit* seconds; its thread begins with the first."""
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._clock = clock_of(self._loop)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._clerk: _Clerk | None = None
        self._waiting = 0
        self._timer: asyncio.TimerHandle | None = None

    async def call(self, function: Callable[[], T]) -> T:
        """What *function* returns or raises, or `Overdue`; the time that others take before it does not count."""
        future: asyncio.Future[T] = self._loop.create_future()
        context = copy_context()
        self._jobs.put(_Job(lambda: context.run(function), future))
        self._waiting += 1
        if self._clerk is None:
            self._hire()
        if self._timer is None:
            self._timer = self._loop.call_later(self._limit, self._look)
        try:
            return await future
        finally:
            self._waiting -= 1

    def end(self) -> None:
        """Let the thread end once it has nothing left to do."""
        if self._timer is not None:
            self._timer.cancel()
        self._jobs.put(None)

    def _hire(self) -> None:
        self._clerk = clerk = _Clerk()
        threading.Thread(target=self._work, args=(clerk,), name="passhat-grader", daemon=True).start()

    def _look(self) -> None:
        """See whether the job at hand takes too long; the one timer of all jobs."""
        self._timer = None
        now, rings = self._clock(), self._limit
        with self._lock:
            clerk = self._clerk
            job = clerk.job if clerk is not None else None
            late = job is not None and now - job.begun >= self._limit
            if clerk is not None and late:
                clerk.left = True
        if job is not None and late:
            settle(job.future, None, Overdue(f"longer than {self._limit:g} s"))
            self._hire()
        elif job is not None:
            rings = job.begun + self._limit - now
        if self._waiting:
            self._timer = self._loop.call_later(rings, self._look)

    def _work(self, clerk: _Clerk) -> None:
        while not clerk.left and (job := self._jobs.get()) is not None:
            with self._lock:
                job.begun, clerk.job = self._clock(), job
            try:
                result, error = job.do(), None
            except BaseException as raised:  # noqa: BLE001 - handed to the one who awaits it
                result, error = None, raised
            with self._lock:
                clerk.job = None
            try:
                self._loop.call_soon_threadsafe(settle, job.future, result, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return
