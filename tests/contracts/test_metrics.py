"""Every metric keeps the promises of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from passhat.metrics import Needs, measure, parse_metric
from passhat.model.codec import decode, encode
from passhat.model.outcome import Outcome
from passhat.model.run import Run, Trials
from passhat.model.summary import Estimate, Summary
from passhat.model.trial import Trial
from tests.contracts.known import METRICS, value_problems
from tests.metrics.runs import CLEAN, FAULT, ListTrials, run_of, strip

RUNS: dict[str, Run] = {
    "some of each": run_of({CLEAN: ["PPFPE", "PPPPP", "FTVPP"], FAULT: ["FFFFF", "PVVVV", "PPPPF"]}),
    "all pass": run_of({CLEAN: [strip(20, 0)] * 3}),
    "none passes": run_of({CLEAN: [strip(0, 20)] * 3}),
    "one trial": run_of({CLEAN: ["P"]}),
    "nothing but voids": run_of({CLEAN: ["VVV", "VVV"]}),
    "nothing stored": run_of({CLEAN: ["", ""]}, trials=10),
    "one task short": run_of({CLEAN: ["PPPPPPPPPP", "P"]}),
}
NAMES_AND_RUNS = [(name, run) for name in METRICS for run in RUNS]


def measured(name: str, run: Run) -> Summary:
    """What this one metric says of *run*."""
    return measure(run, metrics=[METRICS[name]()])


def estimates(summary: Summary) -> Iterator[Estimate]:
    """Every estimate."""
    return (estimate for row in summary.rows for estimate in row.estimates)


class Sealed(ListTrials):
    """Trials that nobody may read, but one void one, of which `measure` itself tells why it is void."""

    def __iter__(self) -> Iterator[Trial]:
        """Refuse."""
        raise AssertionError("it reads trials")

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """Refuse, unless it is void."""
        trial = super().get(task_id, condition, index)
        if trial is not None and trial.outcome is Outcome.VOID:
            return trial
        raise AssertionError(f"it reads trial {index} of {task_id} under {condition}")


@pytest.mark.parametrize("name", METRICS)
def test_metric_is_a_documented_value(name: str) -> None:
    """A metric is a frozen, slotted dataclass that says what it is, made without settings, under its own name."""
    assert value_problems(METRICS[name]()) == []
    assert METRICS[name]() == METRICS[name]()
    assert METRICS[name]().name == name


def test_no_name_means_two_things() -> None:
    """No two metrics give an estimate of one name."""
    kinds = [set(METRICS[name]().names) for name in METRICS]

    assert all(kinds)
    assert all(one.isdisjoint(other) for one, other in combinations(kinds, 2))


@pytest.mark.parametrize(("name", "run"), NAMES_AND_RUNS)
def test_metric_is_deterministic_json(name: str, run: str) -> None:
    """The same run gives the same summary, which JSON holds and gives back whole."""
    summary = measured(name, RUNS[run])

    assert measured(name, RUNS[run]) == summary
    assert decode(encode(summary), Summary) == summary


@pytest.mark.parametrize(("name", "run"), NAMES_AND_RUNS)
def test_no_number_stands_alone(name: str, run: str) -> None:
    """An estimate has a value within its interval, and a method; or none, and the reason."""
    for estimate in estimates(measured(name, RUNS[run])):
        if estimate.value is None:
            assert estimate.reason
            assert (estimate.low, estimate.high) == (None, None)
        else:
            assert estimate.method
            assert not estimate.reason
            low, high = estimate.low, estimate.high
            assert low is None or low <= estimate.value + 1e-12
            assert high is None or high >= estimate.value - 1e-12


@pytest.mark.parametrize(("name", "run"), NAMES_AND_RUNS)
def test_estimates_are_found_by_their_names(name: str, run: str) -> None:
    """The name of an estimate leads back to its metric and its k."""
    for estimate in estimates(measured(name, RUNS[run])):
        metric, k = parse_metric(estimate.metric, known=METRICS)

        assert (metric.name, k) == (name, estimate.k)


@pytest.mark.parametrize(("name", "run"), NAMES_AND_RUNS)
def test_each_estimate_of_a_row_has_its_own_name(name: str, run: str) -> None:
    """A row says each thing once of these tasks, and once of tasks like these."""
    for row in measured(name, RUNS[run]).rows:
        names = [(estimate.metric, estimate.speaks_of) for estimate in row.estimates]

        assert len(names) == len(set(names))


@pytest.mark.parametrize(("name", "run"), NAMES_AND_RUNS)
def test_counts_are_those_of_the_run(name: str, run: str) -> None:
    """No estimate claims more trials than are stored, more passes than trials, or more tasks than there are."""
    summary = measured(name, RUNS[run])
    stored = sum(map(len, summary.strips))

    for estimate in estimates(summary):
        assert 0 <= estimate.c <= estimate.n <= stored
        assert 0 <= estimate.tasks <= len(summary.tally.tasks)


@pytest.mark.parametrize("name", METRICS)
def test_metric_says_something(name: str) -> None:
    """Of a run with trials, a metric has something to say under each condition."""
    run = RUNS["some of each"]

    assert {row.condition for row in measured(name, run).rows} == set(run.header.conditions)


@pytest.mark.parametrize("name", [name for name in METRICS if METRICS[name].needs is not Needs.TRIALS])
def test_metric_reads_no_more_than_it_says(name: str) -> None:
    """A metric that needs counts or outcomes alone reads no trial."""
    run = run_of({CLEAN: ["PPFPE", "PPVPP"]})
    sealed: Trials = Sealed({CLEAN: ["PPFPE", "PPVPP"]}, exposed={})

    assert measured(name, replace(run, trials=sealed)) == measured(name, run)
