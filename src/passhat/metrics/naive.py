"""pass^k and pass@k from the rate alone: p^k and 1 - (1 - p)^k, as Vally and TraceLens write them.

They are biased where p is estimated: pass^k comes out too high, pass@k too low. They are here for comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, each_k, of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row
from passhat.stats import pass_at_k_naive, pass_hat_k_naive
from passhat.stats.arrays import Array

_HAT, _AT = "naive_pass^", "naive_pass@"
_METHOD = f"the rate to the power of k, biased; {NO_INTERVAL}"


@dataclass(frozen=True, slots=True)
class Naive(Metric):
    """`naive_pass^K` and `naive_pass@K`: what k trials would do if the observed rate of a task were its true one."""

    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{_HAT}K", f"{_AT}K")

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[0] if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        for symbol in (_HAT, _AT):

            def suite(arm: Arm, k: int, symbol: str = symbol) -> Estimate:
                name = f"{symbol}{k}"
                if reason := short(arm, name, 1):
                    return of_suite(arm, reading, name, None, k=k, reason=reason)
                return of_suite(arm, reading, name, float(_of(symbol, arm.c / arm.n, k).mean()), k=k, method=_METHOD)

            def task(arm: Arm, i: int, k: int, symbol: str = symbol) -> Estimate:
                name = f"{symbol}{k}"
                if reason := short_task(arm, i, name, 1):
                    return of_task(arm, i, reading, name, None, k=k, reason=reason)
                rate = arm.c[i] / arm.n[i]
                return of_task(arm, i, reading, name, float(_of(symbol, rate, k)), k=k, method=_METHOD)

            yield from each_k(reading, suite, task)


def _of(symbol: str, rate: Array, k: int) -> Array:
    return pass_hat_k_naive(rate, k) if symbol == _HAT else pass_at_k_naive(rate, k)
