"""Horizons: the literature's figures over the length of tasks, the k at which pass^k gives way, half-lives."""

from math import inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    duration_bucket,
    gds,
    half_life_rate,
    half_life_time,
    horizon_k_at_rate,
    horizon_slope,
    pass_hat_k,
    rdc_by_horizon,
    reliability_horizon_k,
    vaf,
)

RATES = st.floats(0, 1)


def counts(most: int = 30) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Trials and passes of a few tasks."""
    task = st.integers(1, most).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
    return st.lists(task, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("minutes", "bucket"), [(0, 0), (4.9, 0), (5, 0), (5.1, 1), (30, 1), (31, 2), (120, 2), (121, 3), (1e6, 3)]
)
def test_a_duration_falls_into_one_bucket(minutes: float, bucket: int) -> None:
    """The four buckets meet without a gap, and an edge belongs to the shorter side."""
    assert duration_bucket([minutes]).tolist() == [bucket]


def test_each_bucket_has_the_mean_of_its_own_tasks() -> None:
    """A bucket's figure is the mean of its tasks' pass^k, whatever the order in which tasks are listed."""
    n, c = np.array([4, 4, 4, 9]), np.array([1, 3, 4, 7])

    curve = rdc_by_horizon(n, c, [1, 0, 0, 1], 2)

    assert curve.tolist() == pytest.approx([0.75, pass_hat_k(9, 7, 2) / 2])


def test_bucket_without_tasks_is_refused() -> None:
    """A gap between buckets would move every later one a step closer, so that a slope over them would lie."""
    with pytest.raises(UsageError, match="counted 0, 1, 2"):
        rdc_by_horizon(np.array([4, 4]), np.array([4, 4]), [0, 2], 1)


@pytest.mark.parametrize("bucket", [[0.5, 0], [-1, 0], [nan, 0], [0], [[0, 0]]])
def test_buckets_that_are_none_are_refused(bucket: list[float]) -> None:
    """A bucket is an index, one a task."""
    with pytest.raises(UsageError):
        rdc_by_horizon(np.array([4, 4]), np.array([4, 4]), bucket, 1)


@given(st.floats(-5, 5), st.floats(-5, 5), st.integers(2, 9))
def test_slope_of_a_line_is_its_slope(start: float, slope: float, size: int) -> None:
    """On a straight line the least squares slope is the line's own."""
    assert horizon_slope([start + slope * b for b in range(size)]) == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, nan], ["a", "b"]])
def test_slope_takes_two_finite_values(values: list[float]) -> None:
    """One point has no slope, and neither has what is no number."""
    with pytest.raises(UsageError):
        horizon_slope(values)


def test_vaf_without_spread_among_short_tasks_is_infinite() -> None:
    """Rounding must not hide a spread of zero: three rates of .1 have a mean that is not quite .1."""
    assert vaf([0.0, 1.0], [0.1, 0.1, 0.1]) == inf


def test_vaf_without_any_spread_is_not_known() -> None:
    """Zero by zero says nothing, and no number stands in for it."""
    assert vaf([0.3, 0.3], [0.7, 0.7, 0.7]) is None


def test_vaf_by_all_there_is() -> None:
    """With ddof=0 groups of unlike size are compared over T and not over T-1."""
    assert vaf([0.0, 1.0], [0.0, 1.0, 0.5], ddof=0) == pytest.approx(1.5)
    assert vaf([0.0, 1.0], [0.0, 1.0, 0.5]) == pytest.approx(2)


@given(st.lists(RATES, min_size=2, max_size=9))
def test_vaf_of_a_group_and_itself_is_one(rates: list[float]) -> None:
    """A group varies as much as it does itself."""
    factor = vaf(rates, rates)

    assert factor is None or factor == pytest.approx(1, nan_ok=False)


@pytest.mark.parametrize(("long", "short"), [([0.5], [0.1, 0.2]), ([0.1, 0.2], []), ([0.1, 1.2], [0.1, 0.2])])
def test_vaf_refuses_what_has_no_variance(long: list[float], short: list[float]) -> None:
    """One task has no variance across tasks, and a rate is from 0 to 1."""
    with pytest.raises(UsageError):
        vaf(long, short)


@given(st.lists(st.tuples(st.booleans(), st.floats(0.01, 10)), min_size=1, max_size=8), st.floats(0.1, 10))
def test_gds_does_not_depend_on_the_unit_of_weights(subtasks: list[tuple[bool, float]], unit: float) -> None:
    """Weights are shares: in another unit they give the same score, and it is from 0 to 1."""
    passed, weights = [done for done, _ in subtasks], [weight for _, weight in subtasks]

    score = gds(passed, weights)

    assert 0 <= score <= 1 + 1e-12
    assert gds(passed, [weight * unit for weight in weights]) == pytest.approx(score)


