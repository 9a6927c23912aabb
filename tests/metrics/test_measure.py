"""The machinery: which k is the run's own, which rows there are, and what a reader is warned of."""

from typing import Any

import pytest

from passhat import metrics
from passhat.errors import UsageError
from passhat.metrics import METRICS, Metric, Needs, measure, parse_metric
from passhat.model import codec
from passhat.model.run import Run
from passhat.model.summary import Summary
from passhat.model.trial import Trial
from tests.metrics.runs import CLEAN, FAULT, WORDING, ListTrials, run_of, strip


class CountedOnly(ListTrials):
    """A view that may be counted, and not read."""

    def __iter__(self) -> "CountedOnly":
        raise AssertionError("a metric that needs the tally read the trials")

    def __next__(self) -> Trial:
        raise AssertionError("a metric that needs the tally read a trial")


@pytest.mark.parametrize(("planned", "k"), [(1, 1), (2, 1), (3, 1), (4, 2), (9, 4), (10, 5), (11, 5), (100, 5)])
def test_own_k_is_five_or_half_the_trials(planned: int, k: int) -> None:
    """The run's own k is 5 where there are 10 trials or more, else half of them, and 1 at least."""
    assert measure(run_of({CLEAN: ["P" * planned]})).k == k


def test_own_k_can_be_given() -> None:
    """A k that is asked for is the run's own, for every task."""
    summary = measure(run_of({CLEAN: ["PPPPF", "PPPPP"]}), k=3)

    assert summary.k == 3
    assert [row.get("pass^3") is not None for row in summary.task_rows(CLEAN)] == [True, True]


def test_k_above_the_planned_trials_is_refused() -> None:
    """A k that no task has trials for is a usage error that names both numbers."""
    with pytest.raises(UsageError, match="k is 6, and 5 trials of each task are planned"):
        measure(run_of({CLEAN: ["PPPPF"]}), k=6)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(k: int) -> None:
    """There is no k below 1."""
    with pytest.raises(UsageError, match=f"k is a whole number from 1 .* not {k}"):
        measure(run_of({CLEAN: ["PPPPF"]}), k=k)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_level_out_of_range_is_refused(level: float) -> None:
    """A level is a probability, not a percentage."""
    with pytest.raises(UsageError, match="confidence is above 0 and below 1"):
        measure(run_of({CLEAN: ["PPPPF"]}), confidence=level)


def test_rows_are_by_condition_and_the_suite_comes_first() -> None:
    """Each condition has the suite's row, then its tasks' in the suite's order."""
    summary = measure(run_of({CLEAN: ["PP", "PF"], WORDING: ["PP", "FF"]}))

    assert [(row.condition, row.task) for row in summary.rows] == [
        (CLEAN, None),
        (CLEAN, "task-0"),
        (CLEAN, "task-1"),
        (WORDING, None),
        (WORDING, "task-0"),
        (WORDING, "task-1"),
    ]


def test_metrics_can_be_chosen() -> None:
    """Only the metrics that are named are measured, each once."""
    summary = measure(run_of({CLEAN: ["PP"]}), metrics=[metrics.outcomes(), metrics.outcomes()])

    assert [estimate.metric for estimate in summary.rows[0].estimates] == [
        "fail_share",
        "crash_share",
        "timeout_share",
        "void_share",
    ]


def test_strips_are_the_first_forty_outcomes() -> None:
    """A summary shows the first 40 outcomes of each cell, and counts all."""
    summary = measure(run_of({CLEAN: [strip(50, 10)]}))

    assert summary.strips == ("P" * 40,)
    assert summary.tally.failed == (10,)


def test_summary_survives_the_codec() -> None:
    """Whatever was measured can be written and read again: every number in it is a plain one."""
    run = run_of({CLEAN: [strip(8, 2), strip(3, 0)], FAULT: [strip(5, 3, void=2), ""]}, exposed={FAULT: 4})

    summary = measure(run)

    assert codec.decode(codec.encode(summary), Summary) == summary


@pytest.mark.parametrize("name", [name for name, kind in METRICS.items() if kind.needs is Needs.TALLY])
def test_metric_that_needs_the_tally_reads_no_trial(name: str) -> None:
    """What says that it needs counts alone never reads a trial."""
    run = run_of({CLEAN: ["PPF"]})
    view = CountedOnly({CLEAN: ["PPF"]}, exposed={})

    assert measure(Run(run.header, view), metrics=[METRICS[name]()]).rows


