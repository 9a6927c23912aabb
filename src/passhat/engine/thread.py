"""A run on an event loop and a thread of its own, so that it can be waited for anywhere: in a script, in a notebook."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from passhat.engine.execute import Control

T = TypeVar("T")
_GRACE = 1.0
_ABORT = 2


def in_thread(
    begin: Callable[[], Coroutine[Any, Any, T]],
    control: Control,
    *,
    make_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
) -> T:
    """What the coroutine gives, run elsewhere while this thread waits.

    An interrupt that comes in the meantime stops the run, a second one aborts it; the coroutine has the last word. A
    third one leaves it behind: an agent that keeps the event loop to itself lets nobody have a word. *make_loop* is
    called on the run's own thread.
    """
    future: Future[T] = Future()
    context = copy_context()
    serve = partial(context.run, _serve, begin, future, make_loop)
    threading.Thread(target=serve, name="passhat-run", daemon=True).start()
    presses = _Presses(control)
    with _heard(presses):
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                if future.done():
                    raise
                if presses.all_used:
                    raise control.interruption() from None
                presses()


class _Presses:
    """Counts the interrupts, and acts on each."""

    __slots__ = ("_control", "_count")

    def __init__(self, control: Control) -> None:
        self._control = control
        self._count = 0

    @property
    def all_used(self) -> bool:
        return self._count > _ABORT

    def __call__(self, *_signal: object) -> None:
        self._count += 1
        if self.all_used:
            raise KeyboardInterrupt
        (self._control.abort if self._count == _ABORT else self._control.stop)()


@contextmanager
def _heard(presses: _Presses) -> Iterator[None]:
    """Hear Ctrl-C as a call and not as an exception, which could come at any moment, a second one within the first.

    Only where Python's own handler is in place: whoever has put another there is asked first, and may raise.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, presses)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _serve(
    begin: Callable[[], Coroutine[Any, Any, T]], future: Future[T], make_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    loop = make_loop()
    asyncio.set_event_loop(loop)
    try:
        result, error = _completed(loop, begin()), None
    except BaseException as raised:  # noqa: BLE001 - handed to the thread that waits
        result, error = None, raised
    left = _close(loop)
    if error is None:
        future.set_result(result)  # type: ignore[arg-type]
    else:
        future.set_exception(error)
    if left:  # to collect a coroutine is to run it once more, in any thread: these are held here for good
        threading.Event().wait()


def _completed(loop: asyncio.AbstractEventLoop, run: Coroutine[Any, Any, T]) -> T:
    """What *run* gives. No signal reaches this thread: if something else stops the loop, it was an agent's doing.

    An interrupt or an exit that a task raises goes through the loop besides into the task; `loop.stop()` is an error.
    """
    task = loop.create_task(run)
    while not task.done():
        with suppress(KeyboardInterrupt, SystemExit, RuntimeError):
            loop.run_until_complete(task)
    return task.result()


def _close(loop: asyncio.AbstractEventLoop) -> Collection[asyncio.Task[Any]]:
    """End what agents left running, but wait for nothing that does not end; what is left of it."""
    loop.set_exception_handler(lambda _loop, _context: None)
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    left.add(loop.create_task(loop.shutdown_asyncgens()))
    waiting = asyncio.wait(left, timeout=_GRACE)
    _, running = _completed(loop, waiting)
    loop.close()
    return running