@pytest.mark.parametrize(
    ("passed", "weights", "says"),
    [
        ([], None, "passed is one row of 1 or more"),
        ([0.5], None, "passed is true or false"),
        ([1, 0], [1], "equally long, not 2 in passed, 1 in weights"),
        ([1, 0], [2, -1], "weights are from 0, not weights=-1"),
        ([1, 0], [0, 0], "weights are not all 0"),
    ],
)
def test_gds_refuses_bad_subtasks(passed: list[float], weights: list[float] | None, says: str) -> None:
    """No subtasks, half-passed ones, weights below 0 or of another length: each is said."""
    with pytest.raises(UsageError, match=says):
        gds(passed, weights)


@given(counts(), st.floats(0.01, 1))
def test_horizon_is_the_largest_k_that_reaches_the_target(tasks: list[tuple[int, int]], target: float) -> None:
    """pass^k of the suite is at the target at the horizon, and below it one k later."""
    n, c = np.array(tasks).T
    most = int(n.min())
    curve = [pass_hat_k(n, c, k).mean() for k in range(1, most + 1)]

    horizon = reliability_horizon_k(n, c, target)

    assert horizon is None or curve[horizon - 1] >= target - 1e-9
    assert (horizon or 0) == most or curve[horizon or 0] < target


def test_target_that_is_met_to_the_digit_is_met() -> None:
    """A mean of three rates of .9 is .9, whatever the last bit says."""
    assert reliability_horizon_k(np.full(3, 10), np.full(3, 9), 0.9) == 1


def test_suite_without_a_failure_reaches_every_k() -> None:
    """Where nothing failed the horizon is all that was seen, for a target of 1 as well."""
    assert reliability_horizon_k(np.array([8, 5]), np.array([8, 5]), 1) == 5


def test_suite_below_the_target_has_no_horizon() -> None:
    """Where one trial already falls short there is no k, and not a k of 0."""
    assert reliability_horizon_k(np.array([10]), np.array([5]), 0.8) is None


@given(st.floats(0.01, 0.99), st.floats(0.01, 1))
def test_closed_horizon_solves_its_equation(p: float, target: float) -> None:
    """P to the power of the horizon is the target."""
    assert p ** horizon_k_at_rate(p, target) == pytest.approx(target)


def test_closed_horizon_at_the_ends() -> None:
    """Who never fails has no horizon, and who never passes has none to lose."""
    assert horizon_k_at_rate(np.array([0, 0.5, 1]), 0.25).tolist() == [0, 2, inf]


@given(st.floats(0, 1e4), st.floats(0.1, 1e4))
def test_half_life_is_a_constant_hazard(time: float, half: float) -> None:
    """Twice the time is the rate squared, and the half-life itself is done at one half."""
    assert half_life_rate(2 * time, half) == pytest.approx(half_life_rate(time, half) ** 2, abs=1e-12)
    assert half_life_rate(half, half) == 0.5


@given(st.floats(0.001, 1), st.floats(0.1, 1e4))
def test_half_life_time_inverts_the_rate(rate: float, half: float) -> None:
    """The length that is done at a rate is done at that rate."""
    length = half_life_time(rate, half)

    assert length == pytest.approx(-half * log(rate) / log(2), abs=1e-9)
    assert half_life_rate(length, half) == pytest.approx(rate)


@pytest.mark.parametrize("target", [0, -0.1, 1.1, nan])
def test_targets_out_of_range_are_refused(target: float) -> None:
    """A target is above 0 and at most 1."""
    with pytest.raises(UsageError, match="target is above 0 and at most 1"):
        reliability_horizon_k(np.array([5]), np.array([5]), target)
    with pytest.raises(UsageError, match="target is above 0 and at most 1"):
        horizon_k_at_rate(0.5, target)


def test_what_is_out_of_range_is_refused() -> None:
    """Rates, durations and half-lives say their range."""
    with pytest.raises(UsageError, match="p is from 0 to 1"):
        horizon_k_at_rate(1.5, 0.5)
    with pytest.raises(UsageError, match="half_life is above 0"):
        half_life_rate(1.0, 0)
    with pytest.raises(UsageError, match="time is from 0"):
        half_life_rate(-1.0, 5)
    with pytest.raises(UsageError, match="rate is above 0"):
        half_life_time(0.0, 5)
    with pytest.raises(UsageError, match="a duration, is from 0"):
        duration_bucket([-1])
    with pytest.raises(UsageError, match="edges rise"):
        duration_bucket([1], [5, 5])
    with pytest.raises(UsageError, match="one number a task and 1 or more"):
        reliability_horizon_k(np.array([]), np.array([]), 0.5)
