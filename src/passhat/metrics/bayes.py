"""pass^k as a Bayesian expects it, from a uniform prior on each task's rate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import each_k, of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row
from passhat.stats import bayes_pass_hat_k, bayes_suite, interval

_SYMBOL = "bayes_pass^"


@dataclass(frozen=True, slots=True)
class Bayes(Metric):
    """`bayes_pass^K`: the mean of p^K under the posterior of each task's rate, and the mean of that over the tasks.

    Its intervals are approximate: the suite's takes the mean for normal, and a task's holds a share of the posterior.
    """

    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{_SYMBOL}K",)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[0] if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        def suite(arm: Arm, k: int) -> Estimate:
            name = f"{_SYMBOL}{k}"
            if reason := short(arm, name, k):
                return of_suite(arm, reading, name, None, k=k, reason=reason)
            found = bayes_suite(arm.n, arm.c, k, confidence=reading.level)
            return of_suite(
                arm,
                reading,
                name,
                found.mean,
                k=k,
                low=found.low,
                high=found.high,
                method="posterior mean of a uniform prior, mean over tasks; normal (approximate)",
                approximate=True,
            )

        def task(arm: Arm, i: int, k: int) -> Estimate:
            name, n, c = f"{_SYMBOL}{k}", int(arm.n[i]), int(arm.c[i])
            if reason := short_task(arm, i, name, k):
                return of_task(arm, i, reading, name, None, k=k, reason=reason)
            low, high = interval(c, n, confidence=reading.level, method="uniform")
            return of_task(
                arm,
                i,
                reading,
                name,
                bayes_pass_hat_k(n, c, k),
                k=k,
                low=low**k,
                high=high**k,
                method="posterior mean of a uniform prior; its quantiles to the power of k (approximate)",
                approximate=True,
            )

        yield from each_k(reading, suite, task)
