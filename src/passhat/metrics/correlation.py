"""How much the trials of a task are alike: what that leaves of their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.metrics._estimates import NO_INTERVAL, suite_or_reason
from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.summary import Estimate, Row
from passhat.stats import design_effect, effective_n, icc


@dataclass(frozen=True, slots=True)
class Correlation(Metric):
    """`icc`, `design_effect` and `effective_n` of the suite.

    A high `icc` says that the task decides how a trial ends: the agent is consistent, and more trials of the same
    tasks say less about tasks like these.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return ("icc", "design_effect", "effective_n")

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(_of(arm, reading)))


def _of(arm: Arm, reading: Reading) -> Iterator[Estimate]:
    def effect() -> float:
        return design_effect(float(arm.n.mean()), icc(arm.n, arm.c))

    named = (
        ("icc", lambda: icc(arm.n, arm.c), "ICC(1,1), one-way analysis of variance"),
        ("design_effect", effect, "1 + (trials of a task - 1) × icc, where icc is above 0"),
        ("effective_n", lambda: effective_n(arm.n, arm.c), "trials / design effect"),
    )
    for name, value, method in named:
        yield suite_or_reason(arm, reading, name, value, method=f"{method}; {NO_INTERVAL}")
