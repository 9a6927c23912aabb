"""A tool's stream in an agent's hand: generators that pass items on as they come, and write down what the agent read.

A stream is one call. It is begun when its first item is asked for, and has ended where upstream ends it, where it
breaks, where the agent reads no further, or where the trial is over. Whoever ends it closes upstream's generator.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

from passhat.engine.box import Upstream
from passhat.engine.calls import Calls
from passhat.engine.driving import (
    END,
    TURN,
    driven,
    driven_blocking,
    next_blocking,
    next_item,
    put_away,
    put_away_blocking,
)
from passhat.engine.exchange import PASSING, Exchange, items_of
from passhat.engine.ledger import TOO_LATE
from passhat.engine.threads import AgentThread
from passhat.errors import TrialClosed


async def read(calls: Calls, tool: str, upstream: Upstream, arguments: dict[str, Any]) -> AsyncIterator[Any]:
    """The items of one call, for an agent that awaits."""
    calls.unawaited -= 1
    if calls.is_due(calls.step + 1, TURN):
        await calls.give_way()
    exchange = calls.begin(tool, arguments, streams=True)
    try:
        try:
            told = await driven(calls, exchange, upstream, arguments)
            source = _source(calls, exchange, told, upstream, arguments)
            while (item := await next_item(source)) is not END:
                _still_open(calls, late=False)
                if not exchange.passes(item):
                    break
                exchange.idle = True
                yield item
                exchange.idle = False
                if calls.is_due(exchange.count, TURN):
                    await calls.give_way()
                _still_open(calls, late=True)
        finally:
            await put_away(calls.taken(exchange))
    except GeneratorExit:
        calls.told(exchange, None)
        raise
    except BaseException as error:
        calls.refused(exchange, error)
        raise
    calls.told(exchange, None)


def read_blocking(calls: Calls, tool: str, upstream: Upstream, arguments: dict[str, Any]) -> Iterator[Any]:
    """The same, for an agent that blocks its thread."""
    exchange = calls.begin(tool, arguments, streams=True)
    try:
        try:
            told = driven_blocking(calls, exchange, upstream, arguments)
            source = _source(calls, exchange, told, upstream, arguments)
            while (item := next_blocking(calls, exchange, source)) is not END:
                _still_open(calls, late=False)
                if not exchange.passes(item):
                    break
                exchange.idle = True
                yield item
                exchange.idle = False
                _still_open(calls, late=True)
        finally:
            put_away_blocking(calls, exchange, calls.taken(exchange, by_thread=True))
    except GeneratorExit:
        calls.told(exchange, None)
        raise
    except BaseException as error:
        calls.refused(exchange, error)
        raise
    calls.told(exchange, None)


async def close_streams(calls: Calls, thread: AgentThread | None) -> None:
    """Close what an agent has left open; on its own *thread*, unless that still works, as it then closes it itself."""
    for exchange in tuple(calls.sources):
        source = calls.sources[exchange]
        if thread is None or hasattr(source, "aclose"):
            await put_away(calls.taken(exchange))
        elif not thread.busy:
            await thread.call(partial(put_away_blocking, calls, exchange, calls.taken(exchange)))


def _source(calls: Calls, exchange: Exchange, told: object, upstream: Upstream, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
    """Where the items come from: upstream's own generator, or what a fault made of its reply."""
    if told is not PASSING:
        return iter(items_of(told))
    source = upstream(**arguments)
    calls.opened(exchange, source)
    return source


def _still_open(calls: Calls, *, late: bool) -> None:
    """Stop where the trial is over: nothing that came after its end reaches the agent."""
    if calls.closed:
        if late:
            calls.refuse()
        raise TrialClosed(TOO_LATE)
