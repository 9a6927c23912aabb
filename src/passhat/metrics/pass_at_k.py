"""pass@k: can the agent do the job at all, once in k times?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._every_k import EveryK
from passhat.stats import pass_at_curve, pass_at_k, pass_at_k_interval
from passhat.stats.arrays import Array


@dataclass(frozen=True, slots=True)
class PassAtK(EveryK):
    """`pass@K`: the probability that one of K trials of a task passes, as a mean over the tasks.

    Of each task it is 1 - C(n-c, K) / C(n, K), from its n valid trials with c passes.
    """

    symbol: ClassVar[str] = "pass@"
    on_task: ClassVar[str] = "1 - (1 - {}) to the power of k"

    def value(self, n: Array, c: Array, k: int) -> Array:
        return pass_at_k(n, c, k)

    def curve(self, n: Array, c: Array, upto: int) -> Array:
        return pass_at_curve(n, c, upto)

    def interval(self, n: Array, c: Array, k: int, level: float, method: str) -> tuple[Array, Array]:
        return pass_at_k_interval(n, c, k, confidence=level, method=method)
