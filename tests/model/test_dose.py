"""How often a fault bites."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.model.dose import Burst, Dose, PermanentFrom, Rate, as_dose, dose_argument, once_at, read_dose
from tests.model.nouns import doses

draws = st.floats(0, 1, exclude_max=True)


@given(doses)
def test_dose_round_trips_through_its_text(dose: Dose) -> None:
    """A dose, written among a fault's arguments, is read back as the same dose."""
    assert read_dose(dose_argument(dose).value) == dose


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 100), draws)
def test_rates_are_nested(one: float, other: float, ordinal: int, draw: float) -> None:
    """What fires at a rate fires at every higher one."""
    small, large = sorted((one, other))

    assert Rate(large).fires(ordinal, draw) or not Rate(small).fires(ordinal, draw)


@given(draws, st.integers(1, 100))
def test_extreme_rates_are_exact(draw: float, ordinal: int) -> None:
    """A rate of 1 always fires and a rate of 0 never does."""
    assert Rate(1).fires(ordinal, draw)
    assert not Rate(0).fires(ordinal, draw)


@given(st.integers(1, 20), st.integers(1, 20), draws)
def test_burst_is_calls_in_a_row(count: int, at: int, draw: float) -> None:
    """A burst fires at its calls, and chance has no part in it."""
    fired = [ordinal for ordinal in range(1, 50) if Burst(count, at).fires(ordinal, draw)]

    assert fired == list(range(at, at + count))
    assert once_at(at) == Burst(1, at)


@given(st.integers(1, 20), draws)
def test_permanent_never_ends(at: int, draw: float) -> None:
    """From its call on, it fires at every one."""
    assert [PermanentFrom(at).fires(ordinal, draw) for ordinal in (at - 1, at, at + 1, 10**9)] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), True, "often", None, 2])
def test_what_is_no_dose_is_refused(value: object) -> None:
    """A bare number is a rate from 0 to 1; anything else is a sentence."""
    with pytest.raises(UsageError):
        as_dose(value)


@pytest.mark.parametrize("at", [0, -1, True, 1.5])
def test_calls_are_counted_from_one(at: int) -> None:
    """There is no call number 0."""
    for make in (once_at, PermanentFrom, partial(Burst, 1)):
        with pytest.raises(UsageError, match="counted from 1"):
            make(at)


@pytest.mark.parametrize("count", [0, -1, True, 1.5])
def test_burst_is_one_call_at_the_least(count: int) -> None:
    """A burst of none would never fire."""
    with pytest.raises(UsageError, match="1 call at the least"):
        Burst(count)
