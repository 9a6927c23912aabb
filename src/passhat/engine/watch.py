"""Time limits for many running trials with one timer.

A worker's slot carries the deadline of its current trial. One timer stands at the earliest deadline that was known
when it was set; when it rings, the slots are looked through. All trials of a run have the same limit, so that is
about once a limit, and a trial costs no timer of its own. The slots also say when virtual time may be skipped.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from passhat.engine.virtual import VirtualLoop

NEVER = float("inf")


def clock_of(loop: asyncio.AbstractEventLoop) -> Callable[[], float]:
    """The clock of *loop*, without the method around it where it is just the machine's."""
    return time.monotonic if type(loop).time is asyncio.BaseEventLoop.time else loop.time


class Slot:
    """One worker: the task that runs it, and the deadline of what its agent is doing now."""

    __slots__ = ("abandoned", "deadline", "expired", "give_up", "making", "on_expiry", "real_time", "task")

    def __init__(self, give_up: Callable[[Slot], None]) -> None:
        """A worker with nothing to do; *give_up* is called when it has to be left behind."""
        self.give_up = give_up
        self.task: asyncio.Task[None] | None = None
        self.making: object = None
        self.on_expiry: Callable[[], None] | None = None
        self.deadline = NEVER
        self.expired = False
        self.abandoned = False
        self.real_time = False  # what is waited for now is not the agent's

    @property
    def cancelled_from_outside(self) -> bool:
        """True where somebody wants this worker to stop."""
        return self.task is not None and self.task.cancelling() > 0

    def forgive(self) -> None:
        """The trial that was over its limit has ended: the worker goes on."""
        if self.expired and self.task is not None:
            self.task.uncancel()
        self.expired = False


class Watch:
    """Cancels the worker whose trial is over its limit; gives up one that does not stop within *grace* seconds."""

    __slots__ = ("_grace", "_limit", "_loop", "_rings", "_slots", "_timer")

    def __init__(self, limit: float, grace: float) -> None:
        """A watch over no slots yet."""
        self._limit = limit
        self._grace = grace
        self._loop = asyncio.get_running_loop()
        self._slots: list[Slot] = []
        self._timer: asyncio.TimerHandle | None = None
        self._rings = NEVER
        if isinstance(self._loop, VirtualLoop):
            self._loop.may_skip = self.agents_alone

    def add(self, slot: Slot) -> None:
        """Watch *slot* too."""
        self._slots.append(slot)

    def start(self, slot: Slot, now: float) -> None:
        """The slot's agent begins at *now*."""
        slot.deadline = deadline = now + self._limit
        if deadline < self._rings:
            self._ring(deadline)

    def agents_alone(self) -> bool:
        """True where every worker that is at work waits for its agent, and there is one.

        The surroundings (the world, the task's user, the grader, the store) have real time: what they wait for is real.
        """
        found = False
        for slot in self._slots:
            if slot.abandoned or slot.task is None or slot.task.done():
                continue
            if slot.deadline == NEVER or slot.real_time:
                return False
            found = True
        return found

    def stop(self) -> None:
        """Watch no longer."""
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self, at: float) -> None:
        """Set the one timer."""
        self.stop()
        self._rings = at
        self._timer = self._loop.call_at(at, self._look)

    def _look(self) -> None:
        self._timer, self._rings = None, NEVER
        now = self._loop.time()
        for slot in self._slots:
            if slot.deadline <= now:
                self._expire(slot, now)
        self._slots = [slot for slot in self._slots if not slot.abandoned]
        earliest = min((slot.deadline for slot in self._slots), default=NEVER)
        if earliest < NEVER:
            self._ring(earliest)

    def _expire(self, slot: Slot, now: float) -> None:
        """First ask the agent to stop; if it goes on all the same, go on without it."""
        if not slot.expired:
            slot.expired = True
            slot.deadline = now + self._grace
            if slot.on_expiry is not None:
                slot.on_expiry()
            if slot.task is not None:
                slot.task.cancel()
            return
        slot.abandoned = True
        slot.deadline = NEVER
        slot.give_up(slot)
