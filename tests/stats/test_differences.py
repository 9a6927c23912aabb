"""The interval for a difference: oracle numbers and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import difference_interval, interval


def wilson(c: int, n: int) -> tuple[float, float, float]:
    """A rate and its Wilson interval."""
    return (c / n, *interval(c, n, method="wilson"))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [((56, 70), (48, 80), (0.052431, 0.333873)), ((90, 100), (80, 100), (0.000149, 0.199474))],
)
def test_with_wilson_it_gives_the_known_numbers(
    first: tuple[int, int], second: tuple[int, int], expected: tuple[float, float]
) -> None:
    """From Wilson intervals it is Newcombe's hybrid, to the published digits."""
    assert difference_interval(wilson(*first), wilson(*second)) == pytest.approx(expected, abs=1e-6)


@given(st.integers(1, 100), st.integers(1, 100), st.data())
def test_difference_law(n: int, m: int, data: st.DataObject) -> None:
    """-1 ≤ low ≤ difference ≤ high ≤ 1, and the other way round it is the mirror image."""
    c, d = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    first, second = ((c / n, *interval(c, n)), (d / m, *interval(d, m)))

    low, high = difference_interval(first, second)

    assert -1 - 1e-12 <= low <= c / n - d / m <= high <= 1 + 1e-12
    assert difference_interval(second, first) == pytest.approx((-high, -low), abs=1e-12)


def test_certain_baseline_leaves_the_other_interval() -> None:
    """Against a value that is known, the interval is the estimate's own, shifted."""
    assert difference_interval((0.9, 0.8, 0.95), (0.5, 0.5, 0.5)) == pytest.approx((0.3, 0.45))


def test_arrays_in_arrays_out() -> None:
    """Many differences at once."""
    first = (np.array([0.9, 0.8]), np.array([0.8, 0.7]), np.array([0.95, 0.9]))

    low, high = difference_interval(first, first)

    assert low == pytest.approx(-high)


@pytest.mark.parametrize(
    "bad", [(0.9, 0.95, 0.99), (0.9, 0.8, 0.85), (0.9, float("nan"), 1.0), (0.9, 0.5, float("inf"))]
)
def test_value_outside_its_interval_is_refused(bad: tuple[float, float, float]) -> None:
    """An interval that does not hold its own value is none."""
    with pytest.raises(UsageError, match="a value lies within its finite interval"):
        difference_interval(bad, (0.5, 0.4, 0.6))
