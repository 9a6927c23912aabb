"""pass^k and pass@k from the rate alone: p^k and 1 - (1 - p)^k, as Vally and TraceLens write them.

They are biased where p is estimated: pass^k comes out too high, pass@k too low. They are here for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics._per_k import Found, PerK
from passhat.metrics.base import Arm, Reading
from passhat.stats import pass_at_k_naive, pass_hat_k_naive
from passhat.stats.arrays import Array

_METHOD = f"the rate to the power of k, biased; {NO_INTERVAL}"


@dataclass(frozen=True, slots=True)
class Naive(PerK):
    """`naive_pass^K` and `naive_pass@K`: what k trials would do if the observed rate of a task were its true one."""

    @property
    def names(self) -> tuple[str, ...]:
        return ("naive_pass^K", "naive_pass@K")

    def needed(self, k: int) -> int:
        return 1

    def suite(self, arm: Arm, reading: Reading, name: str, k: int) -> Found:
        return {"value": float(_power(name, arm.c / arm.n, k).mean()), "method": f"mean over tasks of {_METHOD}"}

    def task(self, arm: Arm, position: int, reading: Reading, name: str, k: int) -> Found:
        return {"value": float(_power(name, arm.c[position] / arm.n[position], k)), "method": _METHOD}


def _power(name: str, rate: Array, k: int) -> Array:
    return pass_hat_k_naive(rate, k) if "^" in name else pass_at_k_naive(rate, k)
