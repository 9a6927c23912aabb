"""At least j of k trials pass: the scale between pass@k (j = 1) and pass^k (j = k)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import each_k, of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row
from passhat.stats import at_least_of_k, at_least_of_k_interval, blocks, these_tasks


@dataclass(frozen=True, slots=True)
class AtLeastOfK(Metric):
    """`at_least_J_of_K`: the probability that J or more of K trials of a task pass, as a mean over the tasks.

    Each K is shown with every J from 1 to K where it is asked for by name: `at_least_4_of_5`.
    """

    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return ("at_least_J_of_K",)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[1] if found and found[0] <= found[1] else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        for least in range(1, max(reading.ks) + 1):

            def suite(arm: Arm, k: int, least: int = least) -> Estimate:
                name = f"at_least_{least}_of_{k}"
                if reason := short(arm, name, k):
                    return of_suite(arm, reading, name, None, k=k, reason=reason)
                share, size = float(at_least_of_k(arm.n, arm.c, k, least).mean()), int(blocks(arm.n, k))
                low, high = these_tasks(share, size, confidence=reading.level)
                method = "unbiased, mean over tasks; Clopper-Pearson on blocks"
                return of_suite(arm, reading, name, share, k=k, low=low, high=high, blocks=size, method=method)

            def task(arm: Arm, i: int, k: int, least: int = least) -> Estimate:
                name, n, c = f"at_least_{least}_of_{k}", int(arm.n[i]), int(arm.c[i])
                if reason := short_task(arm, i, name, k):
                    return of_task(arm, i, reading, name, None, k=k, reason=reason)
                low, high = at_least_of_k_interval(n, c, k, least, confidence=reading.level)
                method = "unbiased; the probability at the ends of Clopper-Pearson"
                share = at_least_of_k(n, c, k, least)
                return of_task(arm, i, reading, name, share, k=k, low=low, high=high, blocks=n // k, method=method)

            yield from each_k(reading, suite, task, tuple(k for k in reading.ks if k >= least))
