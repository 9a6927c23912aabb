"""pass^k as a Bayesian expects it, from a uniform prior on each task's rate."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.metrics._per_k import Found, PerK
from passhat.metrics.base import Arm, Reading
from passhat.stats import bayes_pass_hat_k, bayes_suite, interval


@dataclass(frozen=True, slots=True)
class Bayes(PerK):
    """`bayes_pass^K`: the mean of p^K under the posterior of each task's rate, and the mean of that over the tasks.

    Its intervals are approximate: the suite's takes the mean for normal, and a task's holds a share of the posterior.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return ("bayes_pass^K",)

    def suite(self, arm: Arm, reading: Reading, name: str, k: int) -> Found:
        found = bayes_suite(arm.n, arm.c, k, confidence=reading.level)
        method = "posterior mean of a uniform prior, mean over tasks; normal (approximate)"
        return {"value": found.mean, "low": found.low, "high": found.high, "method": method, "approximate": True}

    def task(self, arm: Arm, position: int, reading: Reading, name: str, k: int) -> Found:
        n, c = int(arm.n[position]), int(arm.c[position])
        low, high = interval(c, n, confidence=reading.level, method="uniform")
        method = "posterior mean of a uniform prior; its quantiles to the power of k (approximate)"
        value = bayes_pass_hat_k(n, c, k)
        return {"value": value, "low": low**k, "high": high**k, "method": method, "approximate": True}
