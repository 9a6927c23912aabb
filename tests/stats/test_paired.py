"""Pairing: the standard error of a difference on the same tasks, and what more trials a task buy."""

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import paired_difference, paired_se, paired_share_interval, resampling_factor

ERROR = st.floats(0, 1)
RATES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=12)


@given(ERROR, ERROR, st.floats(-1, 1))
def test_paired_error_lies_between_its_extremes(one: float, other: float, rho: float) -> None:
    """At best it is the difference of the two errors, at worst their sum, and it is their formula."""
    error = paired_se(one, other, rho)

    assert abs(one - other) - 1e-9 <= error <= one + other + 1e-9
    assert error**2 == pytest.approx(one**2 + other**2 - 2 * rho * one * other, abs=1e-12)


def test_like_agents_have_no_error_left() -> None:
    """At a correlation of 1 and equal errors it is exactly 0, and never the root of a negative number."""
    assert paired_se(0.1, 0.1, 1) == 0
    assert paired_se(np.array([0.3, 0.1]), np.array([0.3, 0.0]), np.array([1.0, 0.5])).tolist() == [0, 0.1]


@given(RATES)
def test_difference_has_the_paired_error(rates: list[tuple[float, float]]) -> None:
    """Worked out task by task, or from the two errors and their correlation: the same standard error."""
    first, second = np.array(rates).T
    errors = [float(row.std(ddof=1)) / sqrt(row.size) for row in (first, second)]
    covariance = float(((first - first.mean()) * (second - second.mean())).sum() / (first.size - 1) / first.size)

    mean, error = paired_difference(first, second)

    assert mean == pytest.approx(float(second.mean() - first.mean()), abs=1e-12)
    assert error**2 == pytest.approx(errors[0] ** 2 + errors[1] ** 2 - 2 * covariance, abs=1e-12)


@pytest.mark.parametrize("n", [4, 9])
@pytest.mark.parametrize("shares", [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.4, 0.2), (0.5, 0.5), (0.02, 0.9)])
def test_share_interval_keeps_its_level(n: int, shares: tuple[float, float]) -> None:
    """Summed over all that n pairs can show, the interval holds the true difference with 95 % or more."""
    first, second = shares
    held = 0.0
    for b in range(n + 1):
        for c in range(n - b + 1):
            low, high = paired_share_interval(b, c, n)
            if low - 1e-12 <= second - first <= high + 1e-12:
                same = max(0.0, 1 - first - second) ** (n - b - c)
                held += comb(n, b) * comb(n - b, c) * first**b * second**c * same

    assert held >= 0.95


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50))
def test_share_interval_holds_what_was_seen(b: int, c: int, more: int) -> None:
    """It holds the difference that was seen, within -1 and 1, and turns round with its sides."""
    n = b + c + more
    low, high = paired_share_interval(b, c, n)

    assert -1 <= low <= (c - b) / n <= high <= 1
    assert paired_share_interval(c, b, n) == pytest.approx((-high, -low))


def test_more_pairs_differ_than_there_are() -> None:
    """Counts that cannot be are refused."""
    with pytest.raises(UsageError, match="b and c are counts of the n pairs"):
        paired_share_interval(3, 2, 4)


def test_factor_is_that_of_rates_spread_evenly() -> None:
    """With rates spread evenly over 0 to 1: variance 1/12 between tasks, 1/6 within, against 1/4 for one trial."""
    for k in range(1, 20):
        between, within = Fraction(1, 12), Fraction(1, 6)
        assert resampling_factor(k) == pytest.approx(float((between + within / k) / Fraction(1, 4)))


@pytest.mark.parametrize(
    ("one", "other", "rho", "says"),
    [
        (-0.1, 0.1, 0, "se_a, a standard error, is from 0"),
        (0.1, float("nan"), 0, "se_b, a standard error, is from 0"),
        (0.1, 0.1, 1.1, "correlation is from -1 to 1"),
    ],
)
def test_what_is_out_of_range_is_refused(one: float, other: float, rho: float, says: str) -> None:
    """Standard errors are from 0, correlations from -1 to 1."""
    with pytest.raises(UsageError, match=says):
        paired_se(one, other, rho)


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ([0.5], [0.5], "first is one row of 2 or more"),
        ([0.5, 0.5], [0.5, 0.5, 0.5], "equally long"),
        ([0.5, 0.5], [0.5, 1.5], "second is from 0 to 1"),
    ],
)
def test_rows_that_are_no_pair_are_refused(first: list[float], second: list[float], says: str) -> None:
    """The rows hold a rate a task, two tasks or more, the same in both."""
    with pytest.raises(UsageError, match=says):
        paired_difference(first, second)
    with pytest.raises(UsageError, match="k is a whole number from 1"):
        resampling_factor(0)
