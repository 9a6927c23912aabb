"""The shares of outcomes: of what, and with what beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.metrics import measure
from passhat.model.run import Run
from passhat.model.summary import Estimate, Speaks
from passhat.stats import clopper_pearson
from tests.metrics.runs import CLEAN, run_of, strip


def share(run: Run, name: str) -> Estimate:
    """The suite's share."""
    row = measure(run).suite_row(CLEAN)
    assert row is not None
    found = row.get(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [("fail_share", 2 / 8), ("crash_share", 1 / 8), ("timeout_share", 1 / 8), ("void_share", 2 / 10)],
)
def test_shares_are_of_valid_trials_and_voids_of_all(name: str, value: float) -> None:
    """Of PPPPFFET VV a quarter of the valid trials failed, and a fifth of all is void."""
    assert share(run_of({CLEAN: ["PPPPFFETVV"]}), name).value == value


def test_shares_are_means_over_tasks() -> None:
    """A task with many trials weighs as much as one with few."""
    assert share(run_of({CLEAN: [strip(0, 90), strip(10, 0)]}), "fail_share").value == 0.5


def test_void_share_is_of_the_trials() -> None:
    """Void trials are counted over all the tasks together."""
    found = share(run_of({CLEAN: [strip(90, 0), strip(0, 0, void=10)]}), "void_share")

    assert (found.value, found.n) == (0.1, 100)
    assert (found.low, found.high) == clopper_pearson(10, 100)


def test_share_says_what_it_stands_on() -> None:
    """A share carries counts, interval, method and what it speaks of."""
    found = share(run_of({CLEAN: [strip(8, 2), strip(6, 4)]}), "fail_share")

    assert (found.n, found.c, found.tasks, found.blocks) == (20, 14, 2, 20)
    assert (found.low, found.high) == pytest.approx(clopper_pearson(6, 20))
    assert found.speaks_of is Speaks.THESE_TASKS
    assert found.method


def test_share_without_valid_trials_has_no_value() -> None:
    """Where a task has no valid trial its share is unknown, and the reason names it."""
    found = share(run_of({CLEAN: ["PP", "VV"]}), "crash_share")

    assert found.value is None
    assert found.reason == "crash_share needs 1 valid trial of each task, and 'task-1' has 0"


def test_void_share_of_nothing_has_no_value() -> None:
    """Where nothing is stored there is no share of it."""
    found = share(run_of({CLEAN: [""]}), "void_share")

    assert found.value is None
    assert found.reason == "under clean no trial is stored"


def test_void_trials_bound_the_shares() -> None:
    """If the void trials had failed they would be in fail_share, and in no other."""
    run = run_of({CLEAN: ["PPPPFFETVV"]})

    fails, crashes = share(run, "fail_share"), share(run, "crash_share")
    assert (fails.if_voids_failed, fails.if_voids_passed) == (0.4, 0.2)
    assert (crashes.if_voids_failed, crashes.if_voids_passed) == (0.1, 0.1)


@given(st.lists(st.text(alphabet="PFET", min_size=1, max_size=12), min_size=1, max_size=5))
def test_shares_add_up(tasks: list[str]) -> None:
    """pass^1, fail_share, crash_share and timeout_share make 1."""
    run = run_of({CLEAN: tasks})
    values = [share(run, name).value for name in ("pass^1", "fail_share", "crash_share", "timeout_share")]

    assert sum(value for value in values if value is not None) == pytest.approx(1)
