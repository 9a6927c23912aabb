"""The two drivers that carry out what an exchange asks for: one on the event loop, one on an agent's thread.

They wait, run tools and gather streams, and decide nothing.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeAlias

from passhat.engine.box import Upstream, streams
from passhat.engine.calls import Calls
from passhat.engine.exchange import Ask, Asked, Exchange
from passhat.engine.ledger import TOO_LATE
from passhat.errors import TrialClosed
from passhat.model.effect import Forward, Hold

Given: TypeAlias = dict[str, Any]
END = object()
TURN = 50  # before each so many-th call of an async agent, or item of its stream, others get their turn
_NEVER_AWAITABLE = frozenset((dict, str, list, int, float, bool, tuple, type(None)))
_TRIES = 100
_MOMENT = 0.01  # so that another thread can go first


async def driven(calls: Calls, exchange: Exchange, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """What the agent is told in the end, on the event loop."""
    steps = exchange.run()
    try:
        asked = next(steps)
        while True:
            try:
                sent = await _done(calls, exchange, asked, upstream, arguments)
            except BaseException as error:  # noqa: BLE001 - handed to the exchange, which lets it pass
                asked = steps.throw(error)
            else:
                asked = steps.send(sent)
    except StopIteration as end:
        return end.value


def driven_blocking(calls: Calls, exchange: Exchange, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """The same, on the agent's thread."""
    steps = exchange.run()
    try:
        asked = next(steps)
        while True:
            try:
                sent = _done_blocking(calls, exchange, asked, upstream, arguments)
            except BaseException as error:  # noqa: BLE001 - handed to the exchange, which lets it pass
                asked = steps.throw(error)
            else:
                asked = steps.send(sent)
    except StopIteration as end:
        return end.value


async def next_item(source: Any) -> Any:  # noqa: ANN401 - any item
    """The next item of a generator of either kind; `END` where there is none."""
    if not hasattr(source, "__anext__"):
        return next(source, END)
    try:
        return await source.__anext__()
    except StopAsyncIteration:
        return END


def next_blocking(calls: Calls, exchange: Exchange, source: Any) -> Any:  # noqa: ANN401 - any item
    """The same, on the agent's thread; what is async runs on the loop."""
    if hasattr(source, "__anext__"):
        return _elsewhere(calls, exchange, next_item(source))
    return next(source, END)


async def put_away(source: Any) -> None:  # noqa: ANN401 - an iterator of either kind, or nothing
    """Close a stream that nobody reads on; what it raises then, nobody hears."""
    with suppress(Exception):
        if hasattr(source, "aclose"):
            for _ in range(_TRIES):  # who was waiting for its next item has been cancelled, and is about to know
                if not getattr(source, "ag_running", False):
                    break
                await asyncio.sleep(_MOMENT)
            await source.aclose()
        elif hasattr(source, "close"):
            source.close()


def put_away_blocking(calls: Calls, exchange: Exchange, source: Any) -> None:  # noqa: ANN401 - as above
    """The same, on the agent's thread."""
    with suppress(Exception):
        if hasattr(source, "aclose"):
            _elsewhere(calls, exchange, put_away(source))
        elif hasattr(source, "close"):
            source.close()


