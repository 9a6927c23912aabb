"""pass^k beyond the trials that were made: what a model of the tasks' rates says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, suite_or_reason
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row
from passhat.stats import extrapolate_pass_hat_k, fit_beta_binomial

_SYMBOL = "modelled_pass^"


@dataclass(frozen=True, slots=True)
class Modelled(Metric):
    """`modelled_pass^K`: the suite's pass^K under a beta-binomial fitted to the tasks' counts, for any K.

    It is an extrapolation where K is more than the trials of a task, and labelled so.
    """

    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{_SYMBOL}K",)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[0] if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(_at(arm, reading, k) for k in reading.ks))


def _at(arm: Arm, reading: Reading, k: int) -> Estimate:
    """What the model says of one k."""
    return suite_or_reason(
        arm,
        reading,
        f"{_SYMBOL}{k}",
        lambda: extrapolate_pass_hat_k(fit_beta_binomial(arm.n, arm.c), k),
        k=k,
        method=f"beta-binomial, {_reach(k, int(arm.n.min()))}; {NO_INTERVAL}",
    )


def _reach(k: int, fewest: int) -> str:
    return "fitted" if k <= fewest else "model-extrapolated"
