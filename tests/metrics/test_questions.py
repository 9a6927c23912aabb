"""How a run is read: which question the intervals answer, what void trials count as, which kind of interval it is."""

import numpy as np
import pytest

from passhat.errors import UsageError
from passhat.metrics import How, measure
from passhat.model.summary import Estimate, Speaks, Summary, Voids
from passhat.stats import interval, suite_interval
from tests.metrics.runs import CLEAN, FAULT, run_of, strip

SOME_VOID = run_of({CLEAN: [strip(8, 2), strip(6, 2, void=2)]})


def suite(summary: Summary, metric: str, speaks_of: Speaks | None = None) -> Estimate:
    """The suite's estimate, which has to be there."""
    row = summary.suite_row(CLEAN)
    found = row.get(metric, speaks_of) if row else None
    assert found is not None
    return found


@pytest.mark.parametrize("metric", ["pass^1", "pass^5", "pass@5"])
def test_both_questions_are_answered(metric: str) -> None:
    """A suite's number has two intervals: the one for tasks like these is no narrower, and says what it is."""
    summary = measure(run_of({CLEAN: [strip(10, 0), strip(9, 1), strip(5, 5)] * 5}))
    these, like = suite(summary, metric, Speaks.THESE_TASKS), suite(summary, metric, Speaks.TASKS_LIKE_THESE)

    assert these.value == like.value
    assert these.low is not None
    assert these.high is not None
    assert like.low is not None
    assert like.high is not None
    assert like.high - like.low >= these.high - these.low
    assert like.method == "unbiased, mean over tasks; Korn-Graubard, smoothed"


def test_question_that_was_asked_stands_first() -> None:
    """Who asks for tasks like these is shown their interval, and the summary says so."""
    run = run_of({CLEAN: [strip(10, 0), strip(7, 3)]})
    asked, usual = measure(run, tasks="like-these"), measure(run)

    assert (asked.speaks_of, usual.speaks_of) == (Speaks.TASKS_LIKE_THESE, Speaks.THESE_TASKS)
    assert suite(asked, "pass^5") == suite(usual, "pass^5", Speaks.TASKS_LIKE_THESE)
    assert suite(usual, "pass^5") == suite(asked, "pass^5", Speaks.THESE_TASKS)


def test_suite_of_one_task_says_nothing_of_others_like_it() -> None:
    """One task shows nothing of how tasks differ: its interval for tasks like it is all there is."""
    found = suite(measure(run_of({CLEAN: [strip(10, 0)]})), "pass^1", Speaks.TASKS_LIKE_THESE)

    assert found.low is not None
    assert found.low < 0.1
    assert found.high == 1


def test_voids_are_left_out_unless_they_are_to_fail() -> None:
    """Void trials count for nothing, or as failures where that is asked; the other number stands beside."""
    excluded, failed = measure(SOME_VOID), measure(SOME_VOID, voids="fail")
    left_out, counted = suite(excluded, "pass^1"), suite(failed, "pass^1")

    assert (left_out.n, counted.n) == (18, 20)
    assert (left_out.value, left_out.if_voids_failed) == pytest.approx((0.775, 0.7))
    assert (counted.value, counted.if_voids_excluded) == pytest.approx((0.7, 0.775))
    assert left_out.if_voids_excluded is None
    assert (excluded.voids, failed.voids) == (Voids.EXCLUDE, Voids.FAIL)


def test_voids_as_failures_are_failures_everywhere() -> None:
    """The interval, the tasks and the shares follow: they add up to 1."""
    summary = measure(SOME_VOID, voids="fail")
    shares = [suite(summary, name).value for name in ("pass^1", "fail_share", "crash_share", "timeout_share")]
    task = summary.task_rows(CLEAN)[1].get("pass^1")

    assert sum(share for share in shares if share is not None) == pytest.approx(1)
    assert suite(summary, "pass^1").low == suite_interval(np.array([10, 10]), np.array([8, 6]), method="display")[0]
    assert task is not None
    assert (task.value, task.n, task.if_voids_excluded) == (0.6, 10, 0.75)


def test_voids_as_failures_give_a_value_where_there_was_none() -> None:
    """A task of nothing but void trials has no rate; counted as failures it has 0."""
    run = run_of({CLEAN: [strip(5, 0), "VVVVV"]})

    assert suite(measure(run), "pass^1").value is None
    assert suite(measure(run, voids="fail"), "pass^1").value == 0.5


@pytest.mark.parametrize("method", ["wilson", "wilson-cc", "jeffreys", "uniform", "wald"])
def test_kind_of_interval_can_be_asked_for(method: str) -> None:
    """A task's interval is of the kind that was asked for, and says that it is approximate; the suite keeps its own."""
    summary = measure(run_of({CLEAN: [strip(8, 2)] * 3}), interval=method)
    task = summary.task_rows(CLEAN)[0].get("pass^1")

    assert task is not None
    assert (task.low, task.high) == interval(8, 10, method=method)
    assert task.approximate
    assert "(approximate)" in task.method
    assert not suite(summary, "pass^1").approximate


@pytest.mark.parametrize(("method", "tasks"), [("z", "these"), ("t", "like-these"), ("bootstrap", "like-these")])
def test_kind_of_interval_of_a_suite_can_be_asked_for(method: str, tasks: str) -> None:
    """The same for a suite's mean, for the question that the kind answers."""
    found = suite(measure(run_of({CLEAN: [strip(8, 2), strip(6, 4)] * 3}), interval=method, tasks=tasks), "pass^2")

    low, high = suite_interval(np.full(6, 10), np.array([8, 6] * 3), k=2, tasks=tasks, method=method)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.approximate


def test_exact_interval_is_not_called_approximate() -> None:
    """The usual intervals, and the others that cover as they say, carry no warning."""
    summary = measure(run_of({CLEAN: [strip(8, 2)] * 3}), interval="confidence-sequence")

    assert [one for row in summary.rows for one in row.estimates if one.approximate] == []


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"tasks": "those"}, "tasks: the numbers speak of 'these' or 'like-these' tasks, not 'those'"),
        ({"voids": "pass"}, "voids: void trials are counted as 'exclude' or 'fail', not 'pass'"),
        ({"interval": "wilsn"}, "there is no interval called 'wilsn': did you mean wilson"),
        ({"asked": ["pass^"]}, "there is no metric called 'pass^'"),
    ],
)
def test_wrong_wish_is_refused(how: How, sentence: str) -> None:
    """What there is not is a usage error, with what there is."""
    with pytest.raises(UsageError) as refused:
        measure(run_of({CLEAN: ["PP"], FAULT: ["PF"]}), **how)

    assert str(refused.value).startswith(sentence)
