"""Whether the order of the trials matters, which it should not: do outcomes drift, are neighbours alike?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, suite_or_reason
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.summary import Estimate, Row
from passhat.stats import drift_test, serial_correlation


@dataclass(frozen=True, slots=True)
class Drift(Metric):
    """`drift_p`: how likely so much rise or fall over the run is by chance. `serial_correlation`: of neighbours."""

    needs: ClassVar[Needs] = Needs.OUTCOMES

    @property
    def names(self) -> tuple[str, ...]:
        return ("drift_p", "serial_correlation")

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(_of(arm, reading)))


def _of(arm: Arm, reading: Reading) -> Iterator[Estimate]:
    ordered = [outcomes for outcomes in reading.outcomes(arm) if outcomes]
    named = (
        ("drift_p", lambda: drift_test(ordered).p, "permutation test within tasks"),
        ("serial_correlation", lambda: serial_correlation(ordered), "of neighbours, pooled within tasks"),
    )
    for name, value, method in named:
        yield suite_or_reason(arm, reading, name, value, method=f"{method}; {NO_INTERVAL}")
