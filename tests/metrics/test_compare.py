"""Two runs held against each other: differences, the notice where the metrics part, and what one seed changes."""

import pytest
from msgspec.structs import replace

from passhat.errors import UsageError
from passhat.metrics import compare, measure
from passhat.model.comparison import Comparison
from passhat.model.run import Run
from passhat.model.summary import Estimate
from passhat.model.task import Task
from passhat.stats import difference_interval
from tests.metrics.runs import CLEAN, FAULT, WORDING, run_of, strip

# Half the tasks always pass and half never do; then all pass now and then.
SPLIT = run_of({CLEAN: [strip(10, 0)] * 10 + [strip(0, 10)] * 10})
EVEN = run_of({CLEAN: [strip(7, 3)] * 20})


def compared(before: Run, after: Run, **how: int) -> Comparison:
    """The comparison of two runs."""
    return compare(measure(before, **how), measure(after, **how))  # type: ignore[arg-type]


def ends(estimate: Estimate) -> tuple[float, float, float]:
    """A number with its interval, which have to be there."""
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.value, estimate.low, estimate.high


def one_seed(run: Run) -> Run:
    """The same run, made with one seed for all trials of a task."""
    return replace(run, header=replace(run.header, same_seed=True))


def test_difference_is_after_less_before() -> None:
    """A fall is below 0, and its interval is made of the intervals of both numbers."""
    found = compared(run_of({CLEAN: [strip(9, 1)] * 20}), run_of({CLEAN: [strip(7, 3)] * 20})).differences[0]

    assert (found.metric, found.condition) == ("pass@1", CLEAN)
    assert found.value == pytest.approx(-0.2)
    assert (found.low, found.high) == difference_interval(ends(found.after), ends(found.before))
    assert found.told


def test_rise_of_one_metric_that_hides_a_fall_of_the_other_is_noticed() -> None:
    """pass@5 rose while pass^5 fell: the notice names both and the points."""
    (notice,) = compared(SPLIT, EVEN).notices

    assert notice.startswith("under clean pass@5 rose while pass^5 fell, by 42 points")
    assert "cannot tell" not in notice


def test_notice_says_where_it_may_be_chance() -> None:
    """With few trials the same notice says that the fall cannot be told from chance."""
    few = [run_of({CLEAN: [strip(4, 0), strip(0, 4)]}), run_of({CLEAN: [strip(3, 1), strip(2, 2)]})]
    (notice,) = compared(*few).notices

    assert notice.endswith("these trials cannot tell the fall from chance")


@pytest.mark.parametrize(("before", "after"), [(EVEN, SPLIT), (EVEN, EVEN)])
def test_no_notice_where_the_metrics_go_together(before: Run, after: Run) -> None:
    """A fall of pass@k with a rise of pass^k, and no change at all, are no such thing."""
    assert compared(before, after).notices == ()


def test_only_shared_conditions_are_compared() -> None:
    """A condition that only one run has is left out, and the comparison says so."""
    before, after = run_of({CLEAN: ["PP"], FAULT: ["PF"]}), run_of({CLEAN: ["PF"], WORDING: ["PP"]})
    found = compared(before, after)

    assert {one.condition for one in found.differences} == {CLEAN}
    assert [text.partition(" has ")[2] for text in found.warnings if "has " in text] == [
        f"{FAULT}: it is not compared",
        f"{WORDING}: it is not compared",
    ]


def test_number_that_is_missing_has_a_reason() -> None:
    """Where one run has no number there is no difference, and the reason stands there."""
    found = compared(run_of({CLEAN: ["PPPP", "PVVV"]}), run_of({CLEAN: ["PPPP", "PPPP"]})).differences

    assert [(one.value, one.reason) for one in found if one.metric == "pass^2"] == [
        (None, "pass^2 needs 2 valid trials of each task, and 'task-1' has 1")
    ]


def test_one_seed_is_held_against_many() -> None:
    """Where one run had one seed for all trials of a task, how much less its outcomes vary is said, with a p."""
    same, varied = one_seed(SPLIT), run_of({CLEAN: [strip(5, 5)] * 20})
    (notice,) = compared(same, varied).notices[-1:]

    assert "a variance of 0.000 with one seed, and of 0.278 with many (p = " in notice
    assert notice.endswith("trials of one seed are alike")


def test_seed_that_changes_nothing_is_not_blamed() -> None:
    """Two runs of equal spread show no difference."""
    (notice,) = compared(one_seed(EVEN), EVEN).notices

    assert notice.endswith("no difference can be told")


def test_nothing_is_said_of_the_seed_without_trials() -> None:
    """Where a task has no trial that counts, the notice says that, in words."""
    (notice,) = compared(one_seed(run_of({CLEAN: ["PPPP", "VVVV"]})), run_of({CLEAN: ["PPPP", "PPPP"]})).notices

    assert notice == "under clean nothing can be said of the seed: some task has no trial that counts"


def test_run_held_against_itself_is_warned_of() -> None:
    """The differences are 0 because it is one run; what is wrong with its evidence is said once."""
    run = run_of({CLEAN: ["PPPP", "PPPV"]})
    first, *rest = compared(run, run).warnings

    assert first.endswith("is held against itself: nothing differs, and no interval says anything")
    assert len(rest) == 1


def test_other_tasks_are_refused() -> None:
    """Runs of other tasks, of tasks that changed, or of another grader are not compared, and what differs is said."""
    before = measure(run_of({CLEAN: ["PP", "PF"]}))
    tasks = (Task("task-0", "do something else"), Task("task-9", "do it"))
    after = replace(before, header=replace(before.header, tasks=tasks, grader="contains()"))

    with pytest.raises(UsageError) as refused:
        compare(before, after)

    assert refused.value.problems == (
        "these runs are not of the same tasks: 'task-1' is gone",
        "these runs are not of the same tasks: 'task-9' is new",
        "these runs are not of the same tasks: 'task-0' has changed",
        "these runs have two graders: equals() and contains()",
    )


def test_other_k_is_refused() -> None:
    """pass^2 is not compared with pass^5."""
    with pytest.raises(UsageError, match="two k: 2 and 5; name one with -k"):
        compared(run_of({CLEAN: ["PPPP"]}), run_of({CLEAN: ["P" * 10]}))


def test_runs_without_a_common_condition_are_refused() -> None:
    """There is nothing to compare."""
    with pytest.raises(UsageError, match="no condition in common"):
        compared(run_of({CLEAN: ["PP"]}), run_of({WORDING: ["PP"]}))
