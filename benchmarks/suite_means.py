"""The suite's pass^k and pass@k for every k up to 100, over a million tasks.

The floor is numpy counting the same tasks once by their passes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.base import report
from passhat.stats import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
from passhat.stats.arrays import Array

TASKS, TURNS = 1_000_000, 30


def best(work: Callable[[], object]) -> float:
    """The milliseconds that *work* takes, at best."""
    taken = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken) * 1e3


def both(n: Array, c: Array) -> tuple[Array, Array]:
    """What is measured."""
    return pass_hat_curve(n, c, 100), pass_at_curve(n, c, 100)


def main() -> None:
    """Measure with equal and with unequal n, after a look at whether the means are right."""
    dice = np.random.default_rng(7)
    rates = dice.beta(2, 1, TASKS)
    for name, n in (("n = 100", np.full(TASKS, 100)), ("n from 100 to 110", dice.integers(100, 111, TASKS))):
        c = dice.binomial(n, rates)
        hat, at = both(n, c)
        assert np.isclose(hat[4], pass_hat_k(n, c, 5).mean(), rtol=1e-9)
        assert np.isclose(at[4], pass_at_k(n, c, 5).mean(), rtol=1e-9)
        taken = best(partial(both, n, c))
        floor = best(partial(np.bincount, c))
        report(f"pass^k and pass@k, k to 100, 10^6 tasks, {name}", taken, "ms", floor=floor, goal="ratio ≤ 10")


if __name__ == "__main__":
    main()
