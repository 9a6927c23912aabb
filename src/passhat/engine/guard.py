"""The guard: what stands between an agent and its tools, for one trial.

Every call goes through it, and its ledger says what upstream really did and what the agent was told. What a condition's
faults do to a call is decided in `exchange`, and the drivers carry it out. Here is how an agent gets its tools, and the
short way, which a call takes that no fault meets: nearly all of them, so that it counts every tenth of a microsecond.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import CoroutineType
from typing import Any

from msgspec.structs import replace

from passhat.engine.box import Upstream, streams
from passhat.engine.calls import REST, Calls, Struck
from passhat.engine.driving import TURN, Given, driven, driven_blocking
from passhat.engine.ledger import MOST_CALLS, UNANSWERED, failed, said
from passhat.engine.streaming import read, read_blocking
from passhat.model.one_call import INSIDE
from passhat.model.plain import copied, plain
from passhat.model.trial import ToolCall

_NEVER_AWAITABLE = frozenset((dict, str, list, int, float, bool, tuple, type(None)))
_ALWAYS = -1.0
_inside = INSIDE.get  # bound once: every call asks
_BY_NAME = "a tool takes its arguments by name: tools.{}(name=value)"


class Guard(Calls):
    """Guards the tools of one trial."""

    def bind(self, tool: str, upstream: Upstream | None) -> Callable[..., Any]:
        """*tool* for an agent that awaits: a call is counted at once, and made when it is awaited, or first read."""
        call: Callable[..., Any] = self._call_met if self._armed else self._call
        if upstream is None:
            call = self._drive
        elif streams(upstream):
            call = self._read

        def bound(*unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - what a tool likes
            if unnamed:
                raise TypeError(_BY_NAME.format(tool))
            self.unawaited += 1
            return call(tool, upstream, arguments)

        return bound

    def bind_blocking(self, tool: str, upstream: Upstream | None) -> Callable[..., Any]:
        """*tool* for an agent that blocks its thread."""
        streaming = upstream is not None and streams(upstream)
        call: Callable[..., Any] = self._read_blocking if streaming else self._call_blocking

        def bound(*unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - what a tool likes
            if unnamed:
                raise TypeError(_BY_NAME.format(tool))
            return call(tool, upstream, arguments)

        return bound

    async def _call_met(self, tool: str, upstream: Upstream, arguments: Given) -> Any:  # noqa: ANN401
        """One call in a trial that has faults: the short way too, unless one of them fires at it."""
        if not (self.step + 1) % TURN or self.closed:
            await self.give_way()
        firing: Struck = self.struck(tool, arguments) if self._live else ()
        if firing or _inside() is not None:
            self.unawaited -= 1
            return await self._carry_out(tool, upstream, arguments, firing)
        try:
            return await self._call(tool, upstream, arguments, firing)
        finally:
            if self.holds is not None and self.holds.held and self._calls:
                self.holds.ended(self._calls[-1].step)  # it was written down a moment ago, and nobody else came between

    async def _call(
        self,
        tool: str,
        upstream: Upstream,
        arguments: Given,
        firing: Struck | None = None,
    ) -> Any:  # noqa: ANN401
        """The short way: one call that no fault meets."""
        if _inside() is not None and firing is None:
            return await self._drive(tool, upstream, arguments)
        self.unawaited -= 1
        clock = self._clock
        at = clock()
        step = self.step + 1
        if not step % TURN or at > self.until:
            await self.give_way()
            at, step = clock(), self.step + 1
            if step >= MOST_CALLS:  # the last that is kept, and a multiple of `TURN`: all that follow come by here
                self.until = _ALWAYS
            if self.closed or step > MOST_CALLS:
                return await self._carry_out(tool, upstream, arguments, firing)
        self.step = step
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
            text = UNANSWERED if self.closed else said(error)
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
        write, since = tool not in self.reads, at - self._start
        call = ToolCall(step=step, tool=tool, arguments=given, reply=told, at=since, seconds=seconds, write=write)
        self._calls.append(call)
        return reply

    def _call_blocking(self, tool: str, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
        """One call of an agent that blocks its thread."""
        if self.refusals:
            time.sleep(REST)
        exchange = self.begin(tool, arguments, known=upstream is not None)
        try:
            reply = driven_blocking(self, exchange, upstream, arguments)
        except BaseException as error:
            self.refused(exchange, error)
            raise
        self.told(exchange, reply)
        return reply

    def _read(self, tool: str, upstream: Upstream, arguments: Given) -> Any:  # noqa: ANN401
        return read(self, tool, upstream, arguments)

    def _read_blocking(self, tool: str, upstream: Upstream, arguments: Given) -> Any:  # noqa: ANN401
        if self.refusals:
            time.sleep(REST)
        return read_blocking(self, tool, upstream, arguments)

    async def _drive(self, tool: str, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
        """A call of a tool that there is not, or one that is part of another."""
        self.unawaited -= 1
        if self.is_due(self.step + 1, TURN):
            await self.give_way()
        return await self._carry_out(tool, upstream, arguments)

    async def _carry_out(
        self,
        tool: str,
        upstream: Upstream | None,
        arguments: Given,
        firing: Struck | None = None,
    ) -> Any:  # noqa: ANN401
        """The long way: one call that a fault may change, or that comes too late."""
        exchange = self.begin(tool, arguments, firing=firing, known=upstream is not None)
        try:
            reply = await driven(self, exchange, upstream, arguments)
        except BaseException as error:
            self.refused(exchange, error)
            raise
        self.told(exchange, reply)
        return reply
