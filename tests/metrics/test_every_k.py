"""pass@K and pass^K of a run: what is estimated, from what, and what is said where nothing can be."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat import metrics
from passhat.metrics import measure
from passhat.model.summary import Estimate, Row, Speaks, Summary
from passhat.stats import clopper_pearson, pass_at_k_interval, pass_hat_k, pass_hat_k_interval, suite_interval
from tests.metrics.runs import CLEAN, FAULT, run_of, strip


def suite(summary: Summary, metric: str, condition: str = CLEAN) -> Estimate:
    """The suite's estimate."""
    return estimate(summary.suite_row(condition), metric)


def estimate(row: Row | None, metric: str) -> Estimate:
    """The estimate, which has to be there."""
    assert row is not None
    found = row.get(metric)
    assert found is not None
    return found


def of_these(row: Row) -> list[Estimate]:
    """The estimates of one question: those that speak of these tasks, or of this one."""
    return [one for one in row.estimates if one.speaks_of is not Speaks.TASKS_LIKE_THESE]


def test_suite_is_the_mean_over_tasks() -> None:
    """Four tasks with 4, 3, 1 and 0 of 4: pass^2 is the mean of 1, .5, 0 and 0."""
    summary = measure(run_of({CLEAN: [strip(4, 0), strip(3, 1), strip(1, 3), strip(0, 4)]}), k=2)

    assert suite(summary, "pass^2").value == pytest.approx(0.375)
    assert suite(summary, "pass^1").value == pytest.approx(0.5)
    assert suite(summary, "pass@2").value == pytest.approx((1 + 1 + 0.5 + 0) / 4)


def test_trials_are_never_pooled() -> None:
    """A task with many trials weighs as much as one with few: 90 of 90 and 0 of 10 make .5."""
    summary = measure(run_of({CLEAN: [strip(90, 0), strip(0, 10)]}))

    assert suite(summary, "pass^1").value == 0.5


def test_suite_has_every_k_of_the_poorest_task() -> None:
    """The suite has each k up to the fewest valid trials, and the run's own k even where that is more."""
    summary = measure(run_of({CLEAN: [strip(10, 0), strip(3, 0)]}))
    row = summary.suite_row(CLEAN)

    assert row is not None
    assert [one.k for one in of_these(row) if one.metric.startswith("pass^")] == [1, 2, 3, 5]


def test_suite_has_a_hundred_ks_at_most() -> None:
    """A run of very many trials is shown at 100 k's, and at the one that was asked for."""
    summary = measure(run_of({CLEAN: [strip(299, 1), strip(300, 0)]}), k=200)
    row = summary.suite_row(CLEAN)

    assert row is not None
    assert [one.k for one in of_these(row) if one.metric.startswith("pass^")] == [*range(1, 101), 200]
    assert estimate(row, "pass^200").value == pytest.approx((100 / 300 + 1) / 2)


def test_suite_says_what_it_stands_on() -> None:
    """A suite's estimate carries its counts, blocks, interval, method and what it speaks of."""
    run = run_of({CLEAN: [strip(8, 2)] * 20})
    found, gate = (suite(measure(run, interval=method), "pass^5") for method in (None, "gate"))

    assert (found.n, found.c, found.k, found.tasks, found.blocks) == (200, 160, 5, 20, 40)
    assert found.value == pytest.approx(0.222222, abs=1e-6)
    assert (found.low, found.high) == suite_interval(np.full(20, 10), np.full(20, 8), k=5, method="display")
    assert (gate.low, gate.high) == pytest.approx(clopper_pearson(40 * 0.2222222, 40), abs=1e-6)
    assert found.speaks_of is Speaks.THESE_TASKS
    assert found.method == "unbiased, mean over tasks; Clopper-Pearson on effective trials"
    assert gate.method == "unbiased, mean over tasks; Clopper-Pearson on blocks"
    assert found.level == 0.95


def test_task_says_what_it_stands_on() -> None:
    """A task's estimate carries its counts, the interval of its own rate, and that it speaks of this task."""
    row = measure(run_of({CLEAN: [strip(8, 2)]}), k=3).task_rows(CLEAN)[0]
    hat, at = estimate(row, "pass^3"), estimate(row, "pass@3")

    assert (hat.n, hat.c, hat.k, hat.tasks, hat.blocks) == (10, 8, 3, 1, 3)
    assert hat.value == pytest.approx(0.466667, abs=1e-6)
    assert (hat.low, hat.high) == pass_hat_k_interval(10, 8, 3)
    assert (at.low, at.high) == pass_at_k_interval(10, 8, 3)
    assert hat.speaks_of is Speaks.THIS_TASK


def test_task_is_shown_at_one_and_at_the_own_k() -> None:
    """A task's row has k = 1 and the run's own k, and no more."""
    kinds = [metrics.pass_at_k(), metrics.pass_hat_k()]
    row = measure(run_of({CLEAN: [strip(8, 2)]}), metrics=kinds).task_rows(CLEAN)[0]

    assert [one.metric for one in row.estimates] == ["pass@1", "pass@5", "pass^1", "pass^5"]


def test_level_is_the_intervals() -> None:
    """A lower level gives narrower intervals, and stands beside them."""
    found = estimate(measure(run_of({CLEAN: [strip(8, 2)]}), confidence=0.8).task_rows(CLEAN)[0], "pass^1")

    assert found.level == 0.8
    assert (found.low, found.high) == clopper_pearson(8, 10, confidence=0.8)


