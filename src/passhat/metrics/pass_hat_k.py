"""pass^k: will the agent do the job *every* time, k times out of k?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._every_k import EveryK
from passhat.stats import pass_hat_curve, pass_hat_k, pass_hat_k_interval
from passhat.stats.arrays import Array


@dataclass(frozen=True, slots=True)
class PassHatK(EveryK):
    """`pass^K`: the probability that K trials of a task all pass, as a mean over the tasks.

    Of each task it is C(c, K) / C(n, K), from its n valid trials with c passes.
    """

    symbol: ClassVar[str] = "pass^"
    on_task: ClassVar[str] = "{} to the power of k"

    def value(self, n: Array, c: Array, k: int) -> Array:
        return pass_hat_k(n, c, k)

    def curve(self, n: Array, c: Array, upto: int) -> Array:
        return pass_hat_curve(n, c, upto)

    def interval(self, n: Array, c: Array, k: int, level: float, method: str) -> tuple[Array, Array]:
        return pass_hat_k_interval(n, c, k, confidence=level, method=method)
