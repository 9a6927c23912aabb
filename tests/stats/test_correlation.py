"""ICC, design effect, effective n, clustered errors and serial correlation: oracle numbers and definitions."""

from itertools import product
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import clustered_se, design_effect, effective_n, icc, serial_correlation
from passhat.stats.arrays import Array

# The outcomes 1111, 1110, 0001 and 0000 of four tasks.
N, C = np.array([4, 4, 4, 4]), np.array([4, 3, 1, 0])


@st.composite
def suites(draw: st.DrawFn) -> tuple[Array, Array]:
    """Trials and passes of tasks that differ in both, with both outcomes and a task of two trials or more."""
    n = draw(st.lists(st.integers(1, 9), min_size=2, max_size=8).filter(lambda sizes: max(sizes) > 1))
    c = [draw(st.integers(0, size)) for size in n]
    if sum(c) in {0, sum(n)}:
        n, c = [*n, 2], [*c, 1]
    return np.array(n), np.array(c)


def expanded(n: Array, c: Array) -> list[list[int]]:
    """The outcomes behind the counts."""
    return [[1] * passes + [0] * (trials - passes) for trials, passes in zip(n.tolist(), c.tolist(), strict=True)]


def test_icc_gives_the_known_number() -> None:
    """Between .8333 and within .125 with four trials a task: .586207."""
    assert icc(N, C) == pytest.approx(0.586207, abs=1e-6)


@given(suites())
def test_icc_is_the_analysis_of_variance(suite: tuple[Array, Array]) -> None:
    """It is (MSB - MSW)/(MSB + (n0-1)·MSW) of the outcomes themselves, with n0 for unequal n."""
    tasks = expanded(*suite)
    whole = [outcome for task in tasks for outcome in task]
    grand, count, total = mean(whole), len(tasks), len(whole)
    between = sum(len(task) * (mean(task) - grand) ** 2 for task in tasks) / (count - 1)
    within = sum((outcome - mean(task)) ** 2 for task in tasks for outcome in task) / (total - count)
    size = (total - sum(len(task) ** 2 for task in tasks) / total) / (count - 1)

    assert icc(*suite) == pytest.approx((between - within) / (between + (size - 1) * within), abs=1e-12)


def test_icc_is_1_where_the_task_decides_and_below_0_where_tasks_are_more_alike_than_chance() -> None:
    """Tasks that pass always or never have an ICC of 1; equal mixed tasks have less than 0, and it is not cut off."""
    assert icc(np.array([4, 4, 4]), np.array([4, 0, 4])) == pytest.approx(1)
    assert icc(np.array([4, 4]), np.array([2, 2])) == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("n", "c", "says"),
    [
        ([4, 4], [4, 4], "needs outcomes that differ"),
        ([4, 4], [0, 0], "needs outcomes that differ"),
        ([1, 1], [1, 0], "needs a task with two trials or more"),
        ([4], [2], "one number a task and 2 or more, not 1"),
        ([4, 4], [5, 0], "c, the passes, is a whole number from 0 to n"),
        ([4, 0], [4, 0], "n, the trials, is a whole number from 1"),
    ],
)
def test_counts_that_tell_no_icc_are_refused(n: list[int], c: list[int], says: str) -> None:
    """Without variance, repetition or two tasks there is no ICC, and no effective n."""
    for statistic in (icc, effective_n):
        with pytest.raises(UsageError, match=says):
            statistic(np.array(n), np.array(c))


def test_design_effect_gives_the_known_number() -> None:
    """Ten trials a task with an ICC of .3 multiply the variance by 3.7 and the error by 1.923538."""
    assert design_effect(10, 0.3) == pytest.approx(3.7)
    assert np.sqrt(design_effect(10, 0.3)) == pytest.approx(1.923538, abs=1e-6)


@given(st.integers(1, 1000), st.floats(-1, 1))
def test_design_effect_is_1_or_more(trials: int, share: float) -> None:
    """A negative ICC buys nothing; one trial a task costs nothing; with an ICC of 1 only tasks count."""
    assert 1 <= design_effect(trials, share) <= trials
    assert design_effect(1, share) == 1
    assert design_effect(trials, 1) == trials


def test_design_effect_takes_arrays() -> None:
    """An array in is an array out."""
    assert design_effect(np.array([1, 10]), np.array([0.3, 0.3])).tolist() == pytest.approx([1, 3.7])


