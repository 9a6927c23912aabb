"""Whether tasks differ in their rates at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, suite_or_reason
from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.summary import Estimate, Row
from passhat.stats import overdispersion_test


@dataclass(frozen=True, slots=True)
class Overdispersion(Metric):
    """`overdispersion_p`: how often tasks would differ as much as these by chance, were their rates all one."""

    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return ("overdispersion_p",)

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=(_of(arm, reading),))


def _of(arm: Arm, reading: Reading) -> Estimate:
    method = f"permutation test against one rate for all tasks; {NO_INTERVAL}"
    return suite_or_reason(arm, reading, "overdispersion_p", lambda: overdispersion_test(arm.n, arm.c).p, method=method)
