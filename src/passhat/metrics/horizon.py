"""Reliability over the length of tasks, and over k: Khanal's measures, under the names of the paper.

A task says how long it takes a person in its metadata: `metadata={"minutes": 12}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, of_suite, short, suite_or_reason
from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.summary import Estimate, Row
from passhat.stats import duration_bucket, horizon_slope, rdc_by_horizon, reliability_horizon_k, vaf
from passhat.stats.arrays import Array

_BUCKETS = ("short", "medium", "long", "very_long")
_EDGES = (5, 30, 120)
_METHOD = "mean over the tasks of a length of their unbiased pass^k"


@dataclass(frozen=True, slots=True)
class Horizon(Metric):
    """`rdc_short` … `rdc_very_long`: pass^k of the tasks of each length, at the run's own k; `rdc_slope` and `vaf`.

    Short is up to 5 minutes of a person's work, medium up to 30, long up to 120. `rdc_slope` is the change from one
    length to the next; `vaf` is how much more the rates of long tasks differ than those of short ones (it shows what
    an agent can do, not how steady it is). `reliability_horizon` is the largest k at which pass^k still reaches
    *target*.
    """

    usual: ClassVar[bool] = False

    target: float = 0.8

    @property
    def names(self) -> tuple[str, ...]:
        return (*(f"rdc_{name}" for name in _BUCKETS), "rdc_slope", "vaf", "reliability_horizon")

    def measure(self, reading: Reading) -> Iterator[Row]:
        minutes = [task.metadata.get("minutes") for task in reading.header.tasks]
        for arm in reading.arms:
            yield Row(
                condition=arm.condition, estimates=(*_by_length(arm, reading, minutes), self._over_k(arm, reading))
            )

    def _over_k(self, arm: Arm, reading: Reading) -> Estimate:
        name = "reliability_horizon"
        if reason := short(arm, name, 1):
            return of_suite(arm, reading, name, None, reason=reason)
        k = reliability_horizon_k(arm.n, arm.c, self.target) or 0
        method = f"largest k up to {int(arm.n.min())} with pass^k of {self.target:g} or more; {NO_INTERVAL}"
        return of_suite(arm, reading, name, float(k), method=method)


def _by_length(arm: Arm, reading: Reading, minutes: Sequence[object]) -> Iterator[Estimate]:
    """What the lengths of the tasks allow to say."""
    import numpy as np

    names = [f"rdc_{name}" for name in _BUCKETS]
    given = [value for value in minutes if isinstance(value, int | float) and not isinstance(value, bool)]
    k = reading.own_k
    reason = short(arm, "rdc", k) or (
        "" if len(given) == len(arm.tasks) else "not every task says its length: metadata={'minutes': 12}"
    )
    if reason:
        yield from (of_suite(arm, reading, name, None, reason=reason) for name in (*names, "rdc_slope", "vaf"))
        return
    bucket = duration_bucket(np.array(given), _EDGES)
    curve = _curve(arm, bucket, k)
    for name, value in zip(names, curve, strict=True):
        why = "" if value is not None else f"no task is {name.removeprefix('rdc_').replace('_', ' ')}"
        yield of_suite(arm, reading, name, value, reason=why, method="" if why else f"{_METHOD} = {k}; {NO_INTERVAL}")
    known = [value for value in curve if value is not None]
    yield suite_or_reason(
        arm, reading, "rdc_slope", lambda: horizon_slope(known), method=f"least squares over lengths; {NO_INTERVAL}"
    )
    rates = arm.c / arm.n
    yield suite_or_reason(
        arm,
        reading,
        "vaf",
        lambda: vaf(rates[bucket >= 2], rates[bucket < 2]),  # noqa: PLR2004 - from the third length on
        method=f"variance of pass^1 over long tasks / over short ones; {NO_INTERVAL}",
    )


def _curve(arm: Arm, bucket: Array, k: int) -> list[float | None]:
    """pass^k of the tasks of each length; None for a length that no task has."""
    found = []
    for length in range(len(_BUCKETS)):
        here = bucket == length
        found.append(float(rdc_by_horizon(arm.n[here], arm.c[here], bucket[here] * 0, k)[0]) if here.any() else None)
    return found
