"""How much the trials of a task are alike: what that leaves of their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.metrics._estimates import NO_INTERVAL, suite_or_reason
from passhat.metrics.base import Metric, Reading
from passhat.model.summary import Row
from passhat.stats import design_effect, effective_n, icc, overdispersion_test


@dataclass(frozen=True, slots=True)
class Correlation(Metric):
    """`icc`, `design_effect` and `effective_n` of the suite, and `overdispersion_p`.

    A high `icc` says that the task decides how a trial ends: the agent is consistent, and more trials of the same
    tasks say less about tasks like these. `overdispersion_p` is the probability of tasks that differ as much as these,
    were their rates all one.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return ("icc", "design_effect", "effective_n", "overdispersion_p")

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            mean = float(arm.n.mean())
            found = (
                ("icc", lambda arm=arm: icc(arm.n, arm.c), "ICC(1,1), one-way analysis of variance"),
                (
                    "design_effect",
                    lambda arm=arm, mean=mean: design_effect(mean, icc(arm.n, arm.c)),
                    "1 + (trials of a task - 1) × icc, where icc is above 0",
                ),
                ("effective_n", lambda arm=arm: effective_n(arm.n, arm.c), "trials / design effect"),
                (
                    "overdispersion_p",
                    lambda arm=arm: overdispersion_test(arm.n, arm.c).p,
                    "permutation test against one rate for all tasks",
                ),
            )
            yield Row(
                condition=arm.condition,
                estimates=tuple(
                    suite_or_reason(arm, reading, name, value, method=f"{method}; {NO_INTERVAL}")
                    for name, value, method in found
                ),
            )
