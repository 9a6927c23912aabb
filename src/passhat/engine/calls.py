"""The calls of one trial: begun and numbered, met by faults, ended and written down; and the end of them all.

Nothing is carried out here. That is for the drivers, who are handed these calls and use what is public of them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from typing import Any

from passhat.engine.arming import Armed
from passhat.engine.box import NO_BOX, Box
from passhat.engine.deciding import BrokenFault
from passhat.engine.exchange import Exchange
from passhat.engine.holds import Holds
from passhat.engine.ledger import TOO_LATE, UNANSWERED, UNKNOWN, Late, Ledger, said
from passhat.errors import ToolError, TrialClosed
from passhat.model.base import Json
from passhat.model.plain import plain
from passhat.model.trial import Call

REST = 0.01  # the seconds that each late call but the first takes: who tries for ever leaves others their time
_ALWAYS = -1.0
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
    sources: Mapping[Exchange, Any] = _NO_SOURCES  # the streams that upstream has not ended

    def __init__(self, armed: Sequence[Armed], *, clock: Callable[[], float], late: Late) -> None:
        """The calls of a trial with these faults; *clock* gives seconds, *late* counts calls after the end."""
        self._armed = self._live = armed  # what was planned, and what of it can still bite
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
        firing: Sequence[Armed] | None = None,
        known: bool = True,
        streams: bool = False,
    ) -> Exchange:
        """Begin a call: number it, and see which faults fire at it, unless that is known already."""
        with self.lock:
            if self.closed:
                self.refuse()
            self.step += 1
            struck = self.struck(tool, arguments) if firing is None else firing
            call = Call(
                tool=tool,
                arguments=plain(arguments),
                ordinal=self._begun.get(tool, 0),
                write=tool not in self.reads,
                history=self.ledger.past if struck else (),
                tools=self.box.parameters,
            )
            exchange = Exchange(struck, call, step=self.step, at=self._clock(), box=self.box, streams=streams)
            if known:
                self.open_calls[exchange] = None
                return exchange
            self.ledger.write(exchange, self._clock(), error=UNKNOWN)
        raise ToolError("unknown_tool", f"there is no tool called {tool!r}{self.box.hint(tool)}")

    def struck(self, tool: str, given: Mapping[str, Any]) -> Sequence[Armed]:
        """The faults that fire at the next call, which is of this *tool*; it is counted."""
        self._begun[tool] = ordinal = self._begun.get(tool, 0) + 1
        write = tool not in self.reads
        firing = [armed for armed in self._live if armed.strikes(tool, given, ordinal, write=write)]
        if firing:
            self._live = [armed for armed in self._live if not armed.spent]
        return firing

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

    def taken(self, exchange: Exchange) -> Any:  # noqa: ANN401 - an iterator of either kind
        """The source of this call's items, which is the caller's to close; None where somebody else has it."""
        with self.lock:
            source = self.sources.get(exchange)
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
