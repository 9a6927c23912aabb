"""What the fences around users' code share: a time limit, and what may be caught there.

A user's code may raise anything. What it raises is data; only a cancellation that somebody outside asked for, and an
interrupt, pass through.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Overdue(Exception):
    """Something took longer than it may."""


async def within(seconds: float, asked: Awaitable[T]) -> T:
    """What *asked* gives, or `Overdue`; a `TimeoutError` of its own stays one."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await asked
    except TimeoutError as error:
        if limit.expired():
            raise Overdue(f"longer than {seconds:g} s") from error
        raise


def let_through(error: BaseException) -> None:
    """Raise *error* again where it comes from outside: an interrupt, or a cancellation that somebody asked for."""
    if ends_us(error):
        raise error
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
        raise error


def ends_us(error: BaseException) -> bool:
    """True for the end of a coroutine, and for an interrupt on the main thread.

    Signals reach no other thread: a KeyboardInterrupt there is one that a user's code has raised.
    """
    if isinstance(error, KeyboardInterrupt):
        return threading.current_thread() is threading.main_thread()
    return isinstance(error, GeneratorExit)
