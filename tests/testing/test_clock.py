"""The fake clock."""

from __future__ import annotations

import pytest

from passhat.errors import UsageError
from passhat.testing import FakeClock


def test_clock_stands_still() -> None:
    """Looking at the clock lets no time pass."""
    clock = FakeClock(100.0)

    assert [clock.now(), clock.now()] == [100.0, 100.0]


def test_clock_advances_by_what_it_is_told() -> None:
    """Seconds add up."""
    clock = FakeClock(100.0)

    clock.advance(0.5)
    clock.advance(2)

    assert clock.now() == 102.5


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_time_does_not_go_back(seconds: float) -> None:
    """A clock that ran backwards would make negative durations."""
    with pytest.raises(UsageError, match="does not go back"):
        FakeClock().advance(seconds)
