"""What a guard writes down: the calls of one trial, and the faults that fired at them. It decides nothing.

The calls stand in the order in which they ended, and only ever more of them: what a fault gets to see of the past is a
look at the first so many, which nobody has to copy.

An agent that calls in a loop can make a million calls in a minute. The first `MOST_CALLS` are kept, and as many fired
faults; the rest is counted, so that no trial outgrows the memory and none hides that there was more.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, overload

from passhat.engine.exchange import Exchange
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.plain import words
from passhat.model.trial import FaultEvent, ToolCall

MOST_CALLS = 2_000
TOO_LATE = "this trial is over: the call was refused and touched nothing"
UNKNOWN = "there is no such tool"
UNANSWERED = "there was no reply before the trial ended"
_step = attrgetter("step")


class Late:
    """Counts the calls that came after their trial had ended, over a whole run."""

    __slots__ = ("_lock", "count")

    def __init__(self) -> None:
        """No call yet."""
        self.count = 0
        self._lock = threading.Lock()

    def add(self) -> None:
        """One more call."""
        with self._lock:
            self.count += 1


class Ledger:
    """The first calls of one trial and the first faults that fired, and how many there were besides."""

    # Most trials have no fault and leave nothing out: each of these costs time to set, and stands here until then.
    events: tuple[FaultEvent, ...] = ()
    calls_left_out = 0
    faults_left_out = 0

    def __init__(self, start: float) -> None:
        """A ledger of a trial that began at *start*. `calls` are in the order in which they ended."""
        self.start = start
        self.calls: list[ToolCall] = []

    @property
    def trace(self) -> tuple[ToolCall, ...]:
        """The calls, in the order in which they were begun."""
        return tuple(sorted(self.calls, key=_step)) if self.calls else ()

    @property
    def past(self) -> Sequence[ToolCall]:
        """The calls so far; what is added later does not change it."""
        return Past(self.calls)

    def fired(self, events: Sequence[FaultEvent]) -> None:
        """Write down faults that fired."""
        if len(self.events) < MOST_CALLS:
            self.events += tuple(events)
        else:
            self.faults_left_out += len(events)

    def write(self, exchange: Exchange, now: float, *, reply: Json = None, error: str = "") -> None:
        """Write down one call. An exchange that a fault changed keeps what upstream really said."""
        if exchange.events:
            self.fired(exchange.settled(reply, error))
        if exchange.step > MOST_CALLS:
            self.calls_left_out += 1
            return
        self.calls.append(
            ToolCall(
                step=exchange.step,
                tool=exchange.call.tool,
                arguments=exchange.call.arguments,
                reply=reply,
                error=error,
                executed=exchange.executed,
                upstream=exchange.upstream if exchange.events and (exchange.executed or exchange.instead) else None,
                at=exchange.at - self.start,
                seconds=now - exchange.at,
                write=exchange.call.write,
                part_of=exchange.part_of,
                instead=exchange.instead,
            )
        )


class Past(Sequence[ToolCall]):
    """The first calls of a list that only grows, as many as there were at the time."""

    __slots__ = ("_calls", "_count")

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        """The *calls* that there are now."""
        self._calls = calls
        self._count = len(calls)

    def __len__(self) -> int:
        """How many there were."""
        return self._count

    @overload
    def __getitem__(self, place: int) -> ToolCall: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ToolCall]: ...
    def __getitem__(self, place: int | slice) -> ToolCall | Sequence[ToolCall]:
        """The call at *place*, or those of a slice."""
        if isinstance(place, slice):
            return tuple(self._calls[one] for one in range(self._count)[place])
        return self._calls[range(self._count)[place]]

    def __iter__(self) -> Iterator[ToolCall]:
        """The calls, one after the other."""
        return islice(self._calls, self._count)


def failed(step: int, tool: str, given: Any, error: str, *, at: float, seconds: float) -> ToolCall:  # noqa: ANN401
    """A call that raised, and that no fault was planned for."""
    return ToolCall(step=step, tool=tool, arguments=given, error=error, at=at, seconds=seconds)


def said(error: BaseException) -> str:
    """What an error says, in one line and with its kind, as the trace shows it."""
    text = words(error)
    return text if isinstance(error, ToolError) else f"{type(error).__name__}: {text}".rstrip(": ")
