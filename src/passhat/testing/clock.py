"""A clock that stands still until it is told to go on."""

from __future__ import annotations

from passhat.errors import UsageError


class FakeClock:
    """Stands in for the time of day: `now()` gives seconds since 1970, `advance` lets some pass."""

    def __init__(self, start: float = 1_700_000_000.0) -> None:
        """A clock that shows *start*."""
        self._now = start

    def now(self) -> float:
        """The seconds that it shows."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let *seconds* pass; time does not go back."""
        if not seconds >= 0:
            raise UsageError(f"time does not go back: a clock is advanced by seconds from 0 on, not {seconds!r}")
        self._now += seconds
