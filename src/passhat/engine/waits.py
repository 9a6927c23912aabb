"""Seeing that a decision would wait, before it does: Python tells a profiler of each call into C before it is made.

Nothing is patched, and nothing is slept: the call is refused by an exception, and what would have waited is named.
Seen are sleeping, waiting for a lock, for files or sockets, and for a process; not what a C library does by itself.
"""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_WAITING = (time.sleep, select.select)
# Methods that wait, by the name of the type that they belong to.
_METHODS = {
    "lock": {"acquire"},
    "poll": {"poll"},
    "epoll": {"poll"},
    "socket": {"accept", "connect", "recv", "recv_into", "recvfrom", "send", "sendall"},
    "module": {"waitpid", "input", "fork_exec", "getaddrinfo"},
}


class Waits(BaseException):
    """A decision was about to wait; the text is the name of what it called."""


@contextmanager
def at_once() -> Iterator[None]:
    """Raise `Waits` where what is done in here, on this thread, is about to wait."""
    before = sys.getprofile()
    sys.setprofile(_look)
    try:
        yield
    finally:
        sys.setprofile(before)


def _look(_frame: FrameType, event: str, called: Any) -> None:  # noqa: ANN401 - any function of C
    if event != "c_call":
        return
    owner = type(getattr(called, "__self__", None)).__name__
    if called in _WAITING or called.__name__ in _METHODS.get(owner, ()):
        raise Waits(called.__qualname__ if owner != "module" else f"{called.__module__}.{called.__name__}")
