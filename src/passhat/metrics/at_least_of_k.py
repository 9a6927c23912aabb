"""At least j of k trials pass: the scale between pass@k (j = 1) and pass^k (j = k)."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.metrics._per_k import Found, PerK
from passhat.metrics.base import Arm, Reading, numbers
from passhat.stats import at_least_of_k, at_least_of_k_interval, blocks, these_tasks


@dataclass(frozen=True, slots=True)
class AtLeastOfK(PerK):
    """`at_least_J_of_K`: the probability that J or more of K trials of a task pass, as a mean over the tasks.

    Each K is shown with every J from 1 to K where it is asked for by name: `at_least_4_of_5`.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return ("at_least_J_of_K",)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[1] if found and found[0] <= found[1] else None

    def names_at(self, k: int) -> tuple[str, ...]:
        return tuple(f"at_least_{least}_of_{k}" for least in range(1, k + 1))

    def suite(self, arm: Arm, reading: Reading, name: str, k: int) -> Found:
        share, size = float(at_least_of_k(arm.n, arm.c, k, self._least(name)).mean()), int(blocks(arm.n, k))
        low, high = these_tasks(share, size, confidence=reading.level)
        method = "unbiased, mean over tasks; Clopper-Pearson on blocks"
        return {"value": share, "low": low, "high": high, "blocks": size, "method": method}

    def task(self, arm: Arm, position: int, reading: Reading, name: str, k: int) -> Found:
        n, c, least = int(arm.n[position]), int(arm.c[position]), self._least(name)
        low, high = at_least_of_k_interval(n, c, k, least, confidence=reading.level)
        method = "unbiased; the probability at the ends of Clopper-Pearson"
        value = at_least_of_k(n, c, k, least)
        return {"value": value, "low": low, "high": high, "blocks": n // k, "method": method}

    def _least(self, name: str) -> int:
        found = numbers(self.names, name)
        assert found is not None  # noqa: S101 - it is a name that `names_at` gave
        return found[0]
