"""What mcptest's reliability page says of one task's outcomes, in whole per cents; and so of every task of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics.base import Metric, Needs, Reading
from passhat.model.reliability import ReliabilitySummary
from passhat.model.summary import Row
from passhat.stats import (
    decay_curve,
    graceful_degradation,
    observed_pass_at,
    observed_pass_hat,
    variance_amplification,
)


@dataclass(frozen=True, slots=True)
class Reliability(Metric):
    """`reliability`: each task's outcomes in their order, under mcptest's names; a task without a trial has none."""

    needs: ClassVar[Needs] = Needs.OUTCOMES

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            for task, outcomes in zip(arm.tasks, reading.outcomes(arm), strict=True):
                if outcomes:
                    yield Row(condition=arm.condition, task=task, reliability=summarize(outcomes))


def summarize(outcomes: Sequence[bool]) -> ReliabilitySummary:
    """What the outcomes of one task's trials look like, in their order.

    >>> summarize([True, True, True, False]).metrics_object()["decay_curve"]
    [100, 100, 100, 31]
    """
    return ReliabilitySummary(
        runs=len(outcomes),
        pass_at_k=round(100 * observed_pass_at(outcomes)),
        passhat_k=round(100 * observed_pass_hat(outcomes)),
        variance_amplification=variance_amplification(outcomes),
        graceful_degradation=graceful_degradation(outcomes),
        decay_curve=decay_curve(outcomes),
    )
