"""The interval for a median, against the sum over all that can happen."""

from __future__ import annotations

from math import comb, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import median_interval

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


@given(st.integers(1, 60), LEVELS)
def test_interval_covers_and_is_as_short_as_can_be(n: int, level: float) -> None:
    """The ranks r and n+1-r hold the median with at least the level, and the next ones do not."""
    low, high = median_interval(list(range(1, n + 1)), confidence=level)

    def held(rank: int) -> float:
        return float(1 - 2 * sum(comb(n, below) for below in range(rank)) / 2**n)

    rank = 0 if low == -inf else int(low)
    assert high == (inf if not rank else n + 1 - rank)
    assert held(rank) >= level - 1e-9
    assert rank + 1 > (n + 1) // 2 or held(rank + 1) < level + 1e-9


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_interval_is_symmetric(values: list[float]) -> None:
    """Order does not matter, both ends are values that were given, and turned round they change places."""
    low, high = median_interval(values)

    assert median_interval(values[::-1]) == (low, high)
    assert {low, high} <= {*values, -inf, inf}
    assert median_interval([-one for one in values]) == (-high, -low)


@pytest.mark.parametrize(("n", "finite"), [(5, False), (6, True)])
def test_six_values_bound_a_median_at_95_per_cent(n: int, finite: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Of five values all lie on one side of it with a chance above 5 %."""
    assert (median_interval([1.0] * n) == (1.0, 1.0)) is finite


@pytest.mark.parametrize("values", [[], [float("nan")]])
def test_no_values_are_refused(values: list[float]) -> None:
    """Nothing has no median."""
    with pytest.raises(UsageError, match="values"):
        median_interval(values)
