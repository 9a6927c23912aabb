"""What agents print, kept with their trials instead of on the screen, where the user asked for that.

A router stands in for `sys.stdout` and `sys.stderr` while a run lasts: what is written within a trial goes to that
trial, the rest where it always went.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

from passhat.model.plain import CUT

LONGEST = 10_000


class Printed:
    """What one trial printed: the beginning, and how long it was."""

    __slots__ = ("_kept", "_length")

    def __init__(self) -> None:
        """Nothing yet."""
        self._kept: list[str] = []
        self._length = 0

    def write(self, text: str) -> None:
        """Keep *text* as far as there is room."""
        if self._length < LONGEST:
            self._kept.append(text[: LONGEST - self._length])
        self._length += len(text)

    def __str__(self) -> str:
        """What was kept, and that it was cut where it was."""
        kept = "".join(self._kept)
        return kept if self._length <= LONGEST else f"{kept}{CUT}{self._length:,} characters were printed)"


_trial: ContextVar[Printed | None] = ContextVar("passhat_printed", default=None)


def begin() -> Printed:
    """From here on, what this context prints belongs to a new trial."""
    printed = Printed()
    _trial.set(printed)
    return printed


def end() -> None:
    """From here on, what this context prints goes to the screen."""
    _trial.set(None)


@contextmanager
def captured() -> Iterator[None]:
    """Route what is printed to the trials, as long as this lasts."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Router(before[0]), _Router(before[1])
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _Router(io.TextIOBase):
    """Writes to the trial of the context that prints."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen

    def write(self, text: str, /) -> int:
        printed = _trial.get()
        if printed is None:
            return self._screen.write(text)
        printed.write(text)
        return len(text)

    def flush(self) -> None:
        self._screen.flush()

    def isatty(self) -> bool:
        return self._screen.isatty()

    def fileno(self) -> int:
        return self._screen.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._screen.encoding
