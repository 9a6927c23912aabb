"""The guard: what stands between an agent and its tools, for one trial.

Every call goes through it, and its ledger says what upstream really did and what the agent was told. What a condition's
faults do to a call is decided in `exchange`; here are the two drivers that carry it out, one for agents that await and
one for agents that block, and the short way for a call that no fault is planned for.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from types import CoroutineType
from typing import Any

from msgspec.structs import replace

from passhat.engine.arming import Armed
from passhat.engine.exchange import Ask, Asked, BrokenFault, Exchange, concerned
from passhat.engine.ledger import MOST_CALLS, TOO_LATE, UNANSWERED, UNKNOWN, Late, Ledger, failed, said
from passhat.engine.messages import Passing
from passhat.errors import ToolError, TrialClosed
from passhat.model.base import Json
from passhat.model.one_call import INSIDE
from passhat.model.pace import Pace
from passhat.model.parts import nearest
from passhat.model.plain import copied, plain
from passhat.model.trial import Call, ToolCall

_NEVER_AWAITABLE = frozenset((dict, str, list, int, float, bool, tuple, type(None)))
Upstream = Callable[..., Any]
NO_PACES: Mapping[str, Pace] = {}
_TURN = 50  # before each so many-th call of an async agent others get their turn
_REST = 0.01  # the seconds that each late call but the first takes: who tries for ever leaves others their time
_ALWAYS = -1.0
_inside = INSIDE.get  # bound once: every call asks
_BY_NAME = "a tool takes its arguments by name: tools.{}(name=value)"


class Guard:
    """Guards the tools of one trial."""

    # Most trials need none of these, and each costs time to set: they stand here until a trial needs its own.
    _closed = False
    _refusals = 0
    _step = 0
    _passed = 0  # how often messages were passed on, where a fault may meet them
    _lock: Any = nullcontext()
    _woken: threading.Event | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    known: Collection[str] = ()
    until = float("inf")  # from then on every call lets others have their turn, so that the trial can be ended
    unawaited = 0
    broken = ""
    sandbox = False
    _firsts: dict[Hashable, int] | None = None  # the first step of each call of the agent's that is made of several
    reads: Collection[str] = ()  # the tools that only read
    paces = NO_PACES  # how long clean calls take, for a fault that goes by it

    def __init__(self, armed: Sequence[Armed], *, clock: Callable[[], float], late: Late) -> None:
        """A guard for a trial with these faults; *clock* gives seconds, *late* counts calls after the end."""
        self._armed = armed
        self._clock = clock
        self._late = late
        self._start = clock()
        self.ledger = Ledger(self._start)
        self._calls = self.ledger.calls
        self._begun: dict[str, int] = {}
        self._open_calls: dict[Exchange, Future[Any] | None] = {}
        if armed:
            self._matched: defaultdict[Armed, int] = defaultdict(int)

    def for_threads(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make the guard fit for an agent that blocks on threads; its async tools run on *loop*."""
        self._loop, self._lock, self._woken = loop, threading.Lock(), threading.Event()

    def close(self) -> None:
        """End the trial: later calls raise and touch nothing, and waiting calls stop waiting.

        A call that has not come back is written down as it stands.
        """
        if self._closed:
            return
        with self._lock:
            self._closed, self.until = True, _ALWAYS
            left = dict(self._open_calls)
            self._open_calls.clear()
            for exchange in left:
                self.ledger.write(exchange, self._clock(), error=UNANSWERED)
        if self._woken is not None:
            self._woken.set()
        for future in left.values():
            if future is not None:
                future.cancel()

    def bind(self, tool: str, upstream: Upstream | None) -> Callable[..., Coroutine[Any, Any, Any]]:
        """*tool* for an agent that awaits: a call is counted at once, and made when it is awaited."""
        call: Callable[..., Coroutine[Any, Any, Any]] = self._drive if self._armed or upstream is None else self._call

        def bound(*unnamed: Any, **arguments: Any) -> Coroutine[Any, Any, Any]:  # noqa: ANN401 - what a tool likes
            if unnamed:
                raise TypeError(_BY_NAME.format(tool))
            self.unawaited += 1
            return call(tool, upstream, arguments)

        return bound

    def bind_blocking(self, tool: str, upstream: Upstream | None) -> Callable[..., Any]:
        """*tool* for an agent that blocks its thread."""

        def bound(*unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - what a tool likes
            if unnamed:
                raise TypeError(_BY_NAME.format(tool))
            return self._call_blocking(tool, upstream, arguments)

        return bound

    async def _call(self, tool: str, upstream: Upstream, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """The short way: one call that no fault is planned for."""
        if _inside() is not None:
            return await self._drive(tool, upstream, arguments)
        self.unawaited -= 1
        clock = self._clock
        at = clock()
        step = self._step + 1
        if not step % _TURN or at > self.until:
            await self._give_way()
            at, step = clock(), self._step + 1
            if step >= MOST_CALLS:  # the last that is kept, and a multiple of `_TURN`: all that follow come by here
                self.until = _ALWAYS
            if self._closed or step > MOST_CALLS:
                return await self._carry_out(tool, upstream, arguments)
        self._step = step
        try:  # `plain` without the call: this is the way that nearly all tool calls take
            given = copied(arguments)
        except Exception:  # noqa: BLE001 - a fence: an argument may be any object
            given = plain(arguments)
        try:
            reply = upstream(**arguments)
            kind = type(reply)
            if kind is CoroutineType or (kind not in _NEVER_AWAITABLE and hasattr(reply, "__await__")):
                reply = await reply
        except BaseException as error:
            text = UNANSWERED if self._closed else said(error)
            call = failed(step, tool, given, text, at=at - self._start, seconds=clock() - at)
            self._calls.append(replace(call, write=False) if tool in self.reads else call)
            raise
        seconds = clock() - at
        try:
            told = copied(reply)
            if told != reply:  # there may be a set in it, and its order is the process's own
                told = plain(reply)
        except Exception:  # noqa: BLE001 - a fence: a reply may be any object
            told = plain(reply)
        self._calls.append(
            ToolCall(
                step=step,
                tool=tool,
                arguments=given,
                reply=told,
                at=at - self._start,
                seconds=seconds,
                write=tool not in self.reads,
            )
        )
        return reply

    def messages(self, history: Iterable[Any]) -> list[Any]:
        """*history* as the agent's model is to see it, in a list of its own: the agent's is never changed."""
        with self._lock:
            if self._closed:
                raise TrialClosed(TOO_LATE)
            passing = Passing(history)
            meeting = [armed for armed in self._armed if armed.on_messages]
            if meeting:
                self._passed += 1
            try:
                for armed in meeting:
                    call = passing.call(self._passed, self._calls)
                    if self._bites(armed, call):
                        passing.meet(armed, call, step=self._step + 1)
            except BrokenFault as broken:
                self.broken = str(broken)
                raise
            if passing.events:  # it takes a step of its own, so that no call is mistaken for the one that was changed
                self._step += 1
                self.ledger.fired(passing.events)
            return passing.shown

    def _call_blocking(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """One call of an agent that blocks its thread."""
        if self._refusals:
            time.sleep(_REST)
        exchange = self._open(tool, upstream, arguments)
        steps = exchange.run()
        try:
            asked = next(steps)
            while True:
                try:
                    sent = self._done_blocking(exchange, asked, upstream, arguments)
                except BaseException as error:  # noqa: BLE001 - handed to the exchange, which lets it pass
                    asked = steps.throw(error)
                else:
                    asked = steps.send(sent)
        except StopIteration as end:
            return self._told(exchange, end.value)
        except BaseException as error:
            self._refused(exchange, error)
            raise

    async def _drive(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """The long way: one call that a fault may change."""
        self.unawaited -= 1
        if not (self._step + 1) % _TURN or self._clock() > self.until:
            await self._give_way()
        return await self._carry_out(tool, upstream, arguments)

    async def _give_way(self) -> None:
        """Let others have their turn: neither a fault nor a sync tool does, and so nobody could end the trial."""
        await asyncio.sleep(_REST if self._refusals else 0)

    async def _carry_out(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """The same as `_call_blocking`, on the event loop."""
        exchange = self._open(tool, upstream, arguments)
        steps = exchange.run()
        try:
            asked = next(steps)
            while True:
                try:
                    sent = await _done(asked, upstream, arguments)
                except BaseException as error:  # noqa: BLE001 - handed to the exchange, which lets it pass
                    asked = steps.throw(error)
                else:
                    asked = steps.send(sent)
        except StopIteration as end:
            return self._told(exchange, end.value)
        except BaseException as error:
            self._refused(exchange, error)
            raise

    def _done_blocking(
        self, exchange: Exchange, asked: Asked, upstream: Upstream | None, arguments: dict[str, Any]
    ) -> Any:  # noqa: ANN401
        """Do what an exchange asks for, on the agent's thread; waiting ends where the trial does."""
        if asked is not Ask.RUN:
            seconds = None if isinstance(asked, Ask) else asked
            if self._woken is not None and self._woken.wait(seconds):
                raise TrialClosed(TOO_LATE)
            return None
        reply: Any = upstream(**arguments) if upstream else None
        if type(reply) not in _NEVER_AWAITABLE and hasattr(reply, "__await__") and self._loop is not None:
            return self._awaited_elsewhere(exchange, reply, self._loop)
        return reply

    def _awaited_elsewhere(self, exchange: Exchange, reply: Awaitable[Any], loop: asyncio.AbstractEventLoop) -> Any:  # noqa: ANN401
        """What an async tool replies to an agent that blocks; the end of the trial ends it, too."""
        future = asyncio.run_coroutine_threadsafe(_awaited(reply), loop)
        with self._lock:
            if exchange in self._open_calls:
                self._open_calls[exchange] = future
            else:
                future.cancel()
        try:
            return future.result()
        except CancelledError:
            raise TrialClosed(TOO_LATE) from None

    def _open(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Exchange:
        """Begin a call: number it, and see which faults fire at it."""
        with self._lock:
            if self._closed:
                self._refusals += 1
                self._late.add()
                raise TrialClosed(TOO_LATE)
            self._step += 1
            ordinal = self._begun[tool] = self._begun.get(tool, 0) + 1
            call = Call(
                tool=tool,
                arguments=plain(arguments),
                ordinal=ordinal,
                write=tool not in self.reads,
                history=self._history(),
                pace=self.paces.get(tool),
            )
            firing, broken = self._firing(call)
            at = self._clock()
            exchange = Exchange(firing, call, step=self._step, at=at, left=self.until - at, sandbox=self.sandbox)
            if (inside := _inside()) is not None:
                exchange.part_of = self._first_of(inside)
            if upstream is None:
                self.ledger.write(exchange, self._clock(), error=UNKNOWN)
            else:
                self._open_calls[exchange] = None
        if broken is not None:
            self._refused(exchange, broken)
            raise broken
        if upstream is None:
            raise ToolError("unknown_tool", f"there is no tool called {tool!r}{nearest(tool, self.known)}")
        return exchange

    def _firing(self, call: Call) -> tuple[list[Armed], BrokenFault | None]:
        """The faults that fire at *call*, or the one that cannot say whether it concerns it."""
        try:
            return [armed for armed in self._armed if armed.on_calls and self._bites(armed, call)], None
        except BrokenFault as broken:
            return [], broken

    def _first_of(self, inside: Hashable) -> int | None:
        """The first step of the agent's call *inside* which this one is made; None where it is the first itself."""
        if self._firsts is None:
            self._firsts = {}
        first = self._firsts.setdefault(inside, self._step)
        return None if first == self._step else first

    def _bites(self, armed: Armed, call: Call) -> bool:
        if not concerned(armed, call):
            return False
        self._matched[armed] += 1
        return armed.fires(call.tool, call.ordinal, self._matched[armed])

    def _history(self) -> Sequence[ToolCall]:
        return tuple(self._calls) if self._armed else ()

    def _told(self, exchange: Exchange, reply: object) -> Any:  # noqa: ANN401 - a tool replies what it likes
        self._record(exchange, reply=plain(reply))
        return reply

    def _refused(self, exchange: Exchange, error: BaseException) -> None:
        if isinstance(error, BrokenFault):
            self.broken = str(error)
        self._record(exchange, error=said(error))

    def _record(self, exchange: Exchange, *, reply: Json = None, error: str = "") -> None:
        """Write down a call that has ended, unless its trial ended first and has done so."""
        with self._lock:
            if exchange in self._open_calls:
                del self._open_calls[exchange]
                self.ledger.write(exchange, self._clock(), reply=reply, error=error)


async def _done(asked: Asked, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
    """Do what an exchange asks for, on the event loop; a hang ends when the trial is cancelled."""
    if asked is Ask.HANG:
        return await asyncio.get_running_loop().create_future()
    if not isinstance(asked, Ask):
        return await asyncio.sleep(asked)
    reply: Any = upstream(**arguments) if upstream else None
    return await reply if hasattr(reply, "__await__") else reply


async def _awaited(reply: Awaitable[Any]) -> Any:  # noqa: ANN401 - a tool replies what it likes
    return await reply