def test_suite_without_enough_trials_has_no_value() -> None:
    """Where one task has fewer than k valid trials the suite has no pass^k, and the reason names it."""
    found = suite(measure(run_of({CLEAN: [strip(10, 0), strip(3, 0)]})), "pass^5")

    assert (found.value, found.low, found.high, found.blocks, found.method) == (None, None, None, 0, "")
    assert found.reason == "pass^5 needs 5 valid trials of each task, and 'task-1' has 3"


def test_task_without_enough_trials_has_no_value() -> None:
    """The same for a task by itself, while the others have theirs."""
    rows = measure(run_of({CLEAN: [strip(10, 0), strip(3, 0)]})).task_rows(CLEAN)

    assert estimate(rows[0], "pass^5").value == 1
    assert estimate(rows[1], "pass^5").value is None
    assert estimate(rows[1], "pass^5").reason == "pass^5 needs 5 valid trials, and 'task-1' has 3"
    assert estimate(rows[1], "pass^1").value == 1


def test_task_without_trials_has_no_value() -> None:
    """No trial, no number: neither 0 nor 1."""
    summary = measure(run_of({CLEAN: [strip(2, 0), ""]}))

    assert suite(summary, "pass^1").value is None
    assert suite(summary, "pass^1").reason == "pass^1 needs 1 valid trial of each task, and 'task-1' has 0"
    assert estimate(summary.task_rows(CLEAN)[1], "pass@1").value is None


def test_void_trials_are_not_in_n() -> None:
    """Void trials count neither as passed nor as failed."""
    found = suite(measure(run_of({CLEAN: [strip(6, 2, void=2)]})), "pass^1")

    assert (found.n, found.c, found.value) == (8, 6, 0.75)


def test_void_trials_bound_the_suite() -> None:
    """Where trials are void, the values if all of them had failed and if all had passed stand beside."""
    found = suite(measure(run_of({CLEAN: [strip(6, 2, void=2), strip(10, 0)]})), "pass^5")

    assert found.if_voids_failed == pytest.approx((pass_hat_k(10, 6, 5) + 1) / 2)
    assert found.if_voids_passed == pytest.approx((pass_hat_k(10, 8, 5) + 1) / 2)


def test_void_trials_bound_their_task_alone() -> None:
    """A task with void trials carries the bounds; the others need none."""
    rows = measure(run_of({CLEAN: [strip(6, 2, void=2), strip(10, 0)]})).task_rows(CLEAN)

    bounded, whole = (estimate(row, "pass@1") for row in rows)
    assert (bounded.if_voids_failed, bounded.if_voids_passed) == (0.6, 0.8)
    assert (whole.if_voids_failed, whole.if_voids_passed) == (None, None)


def test_bounds_stand_even_where_there_is_no_value() -> None:
    """Where only the void trials are missing for k, what they could have made of it is said."""
    found = suite(measure(run_of({CLEAN: [strip(4, 0, void=6)]})), "pass^5")

    assert found.value is None
    assert (found.if_voids_failed, found.if_voids_passed) == (0, 1)


def test_crash_and_timeout_are_the_agents() -> None:
    """A crash and a timeout are in n, and not passed."""
    assert suite(measure(run_of({CLEAN: ["PPET"]})), "pass^1").value == 0.5


def test_conditions_are_apart() -> None:
    """Each condition is estimated from its own trials."""
    summary = measure(run_of({CLEAN: [strip(4, 0)], FAULT: [strip(1, 3)]}, exposed={FAULT: 4}))

    assert suite(summary, "pass^1").value == 1
    assert suite(summary, "pass^1", FAULT).value == 0.25


@st.composite
def strips(draw: st.DrawFn) -> list[str]:
    """What the tasks of one condition may look like."""
    one = st.text(alphabet="PFETV", max_size=12)
    return draw(st.lists(one, min_size=1, max_size=5))


@given(strips())
def test_honesty_law(tasks: list[str]) -> None:
    """Every estimate has a value inside its interval in [0, 1], or none of the three and a reason."""
    kinds = [metrics.pass_at_k(), metrics.pass_hat_k(), metrics.outcomes(), metrics.observed()]
    for row in measure(run_of({CLEAN: tasks}, trials=12), metrics=kinds).rows:
        for one in row.estimates:
            if one.value is None:
                assert (one.low, one.high) == (None, None)
                assert one.reason
            else:
                assert one.low is not None
                assert one.high is not None
                assert 0 <= one.low <= one.value + 1e-12
                assert one.value - 1e-12 <= one.high <= 1
                assert one.method


@given(strips())
def test_order_law(tasks: list[str]) -> None:
    """In every row pass^k falls with k, pass@k rises, and they meet at k = 1."""
    for row in measure(run_of({CLEAN: tasks}, trials=12)).rows:
        hat = [one.value for one in of_these(row) if one.metric.startswith("pass^") and one.value is not None]
        at = [one.value for one in of_these(row) if one.metric.startswith("pass@") and one.value is not None]

        assert hat[:1] == at[:1]
        assert all(a >= b for a, b in pairwise(hat))
        assert all(a <= b + 1e-12 for a, b in pairwise(at))


@given(strips())
def test_trials_are_exchangeable(tasks: list[str]) -> None:
    """The order of a task's trials changes neither pass^k nor pass@k."""
    runs = [run_of({CLEAN: order}, trials=12) for order in (tasks, [strip[::-1] for strip in tasks])]
    forwards, backwards = (measure(run, metrics=[metrics.pass_at_k(), metrics.pass_hat_k()]) for run in runs)

    assert forwards.rows == backwards.rows
