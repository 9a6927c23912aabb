"""A run on an event loop and a thread of its own, so that it can be waited for anywhere: in a script, in a notebook."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any, TypeVar

from passhat.engine.execute import Control

T = TypeVar("T")
_GRACE = 1.0


def in_thread(begin: Callable[[], Coroutine[Any, Any, T]], control: Control) -> T:
    """What the coroutine gives, run elsewhere while this thread waits.

    An interrupt that comes in the meantime stops the run, a second one aborts it; the coroutine has the last word. A
    third one leaves it behind: an agent that keeps the event loop to itself lets nobody have a word.
    """
    future: Future[T] = Future()
    context = copy_context()
    threading.Thread(target=lambda: context.run(_serve, begin, future), name="passhat-run", daemon=True).start()
    while True:
        try:
            return future.result()
        except KeyboardInterrupt:
            if future.done() or control.wanted == "abort":
                raise
            (control.abort if control.wanted else control.stop)()


def _serve(begin: Callable[[], Coroutine[Any, Any, T]], future: Future[T]) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        result, error = loop.run_until_complete(begin()), None
    except BaseException as raised:  # noqa: BLE001 - handed to the thread that waits
        result, error = None, raised
    _close(loop)
    if error is None:
        future.set_result(result)  # type: ignore[arg-type]
    else:
        future.set_exception(error)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """End what agents left running, but wait for nothing that does not end."""
    loop.set_exception_handler(lambda _loop, _context: None)
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=_GRACE))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
