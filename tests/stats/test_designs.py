"""Spending runs: tasks against trials, arms on the same tasks, margins; the published numbers and simple laws."""

from math import inf, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    best_split,
    non_inferior_runs,
    paired_detectable_drop,
    paired_tasks,
    split_error,
    splits,
    trials_for,
)


@pytest.mark.parametrize(("tasks", "trials", "error"), [(20, 10, 0.064), (100, 2, 0.034)])
def test_tasks_before_trials(tasks: int, trials: int, error: float) -> None:
    """Two hundred runs at a correlation of .45: a hundred tasks leave half as much to chance as twenty."""
    assert round(split_error(tasks, trials, icc=0.45, rate=0.8), 3) == error
    assert (tasks, trials) in [(one.tasks, one.trials) for one in splits(200, 0.45, rate=0.8)]


@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.0, 1.5, 7.0]), st.sampled_from([1, 3, 20, inf]))
def test_best_split_is_the_best_of_all(runs: int, icc: float, task_cost: float, most: float) -> None:
    """No number of tasks and trials that the budget pays for has a smaller error."""
    budget = runs + task_cost
    best = best_split(budget, icc, rate=0.8, cost_per_task=task_cost, most_tasks=most)

    every = [
        split_error(tasks, trials, icc=icc, rate=0.8)
        for tasks in range(1, min(runs + 1, int(min(most, 400))) + 1)
        for trials in range(1, runs + 1)
        if tasks * (task_cost + trials) <= budget + 1e-9
    ]

    assert isclose(best.se, min(every), rel_tol=1e-9)
    assert best.cost <= budget + 1e-9


def test_free_tasks_are_taken_first() -> None:
    """Where tasks cost nothing, the best is one trial of each of as many as there are."""
    assert (best_split(200, 0.45, rate=0.8).tasks, best_split(200, 0.45, rate=0.8).trials) == (200, 1)
    assert best_split(200, 0.45, rate=0.8, most_tasks=20).runs == 200


@given(st.integers(1, 500), st.floats(0.5, 400), st.floats(0, 1))
def test_trials_are_worth_what_was_asked(tasks: int, runs: float, icc: float) -> None:
    """So many trials of each task are worth the independent runs; one less is not; and none is where none can be."""

    def worth(trials: int) -> float:
        return tasks * trials / (1 + (trials - 1) * icc)

    trials = trials_for(tasks, runs, icc)

    if trials is None:
        assert worth(10**9) <= runs * (1 + 1e-6)
    else:
        assert worth(trials) >= runs * (1 - 1e-9)
        assert trials == 1 or worth(trials - 1) < runs * (1 + 1e-9)


def test_millers_examples() -> None:
    """969 tasks for three points; 500 tasks see 4.2; 198 tasks see 13.3 with one trial and 7.6 with ten."""
    third = 1 / 9
    assert paired_tasks(0.03, task_variance=third, two_sided=True) == 969
    assert paired_detectable_drop(500, task_variance=third, two_sided=True) == pytest.approx(0.041764, abs=1e-6)
    one = paired_detectable_drop(198, task_variance=third, trial_variance=1 / 6, two_sided=True)
    ten = paired_detectable_drop(198, task_variance=third, trial_variance=1 / 6, trials=10, two_sided=True)
    assert (round(one, 4), round(ten, 4)) == (0.1327, 0.0757)


@given(st.floats(0.01, 0.5), st.floats(0.001, 0.25), st.floats(0, 0.25), st.integers(1, 20))
def test_tasks_and_drop_agree(drop: float, between: float, within: float, trials: int) -> None:
    """With that many tasks the drop can be seen, and with one task less it cannot."""
    tasks = paired_tasks(drop, task_variance=between, trial_variance=within, trials=trials)

    def seen(count: int) -> float:
        return paired_detectable_drop(count, task_variance=between, trial_variance=within, trials=trials)

    assert seen(tasks) <= drop * (1 + 1e-9)
    assert tasks == 1 or seen(tasks - 1) > drop * (1 - 1e-9)


def test_margin() -> None:
    """446 runs in each arm show that a candidate at .9 is no more than five points worse than .9."""
    assert non_inferior_runs(0.9, 0.05) == 446


def test_worse_candidate_needs_more() -> None:
    """A candidate that is a point worse has a point less room: by the formula, with its own variance."""
    by_hand = (1.6448536269514722 + 0.8416212335729143) ** 2 * (0.9 * 0.1 + 0.89 * 0.11) / 0.04**2

    assert by_hand <= non_inferior_runs(0.9, 0.05, candidate=0.89) < by_hand + 1


def test_error_without_correlation_is_that_of_single_runs() -> None:
    """At a correlation of 0 only the number of runs counts; at 1 only the number of tasks."""
    assert split_error(20, 10, icc=0, rate=0.8) == pytest.approx(sqrt(0.16 / 200))
    assert split_error(20, 10, icc=1, rate=0.8) == pytest.approx(sqrt(0.16 / 20))


def test_what_is_out_of_range_is_refused() -> None:
    """Bad input is a usage error that names the range."""
    with pytest.raises(UsageError, match=r"budget is from 1, one run, to 1e\+07, not budget=0.5"):
        splits(0.5, 0.4, rate=0.8)
    with pytest.raises(UsageError, match="cost_per_run is above 0"):
        splits(10, 0.4, rate=0.8, cost_per_run=0)
    with pytest.raises(UsageError, match="both 0"):
        paired_tasks(0.05, task_variance=0)
    with pytest.raises(UsageError, match=r"margin is above 0 and below 0.9, not margin=0.9"):
        non_inferior_runs(0.9, 0.9)
    with pytest.raises(UsageError, match=r"a candidate at 0.84 is worse than 0.9 by the margin 0.05, or by more"):
        non_inferior_runs(0.9, 0.05, candidate=0.84)
    with pytest.raises(UsageError, match=r"power is above 0.05 and below 1, not power=0.04"):
        non_inferior_runs(0.9, 0.05, power=0.04)