@pytest.mark.parametrize("name", METRICS)
def test_metric_is_listed_by_its_name(name: str) -> None:
    """A metric is listed under its own name, and offered under it."""
    assert METRICS[name]().name == name
    assert getattr(metrics, name) is METRICS[name]


def test_run_without_tasks_has_no_rows() -> None:
    """A run of nothing is summarised as nothing, and said to be."""
    summary = measure(run_of({CLEAN: []}))

    assert summary.rows == ()
    assert summary.warnings == ("none of 0 planned trials is stored",)


def test_contract_measures_nothing() -> None:
    """The contract itself is no metric."""
    with pytest.raises(TypeError, match="a metric overrides measure"):
        measure(run_of({CLEAN: ["P"]}), metrics=[Metric()])


@pytest.mark.parametrize(
    ("name", "kind", "k"),
    [
        ("pass^5", "pass_hat_k", 5),
        ("pass@3", "pass_at_k", 3),
        ("pass^100", "pass_hat_k", 100),
        ("void_share", "outcomes", 1),
        ("crash_share", "outcomes", 1),
    ],
)
def test_metric_is_found_by_the_name_of_its_estimate(name: str, kind: str, k: int) -> None:
    """`pass^5` is the part pass_hat_k at k = 5."""
    metric, found = parse_metric(name)

    assert (metric.name, found) == (kind, k)


@pytest.mark.parametrize("name", ["pass^", "pass^0", "pass^1.5", "pass^K", "pas^5", "pass^05", "passes"])
def test_unknown_metric_is_answered_with_the_nearest(name: str) -> None:
    """A name that is no metric is a usage error that offers the nearest ones."""
    with pytest.raises(UsageError, match=r"there is no metric called .* did you mean .*pass\^K"):
        parse_metric(name)


def test_sound_run_has_no_warnings() -> None:
    """Where all is stored, valid and met, nobody is warned."""
    run = run_of({CLEAN: ["PPF"], FAULT: ["PFE"], WORDING: ["PPP"]}, exposed={FAULT: 2})

    assert measure(run).warnings == ()


def test_void_trials_are_said() -> None:
    """Void trials are counted with their share of all, and one of the first says why."""
    late = run_of({CLEAN: [strip(788, 0, void=12)]})
    early = run_of({CLEAN: ["PPP", "PVV"]})

    assert measure(late, metrics=[metrics.pass_hat_k()]).warnings == ("12 of 800 trials are void, 1.5 %",)
    assert measure(early).warnings == ("2 of 6 trials are void, 33.3 %; the first: the shop was shut",)


def test_fault_that_was_never_met_is_said() -> None:
    """A fault condition under which nothing fired is named; a wording has nothing to meet."""
    run = run_of({FAULT: ["PPP"], WORDING: ["PPP"], f"{FAULT} & {WORDING}": ["PPP"], "their name (v2)": ["PPP"]})

    assert measure(run).warnings == (
        f"under {FAULT} no trial met its fault",
        f"under {FAULT} & {WORDING} no trial met its fault",
    )


def test_condition_that_only_crashed_is_said() -> None:
    """Where every trial crashed, the agent was never really tested."""
    assert measure(run_of({CLEAN: ["EEE", "EEE"], WORDING: ["EEE", "EEP"]})).warnings == (
        "under clean every trial ended in CRASH",
    )


def test_condition_without_trials_is_said() -> None:
    """A condition that the run did not get to is named."""
    assert measure(run_of({CLEAN: ["PPP"], FAULT: [""]})).warnings == (
        "3 of 6 planned trials were not run",
        f"under {FAULT} no trial is stored",
    )


@pytest.mark.parametrize("name", ["level", "speaks_of", "method", "zzz"])
def test_unknown_option_is_refused(name: str) -> None:
    """A word that `measure` does not know is refused: passed over, it would leave the usual interval in its place."""
    how: Any = {name: 0.5}

    with pytest.raises(UsageError, match=f"measure has no option '{name}'"):
        measure(run_of({CLEAN: ["PP"]}), **how)


@pytest.mark.parametrize("k", [1.5, "x", True])
def test_k_is_a_whole_number(k: object) -> None:
    """A k that is no whole number is a usage error."""
    how: Any = {"k": k}

    with pytest.raises(UsageError, match="k is a whole number from 1 on"):
        measure(run_of({CLEAN: ["PP"]}), **how)