@pytest.mark.parametrize(
    ("trials", "share", "says"),
    [
        (0, 0.3, "trials is a number from 1"),
        (float("inf"), 0.3, "trials is a number from 1"),
        (10, 1.1, "icc is from -1 to 1"),
        (10, float("nan"), "icc is from -1 to 1"),
    ],
)
def test_design_out_of_range_is_refused(trials: float, share: float, says: str) -> None:
    """No trials, or a correlation beyond 1, are a usage error that names the range."""
    with pytest.raises(UsageError, match=says):
        design_effect(trials, share)


def test_effective_n_divides_by_the_design_effect() -> None:
    """Sixteen trials at an ICC of .586 with four a task are worth 5.8."""
    assert effective_n(N, C) == pytest.approx(16 / design_effect(4, icc(N, C)))


def test_effective_n_is_the_number_of_tasks_where_the_task_decides() -> None:
    """Where each task passes always or never, its other trials say nothing."""
    assert effective_n(np.array([5, 5, 5]), np.array([5, 0, 5])) == pytest.approx(3)


@given(suites())
def test_effective_n_is_never_more_than_the_trials(suite: tuple[Array, Array]) -> None:
    """Correlation within tasks takes trials away, and never adds any."""
    n, c = suite

    assert 0 < effective_n(n, c) <= n.sum() * (1 + 1e-12)


def test_clustered_errors_give_the_known_numbers() -> None:
    """As if independent .125; by clusters (CR0) .197642; of the task means .228218."""
    errors = clustered_se(N, C)

    assert (errors.naive, errors.clustered, errors.task_means) == pytest.approx((0.125, 0.197642, 0.228218), abs=1e-6)


@given(suites())
def test_clustered_error_adds_the_products_within_tasks(suite: tuple[Array, Array]) -> None:
    """It is the root of the sum over all pairs of trials of one task, as Miller writes it."""
    tasks = expanded(*suite)
    whole = [outcome for task in tasks for outcome in task]
    rate = mean(whole)
    pairs = sum((x - rate) * (y - rate) for task in tasks for x, y in product(task, task))

    assert clustered_se(*suite).clustered == pytest.approx(max(0.0, pairs) ** 0.5 / len(whole), abs=1e-7)


def test_one_trial_a_task_makes_clusters_of_one() -> None:
    """With one trial a task the clustered error is the naive one."""
    errors = clustered_se(np.ones(10), np.array([1, 0, 1, 1, 1, 0, 1, 1, 1, 1]))

    assert errors.clustered == pytest.approx(errors.naive)


@pytest.mark.parametrize(("n", "c"), [(4, 2), (5, 1), (6, 3), (7, 6)])
def test_serial_correlation_is_0_on_average_over_orders(n: int, c: int) -> None:
    """Where order is chance it is right on average, exactly, and never beyond 1."""
    orders = [order for order in product([0, 1], repeat=n) if sum(order) == c]

    found = [serial_correlation([order]) for order in orders]

    assert mean(found) == pytest.approx(0, abs=1e-12)
    assert -1 <= min(found) <= max(found) <= 1


def test_serial_correlation_tells_runs_from_changes() -> None:
    """Passes in runs are above 0, outcomes that change each time below; tasks of one outcome alone add nothing."""
    assert serial_correlation([[1] * 10 + [0] * 10, [1, 1, 1]]) > 0.8
    assert serial_correlation([[1, 0] * 10, [0, 0]]) < -0.9


def test_serial_correlation_finds_the_memory_of_a_chain() -> None:
    """Of 200 tasks whose outcome is kept with .75 and changed else, the correlation of .5 is found."""
    dice = np.random.default_rng(5)
    changes = dice.random((200, 100)) < 0.25
    outcomes = np.cumsum(changes, axis=1) % 2

    assert serial_correlation(outcomes) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("given_as", [[[1, 1], [0, 0]], [[1]]])
def test_serial_correlation_needs_a_mixed_task(given_as: list[list[int]]) -> None:
    """Without a task that both passed and failed nothing can be said."""
    with pytest.raises(UsageError, match="needs a task with both a pass and a failure"):
        serial_correlation(given_as)


@pytest.mark.parametrize(
    ("given_as", "says"),
    [
        ([], "one task or more"),
        (None, "a list with one list of outcomes a task"),
        ("PF", "a list with one list of outcomes a task"),
        ([[]], "at least one"),
        ([True, False], "a list of True and False"),
        (np.array(1), "a list with one list of outcomes a task"),
    ],
)
def test_other_outcomes_are_refused(given_as: list[list[int]], says: str) -> None:
    """What is no list of lists of outcomes is a usage error."""
    with pytest.raises(UsageError, match=says):
        serial_correlation(given_as)
