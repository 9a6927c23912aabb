"""What the way of faults costs by itself: the trials of a placebo, each beside the same trial without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isinf
from statistics import median
from typing import ClassVar, NamedTuple

from passhat.metrics._pairs import value
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.grammar import placebo_of
from passhat.model.numbers import counted
from passhat.model.outcome import Outcome
from passhat.model.summary import Estimate, Row, Speaks
from passhat.stats import median_interval, paired_share_interval

_DIFFERENCE, _SECONDS = "placebo_difference", "placebo_seconds"


class _Pair(NamedTuple):
    """What is kept of a pair: whether each of both passed, and how much longer the one under the placebo took."""

    passed: bool
    without: bool
    longer: float


@dataclass(frozen=True, slots=True)
class Placebo(Metric):
    """`placebo_difference`: the pass rate under a placebo, less that of the same trials without it.

    `placebo_seconds`: how much longer a trial takes under it, in the median. A pair has one task and one index, and
    both of its trials count.
    """

    needs: ClassVar[Needs] = Needs.TRIALS

    @property
    def names(self) -> tuple[str, ...]:
        return _DIFFERENCE, _SECONDS

    def concerns(self, conditions: Sequence[str]) -> bool:
        return any(placebo_of(one) is not None for one in conditions)

    def measure(self, reading: Reading) -> Iterator[Row]:
        known = {arm.condition for arm in reading.arms}
        against = {one: other for one in known if (other := placebo_of(one)) in known}
        pairs = _pairs(reading, against)
        for arm in reading.arms:
            found = pairs.get(arm.condition)
            if found:
                yield Row(condition=arm.condition, estimates=(_passes(arm, reading, found), _time(arm, reading, found)))
            else:
                why = _why(arm.condition, known)
                none = tuple(value(arm, reading, name, None, 0, reason=f"{name}: {why}") for name in self.names)
                yield Row(condition=arm.condition, estimates=none)


def _pairs(reading: Reading, against: Mapping[str, str | None]) -> dict[str, list[_Pair]]:
    """By condition, its trials beside those that each is held against; no more than those of one index are held."""
    found: dict[str, list[_Pair]] = {condition: [] for condition in against}
    for _, alike in groupby(reading.trials if against else (), key=lambda trial: trial.index):
        counted = {(one.task_id, one.condition): one for one in alike if one.outcome.counts}
        for (task, condition), trial in counted.items():
            other = counted.get((task, against.get(condition) or ""))
            if other is not None:
                passed, without = (one.outcome is Outcome.PASS for one in (trial, other))
                found[condition].append(_Pair(passed, without, trial.seconds - other.seconds))
    return found


def _passes(arm: Arm, reading: Reading, pairs: Sequence[_Pair]) -> Estimate:
    """The difference of the pass rates."""
    n = len(pairs)
    lost = sum(pair.without and not pair.passed for pair in pairs)
    won = sum(pair.passed and not pair.without for pair in pairs)
    low, high = paired_share_interval(lost, won, n, confidence=reading.level)
    told = f"{lost + won:,} of {_so_many(n)} differ; Clopper-Pearson for both kinds at once (Bonferroni)"
    return _estimate(arm, reading, _DIFFERENCE, ((won - lost) / n, low, high), n, told)


def _time(arm: Arm, reading: Reading, pairs: Sequence[_Pair]) -> Estimate:
    """The difference of the seconds: of the median, because a trial that happens to be slow says nothing of it."""
    longer = [pair.longer for pair in pairs]
    low, high = median_interval(longer, confidence=reading.level)
    n, middle = len(pairs), float(median(longer))
    if isinf(low):
        return value(arm, reading, _SECONDS, middle, n, method=f"median of {_so_many(n)}, too few for an interval")
    return _estimate(arm, reading, _SECONDS, (middle, low, high), n, f"median of {_so_many(n)}; order statistics")


def _estimate(
    arm: Arm, reading: Reading, metric: str, found: tuple[float, float, float], n: int, method: str
) -> Estimate:
    middle, low, high = found
    return Estimate(
        metric=metric,
        value=middle,
        low=low,
        high=high,
        level=reading.level,
        n=n,
        tasks=len(arm.tasks),
        method=method,
        speaks_of=Speaks.THESE_TASKS,
    )


def _so_many(n: int) -> str:
    return counted(n, "pair of trials", some="pairs of trials")


def _why(condition: str, known: set[str]) -> str:
    """Why nothing can be said of *condition*."""
    other = placebo_of(condition)
    if other is None:
        return f"{condition} is no placebo"
    return "no pair of trials counts" if other in known else f"this run has no condition {other} to hold it against"