async def _done(calls: Calls, exchange: Exchange, asked: Asked, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """Do what an exchange asks for, on the event loop; a hang ends when the trial is cancelled."""
    match asked:
        case Ask.RUN:
            return await _ran(calls, upstream, arguments)
        case Ask.HANG:
            return await asyncio.get_running_loop().create_future()
        case Hold():
            return await _kept(calls, exchange, asked)
        case Forward():
            return await _ran(calls, calls.box.tools[asked.tool], _given(asked, arguments))
        case _:
            return await asyncio.sleep(asked)


def _done_blocking(calls: Calls, exchange: Exchange, asked: Asked, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """The same, on the agent's thread; waiting ends where the trial does."""
    match asked:
        case Ask.RUN:
            return _ran_blocking(calls, exchange, upstream, arguments)
        case Forward():
            return _ran_blocking(calls, exchange, calls.box.tools[asked.tool], _given(asked, arguments))
        case Hold():
            return _kept_blocking(calls, exchange, asked)
        case _:
            seconds = None if isinstance(asked, Ask) else asked
            return _rested(calls, seconds)


def _given(asked: Forward, arguments: Given) -> Given:
    return arguments if asked.arguments is None else dict(asked.arguments)


async def _ran(calls: Calls, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """What upstream replies; a stream's items are gathered."""
    assert upstream is not None  # noqa: S101 - for the type checker: a call of no tool is refused when it begins
    reply: Any = upstream(**arguments)
    if not streams(upstream):
        return await reply if hasattr(reply, "__await__") else reply
    items: list[Any] = []
    try:
        while (item := await next_item(reply)) is not END:
            items.append(item)
            if calls.is_due(len(items), TURN):
                await calls.give_way()
    finally:
        await put_away(reply)
    return items


def _ran_blocking(calls: Calls, exchange: Exchange, upstream: Upstream | None, arguments: Given) -> Any:  # noqa: ANN401
    """The same, on the agent's thread; what is async runs on the loop."""
    assert upstream is not None  # noqa: S101 - as above
    reply: Any = upstream(**arguments)
    if streams(upstream):
        try:
            return list(iter(lambda: next_blocking(calls, exchange, reply), END))
        finally:
            put_away_blocking(calls, exchange, reply)
    if type(reply) not in _NEVER_AWAITABLE and hasattr(reply, "__await__") and calls.loop is not None:
        return _elsewhere(calls, exchange, reply)
    return reply


async def _kept(calls: Calls, exchange: Exchange, hold: Hold) -> str | None:
    """Keep a reply back; how that ended, in words, or None where it passes because another is kept back."""
    assert calls.holds is not None  # noqa: S101 - for the type checker
    enough = asyncio.Event()
    held = calls.holds.keep(exchange.step, hold.calls, calls.ledger.calls, enough.set)
    if held is None:
        return None
    try:
        if not held.over:
            with suppress(TimeoutError):
                async with asyncio.timeout(hold.seconds):
                    await enough.wait()
    finally:
        calls.holds.let_go(held)
    return held.outcome


def _kept_blocking(calls: Calls, exchange: Exchange, hold: Hold) -> str | None:
    """The same, on a thread."""
    assert calls.holds is not None  # noqa: S101 - for the type checker
    enough = threading.Event()
    with calls.lock:
        held = calls.holds.keep(exchange.step, hold.calls, calls.ledger.calls, enough.set)
    if held is None:
        return None
    if not held.over:
        enough.wait(hold.seconds)
    with calls.lock:
        calls.holds.let_go(held)
        if calls.closed:
            raise TrialClosed(TOO_LATE)
    _rested(calls, _MOMENT)
    return held.outcome


def _rested(calls: Calls, seconds: float | None) -> None:
    """Wait so long on the agent's thread, without a word for good; the end of the trial ends it."""
    if calls.woken is not None and calls.woken.wait(seconds):
        raise TrialClosed(TOO_LATE)


def _elsewhere(calls: Calls, exchange: Exchange, reply: Awaitable[Any]) -> Any:  # noqa: ANN401
    """What the loop makes of *reply* for an agent that blocks; the end of the trial ends it, too."""
    assert calls.loop is not None  # noqa: S101 - for the type checker
    future = asyncio.run_coroutine_threadsafe(_awaited(reply), calls.loop)
    with calls.lock:
        if exchange in calls.open_calls:
            calls.open_calls[exchange] = future
        else:
            future.cancel()
    try:
        return future.result()
    except CancelledError:
        raise TrialClosed(TOO_LATE) from None


async def _awaited(reply: Awaitable[Any]) -> Any:  # noqa: ANN401 - a tool replies what it likes
    return await reply
