"""The guard: what stands between an agent and its tools, for one trial.

Every call goes through it, and it writes down what upstream really did and what the agent was told. What a condition's
faults do to a call is decided in `exchange`; here are the two drivers that carry it out, one for agents that await and
one for agents that block, and the short way for a call that no fault is planned for.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from operator import attrgetter
from types import CoroutineType
from typing import Any

from passhat.engine.arming import Armed
from passhat.engine.exchange import Ask, Asked, BrokenFault, Exchange
from passhat.errors import ToolError, TrialClosed
from passhat.model.base import Json
from passhat.model.parts import nearest
from passhat.model.plain import copied, plain, words
from passhat.model.trial import Call, FaultEvent, ToolCall

_NEVER_AWAITABLE = frozenset((dict, str, list, int, float, bool, tuple, type(None)))
Upstream = Callable[..., Any]
_BY_NAME = "a tool takes its arguments by name: tools.{}(name=value)"


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


class Guard:
    """Guards the tools of one trial and keeps its trace."""

    # Most trials need none of these, and each costs time to set: they stand here until a trial needs its own.
    _events: tuple[FaultEvent, ...] = ()
    _closed = False
    _step = 0
    _lock: Any = nullcontext()
    _woken: threading.Event | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    known: Collection[str] = ()
    unawaited = 0
    broken = ""
    sandbox = False

    def __init__(self, armed: Sequence[Armed], *, clock: Callable[[], float], late: Late) -> None:
        """A guard for a trial with these faults; *clock* gives seconds, *late* counts calls after the end."""
        self._armed = armed
        self._clock = clock
        self._late = late
        self._start = clock()
        self._calls: list[ToolCall] = []
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
            self._closed = True
            left = dict(self._open_calls)
            self._open_calls.clear()
            for exchange in left:
                self._write(exchange, error=UNANSWERED)
        if self._woken is not None:
            self._woken.set()
        for future in left.values():
            if future is not None:
                future.cancel()

    @property
    def trace(self) -> tuple[ToolCall, ...]:
        """The calls so far, in the order in which they were begun."""
        return tuple(sorted(self._calls, key=_step)) if self._calls else ()

    @property
    def events(self) -> tuple[FaultEvent, ...]:
        """The faults that fired so far."""
        return self._events

    def bind(self, tool: str, upstream: Upstream | None) -> Callable[..., Coroutine[Any, Any, Any]]:
        """*tool* for an agent that awaits: a call is counted at once, and made when it is awaited."""
        call = self._call

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

    async def _call(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        self.unawaited -= 1
        if self._armed or self._closed or upstream is None:
            return await self._drive(tool, upstream, arguments)
        self._step = step = self._step + 1
        clock = self._clock
        try:  # `plain` without the call: this is the way that nearly all tool calls take
            given = copied(arguments)
        except Exception:  # noqa: BLE001 - a fence: an argument may be any object
            given = plain(arguments)
        at = clock()
        try:
            reply = upstream(**arguments)
            kind = type(reply)
            if kind is CoroutineType or (kind not in _NEVER_AWAITABLE and hasattr(reply, "__await__")):
                reply = await reply
        except BaseException as error:
            text = UNANSWERED if self._closed else said(error)
            self._calls.append(_failed(step, tool, given, text, at=at - self._start, seconds=clock() - at))
            raise
        seconds = clock() - at
        try:
            told = copied(reply)
            if told != reply:  # there may be a set in it, and its order is the process's own
                told = plain(reply)
        except Exception:  # noqa: BLE001 - a fence: a reply may be any object
            told = plain(reply)
        self._calls.append(
            ToolCall(step=step, tool=tool, arguments=given, reply=told, at=at - self._start, seconds=seconds)
        )
        return reply

    def _call_blocking(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """One call of an agent that blocks its thread."""
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
        """The long way of `_call`: the same as `_call_blocking`, on the event loop."""
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
                raise TrialClosed(_TOO_LATE)
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
            raise TrialClosed(_TOO_LATE) from None

    def _open(self, tool: str, upstream: Upstream | None, arguments: dict[str, Any]) -> Exchange:
        """Begin a call: number it, and see which faults fire at it."""
        with self._lock:
            if self._closed:
                self._late.add()
                raise TrialClosed(_TOO_LATE)
            self._step += 1
            ordinal = self._begun[tool] = self._begun.get(tool, 0) + 1
            call = Call(tool=tool, arguments=plain(arguments), ordinal=ordinal, history=self._history())
            firing = [armed for armed in self._armed if self._bites(armed, tool, ordinal)]
            exchange = Exchange(firing, call, step=self._step, at=self._clock(), sandbox=self.sandbox)
            if upstream is None:
                self._write(exchange, error=UNKNOWN)
            else:
                self._open_calls[exchange] = None
        if upstream is None:
            raise ToolError("unknown_tool", f"there is no tool called {tool!r}{nearest(tool, self.known)}")
        return exchange

    def _bites(self, armed: Armed, tool: str, ordinal: int) -> bool:
        if not armed.meets(tool):
            return False
        self._matched[armed] += 1
        return armed.fires(tool, ordinal, self._matched[armed])

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
                self._write(exchange, reply=reply, error=error)

    def _write(self, exchange: Exchange, *, reply: Json = None, error: str = "") -> None:
        """Write down one call. An exchange that a fault changed keeps what upstream really said."""
        self._events += tuple(exchange.events)
        self._calls.append(
            ToolCall(
                step=exchange.step,
                tool=exchange.call.tool,
                arguments=exchange.call.arguments,
                reply=reply,
                error=error,
                executed=exchange.executed,
                upstream=exchange.upstream if exchange.events and exchange.executed else None,
                at=exchange.at - self._start,
                seconds=self._clock() - exchange.at,
            )
        )


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


def said(error: BaseException) -> str:
    """What an error says, in one line and with its kind, as the trace shows it."""
    text = words(error)
    return text if isinstance(error, ToolError) else f"{type(error).__name__}: {text}".rstrip(": ")


def _failed(step: int, tool: str, given: Any, error: str, *, at: float, seconds: float) -> ToolCall:  # noqa: ANN401
    return ToolCall(step=step, tool=tool, arguments=given, error=error, at=at, seconds=seconds)


_TOO_LATE = "this trial is over: the call was refused and touched nothing"
UNKNOWN = "there is no such tool"
UNANSWERED = "there was no reply before the trial ended"
_step = attrgetter("step")
