"""The contract of a metric, and the machinery that applies metrics to a run.

A metric reads counts (or, where it says so, ordered outcomes or whole trials) and gives rows of estimates. It
stores nothing, draws nothing at random and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from passhat.errors import UsageError
from passhat.metrics._warnings import warnings
from passhat.model.outcome import Outcome
from passhat.model.parts import part_name
from passhat.model.run import Header, Run, Tally, Trials
from passhat.model.summary import Estimate, Row, Summary
from passhat.model.trial import Trial
from passhat.stats.arrays import Array, read_level

_STRIP = 40
_USUAL_K = 5


class Needs(StrEnum):
    """What a metric reads: counts alone, the outcomes in their order, or the trials (slow to read)."""

    TALLY = "tally"
    OUTCOMES = "outcomes"
    TRIALS = "trials"


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """The counts under one condition, in arrays by task: `n` valid trials, and the trials of each outcome."""

    condition: str
    tasks: tuple[str, ...]
    n: Array
    counts: Mapping[Outcome, Array]

    @property
    def c(self) -> Array:
        """The passes."""
        return self.counts[Outcome.PASS]

    @property
    def void(self) -> Array:
        """The void trials, which are not in `n`."""
        return self.counts[Outcome.VOID]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a metric is given: the run, its counts by condition, and the level and the k's that are wanted.

    `ks` are those that every row shows, 1 and the run's own k. `trials` is for metrics that need more than
    counts.
    """

    header: Header
    tally: Tally
    trials: Trials
    arms: tuple[Arm, ...]
    ks: tuple[int, ...]
    level: float


@dataclass(frozen=True, slots=True)
class Metric:
    """Says something of a run, in rows for the suite and for its tasks."""

    needs: ClassVar[Needs] = Needs.TALLY

    @property
    def name(self) -> str:
        """The name of this kind of metric."""
        return part_name(type(self))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its estimates, with `K` where a number stands."""
        return (self.name,)

    def k_of(self, name: str) -> int | None:
        """The k of the estimate of this name, 1 where it has none; None where it is not this metric's."""
        return 1 if name in self.names else None

    def measure(self, reading: Reading) -> Iterable[Row]:
        """The rows: of the suite (task None) and of its tasks, under each condition."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric overrides measure")


def measure(run: Run, *, k: int | None = None, level: float = 0.95, metrics: Sequence[Metric] | None = None) -> Summary:
    """What the trials of *run* say: every metric there is, unless *metrics* names some.

    *k* is the run's own k, at which each task is shown: 5 where 10 trials or more are planned, else half of
    them. *level* is the confidence of the intervals.
    """
    from passhat.metrics import METRICS  # the list imports the parts, and the parts this contract

    chosen = [kind() for kind in METRICS.values()] if metrics is None else metrics
    tally = run.trials.counts()
    own_k = _own_k(run.header.trials, k)
    ks = tuple(sorted({1, own_k}))
    reading = Reading(run.header, tally, run.trials, _arms(tally), ks, read_level("level", level))
    strips = run.trials.strips(_STRIP)
    return Summary(
        header=run.header,
        k=own_k,
        tally=tally,
        rows=_rows(reading, tuple(dict.fromkeys(chosen))),
        strips=strips,
        warnings=tuple(warnings(run.header, tally, _first_void(run, tally, strips))),
    )


def _first_void(run: Run, tally: Tally, strips: Sequence[str]) -> Trial | None:
    """A void trial, so that the reader learns why there are any; None where none is among the first of any cell."""
    for cell, strip in enumerate(strips) if any(tally.void) else ():
        index = strip.find(Outcome.VOID.letter)
        if index >= 0:
            task, condition = divmod(cell, len(tally.conditions))
            trial = run.trials.get(tally.tasks[task], tally.conditions[condition], index)
            if trial is not None and trial.outcome is Outcome.VOID:
                return trial
    return None


def _own_k(planned: int, k: int | None) -> int:
    """The k of the run, as asked for or as is usual for this many planned trials."""
    if k is None:
        return _USUAL_K if planned >= 2 * _USUAL_K else max(1, planned // 2)
    if k < 1:
        raise UsageError(f"k is a whole number from 1 to the planned trials of each task, {planned}, not {k}")
    if k > planned:
        raise UsageError(f"k is {k}, and {planned} trials of each task are planned: choose a k up to {planned}")
    return k


def _arms(tally: Tally) -> tuple[Arm, ...]:
    """The columns, cut up by condition: each is read once."""
    import numpy as np

    shape = (len(tally.tasks), len(tally.conditions))
    columns = {outcome: np.array(tally.column(outcome), dtype=np.int64).reshape(shape) for outcome in Outcome}
    valid = sum((columns[outcome] for outcome in Outcome if outcome.counts), np.zeros(shape, dtype=np.int64))
    return tuple(
        Arm(
            condition,
            tally.tasks,
            valid[:, i],
            {outcome: column[:, i] for outcome, column in columns.items()},
        )
        for i, condition in enumerate(tally.conditions if tally.tasks else ())
    )


def _rows(reading: Reading, metrics: tuple[Metric, ...]) -> tuple[Row, ...]:
    """The metrics' rows, joined where they have one scope: by condition, the suite before its tasks."""
    found: dict[tuple[str, str | None], list[Estimate]] = {
        (arm.condition, task): [] for arm in reading.arms for task in (None, *arm.tasks)
    }
    for metric in metrics:
        for row in metric.measure(reading):
            found[row.condition, row.task].extend(row.estimates)
    return tuple(
        Row(condition=condition, task=task, estimates=tuple(estimates))
        for (condition, task), estimates in found.items()
        if estimates
    )
