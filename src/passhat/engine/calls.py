"""The calls of one trial: begun and numbered, met by faults, ended and written down; and the end of them all.

Nothing is carried out here. That is for the drivers, who are handed these calls and use what is public of them.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from typing import Any, TypeAlias

from passhat.engine.arming import Armed
from passhat.engine.box import NO_BOX, Box
from passhat.engine.deciding import BrokenFault, concerned, overlong
from passhat.engine.exchange import Exchange
from passhat.engine.holds import Holds
from passhat.engine.ledger import TOO_LATE, UNANSWERED, UNKNOWN, Late, Ledger, said
from passhat.engine.messages import Passing
from passhat.errors import ToolError, TrialClosed
from passhat.model.base import Json
from passhat.model.one_call import INSIDE
from passhat.model.pace import Pace
from passhat.model.plain import plain
from passhat.model.trial import Call

REST = 0.01  # the seconds that each late call but the first takes: who tries for ever leaves others their time
_ALWAYS = -1.0
Struck: TypeAlias = Sequence[Armed] | BrokenFault
NO_PACES: Mapping[str, Pace] = {}
_NO_SOURCES: Mapping[Exchange, Any] = {}


class Calls:
    """All calls of one trial, and the faults that are planned for them."""

    # Most trials need none of these, and each costs time to set: they stand here until a trial needs its own.
    closed = False
    refusals = 0
    step = 0
    lock: Any = nullcontext()
    woken: threading.Event | None = None
    loop: asyncio.AbstractEventLoop | None = None
    until = float("inf")  # from then on every call lets others have their turn, so that the trial can be ended
    unawaited = 0
    broken = ""
    box: Box = NO_BOX
    reads: Collection[str] = ()  # the tools that only read
    holds: Holds | None = None
    paces = NO_PACES  # how long clean calls take, for a fault that goes by it
    _firsts: dict[Hashable, int] | None = None  # the first step of each call of the agent's that is made of several
    _passed = 0  # how often messages were passed on, where a fault may meet them
    sources: Mapping[Exchange, Any] = _NO_SOURCES  # the streams that upstream has not ended

    def __init__(self, armed: Sequence[Armed], *, clock: Callable[[], float], late: Late) -> None:
        """The calls of a trial with these faults; *clock* gives seconds, *late* counts calls after the end."""
        self._armed = armed
        self._live = [one for one in armed if one.on_calls]  # what of it can still bite at a call
        self._clock = clock
        self._late = late
        self._start = clock()
        self.ledger = Ledger(self._start)
        self._calls = self.ledger.calls
        self._begun: dict[str, int] = {}
        self.open_calls: dict[Exchange, Future[Any] | None] = {}
        if armed:
            self.holds = Holds()

    def take(self, box: Box) -> None:
        """The tools of the trial's world are these."""
        self.box, self.reads = box, box.reads

    def for_threads(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make the calls fit for an agent that blocks on threads; its async tools run on *loop*."""
        self.loop, self.lock, self.woken = loop, threading.Lock(), threading.Event()

    def begin(
        self,
        tool: str,
        arguments: dict[str, Any],
        *,
        firing: Struck | None = None,
        known: bool = True,
        streams: bool = False,
    ) -> Exchange:
        """Begin a call: number it, and see which faults fire at it, unless that is known already."""
        with self.lock:
            if self.closed:
                self.refuse()
            self.step += 1
            struck = self.struck(tool, arguments) if firing is None else firing
            broken = struck if isinstance(struck, BrokenFault) else None
            call, at = self._call_of(tool, arguments), self._clock()
            meeting = () if isinstance(struck, BrokenFault) else struck
            exchange = Exchange(
                meeting, call, step=self.step, at=at, left=self.until - at, box=self.box, streams=streams
            )
            if (inside := INSIDE.get()) is not None:
                exchange.part_of = self._first_of(inside)
            if known:
                self.open_calls[exchange] = None
            else:
                self.ledger.write(exchange, self._clock(), error=UNKNOWN)
        if broken is not None:
            self.refused(exchange, broken)
            raise broken
        if known:
            return exchange
        raise ToolError("unknown_tool", f"there is no tool called {tool!r}{self.box.hint(tool)}")

    def struck(self, tool: str, given: dict[str, Any]) -> Struck:
        """The faults that fire at the next call, which is of this *tool*; it is counted.

        Or what is wrong with a fault that cannot say whether the call concerns it.
        """
        self._begun[tool] = ordinal = self._begun.get(tool, 0) + 1
        write = tool not in self.reads
        met = [armed for armed in self._live if armed.meets(tool, given, write=write)]
        try:
            firing = [
                armed
                for armed in met
                if (not armed.asks or concerned(armed, self._call_of(tool, given))) and armed.strikes(tool, ordinal)
            ]
        except BrokenFault as broken:
            return broken
        if firing:
            self._live = [armed for armed in self._live if not armed.spent]
        return firing

    def messages(self, history: Iterable[Any]) -> list[Any]:
        """*history* as the agent's model is to see it, in a list of its own: the agent's is never changed."""
        with self.lock:
            if self.closed:
                raise TrialClosed(TOO_LATE)
            passing = Passing(history)
            meeting = [armed for armed in self._armed if armed.on_messages]
            if meeting:
                self._passed += 1
            try:
                for armed in meeting:
                    call = passing.call(self._passed, self._calls)
                    met = armed.meets(call.tool, call.arguments, write=call.write) and concerned(armed, call)
                    if met and armed.strikes(call.tool, call.ordinal):
                        passing.meet(armed, call, step=self.step + 1)
            except BrokenFault as broken:
                self.broken = str(broken)
                raise
            if passing.events:  # it takes a step of its own, so that no call is mistaken for the one that was changed
                self.step += 1
                self.ledger.fired(passing.events)
            return passing.shown

    def _call_of(self, tool: str, arguments: dict[str, Any]) -> Call:
        """The call of *tool* that was counted last, as a fault gets to see it."""
        return Call(
            tool=tool,
            arguments=plain(arguments),
            ordinal=self._begun.get(tool, 0),
            write=tool not in self.reads,
            reads_declared=bool(self.reads),
            streams=self.box.streams(tool),
            history=self.ledger.past,
            pace=self.paces.get(tool),
            tools=self.box.parameters,
        )

    def _first_of(self, inside: Hashable) -> int | None:
        """The first step of the agent's call *inside* which this one is made; None where it is the first itself."""
        if self._firsts is None:
            self._firsts = {}
        first = self._firsts.setdefault(inside, self.step)
        return None if first == self.step else first

    def told(self, exchange: Exchange, reply: object) -> None:
        """The call has ended, and the agent is told this; of a stream, the items that it read."""
        self._record(exchange, reply=plain(reply) if exchange.got is None else exchange.read)

    def refused(self, exchange: Exchange, error: BaseException) -> None:
        """The call has ended with an error; of a stream the agent has read some items before."""
        if isinstance(error, BrokenFault):
            self.broken = str(error)
        self._record(exchange, reply=exchange.read or None, error=said(error))

    def refuse(self) -> None:
        """The trial is over, and the agent goes on: it gets nothing, and is counted."""
        self.refusals += 1
        self._late.add()
        raise TrialClosed(TOO_LATE)

    def close(self) -> None:
        """End the trial: later calls raise and touch nothing, and waiting calls stop waiting.

        A call that has not come back is written down as it stands. An agent that does not read on has what it wanted.
        """
        if self.closed:
            return
        with self.lock:
            self.closed, self.until = True, _ALWAYS
            if self._armed and not self.broken:
                self.broken = next(filter(None, (overlong(one, time.monotonic()) for one in self._armed)), "")
            left = dict(self.open_calls)
            self.open_calls.clear()
            for exchange in left:
                error = "" if exchange.idle else UNANSWERED
                reply = exchange.read if exchange.idle else exchange.read or None
                self.ledger.write(exchange, self._clock(), reply=reply, error=error)
            if self.holds is not None:
                self.holds.release()
        if self.woken is not None:
            self.woken.set()
        for future in left.values():
            if future is not None:
                future.cancel()

    def opened(self, exchange: Exchange, source: object) -> None:
        """Upstream gives the reply to this call item by item, from *source*: whoever takes it back closes it."""
        with self.lock:
            self.sources = {**self.sources, exchange: source}

    def taken(self, exchange: Exchange, *, by_thread: bool = False) -> Any:  # noqa: ANN401 - an iterator of either kind
        """The source of this call's items, which is the caller's to close; None where somebody else has it.

        An agent's thread does not get an async one once the trial is over: nobody would wait until it is closed.
        """
        with self.lock:
            source = self.sources.get(exchange)
            if by_thread and self.closed and hasattr(source, "aclose"):
                return None
            self.sources = {other: held for other, held in self.sources.items() if other is not exchange}
        return source

    async def give_way(self) -> None:
        """Let others have their turn: neither a fault nor a sync tool does, and so nobody could end the trial."""
        await asyncio.sleep(REST if self.refusals else 0)

    def is_due(self, count: int, every: int) -> bool:
        """True where others must have their turn: at each *every*-th of what is counted, and where the time is over."""
        return not count % every or self._clock() > self.until

    def _record(self, exchange: Exchange, *, reply: Json = None, error: str = "") -> None:
        """Write down a call that has ended, unless its trial ended first and has done so."""
        with self.lock:
            if exchange in self.open_calls:
                del self.open_calls[exchange]
                self.ledger.write(exchange, self._clock(), reply=reply, error=error)
                if self.holds is not None:
                    self.holds.ended(exchange.step)
