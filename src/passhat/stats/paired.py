"""Two agents, or two conditions, on the same tasks: what the pairing is worth."""

from __future__ import annotations

from math import sqrt

from passhat.stats.arrays import Many, Numbers, like, read, read_rows, require, require_shares
from passhat.stats.intervals import clopper_pearson
from passhat.stats.scalars import read_level


def paired_se(se_a: Numbers, se_b: Numbers, correlation: Numbers) -> Numbers:
    """The standard error of the difference between two means over the same tasks.

    Formula: √(SE_A² + SE_B² - 2·ρ·SE_A·SE_B).
    Valid when: both means are over the same tasks, and ρ is the correlation of the two agents' rates over them.
    With ρ = 0 it is that of two separate sets of tasks.
    Source: Miller 2024, "Adding error bars to evals".

    >>> round(paired_se(0.01, 0.01, 0.5), 6)
    0.01
    """
    import numpy as np

    one, other, rho = read(se_a, se_b, correlation)
    for name, values in (("se_a", one), ("se_b", other)):
        require((values >= 0) & np.isfinite(values), f"{name}, a standard error, is from 0", **{name: values})
    require((rho >= -1) & (rho <= 1), "correlation is from -1 to 1", correlation=rho)
    # (a-b)² + 2(1-ρ)ab is the same, and never a little below 0; squares of large numbers are not made.
    with np.errstate(over="ignore"):
        return like(se_a, np.hypot(one - other, np.sqrt(2 * (1 - rho)) * np.sqrt(one) * np.sqrt(other)))


def paired_difference(first: Many, second: Many) -> tuple[float, float]:
    """The mean over tasks of second - first, and its standard error for tasks like these.

    Formula: d̄ with d_i = second_i - first_i, and sd(d) / √T, the sd over T-1.
    Valid when: both rows hold one rate a task, of the same tasks in the same order. The normal or t interval
    that is built on it is approximate, and has width 0 where all differences are alike.
    Source: Miller 2024, by task.

    >>> mean, error = paired_difference([0.9, 0.8, 1.0], [0.8, 0.8, 0.9])
    >>> round(mean, 6), round(error, 6)
    (-0.066667, 0.033333)
    """
    before, after = read_rows(least=2, first=first, second=second)
    require_shares(first=before, second=after)
    gap = after - before
    return float(gap.mean()), float(gap.std(ddof=1)) / sqrt(gap.size)


def paired_share_interval(b: Numbers, c: Numbers, n: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for the second share less the first, over *n* pairs: *b* pass the first alone, *c* the second alone.

    Formula: (L_c - U_b, U_c - L_b), where (L, U) is Clopper-Pearson for c of n, and for b of n, each at the
    confidence 1 - (1-confidence)/2.
    Valid when: pairs are independent, b + c ≤ n. It covers with at least *confidence*, as both intervals do at once.
    Source: Clopper & Pearson 1934, by Bonferroni's inequality.

    >>> [round(bound, 6) for bound in paired_share_interval(0, 4, 100)]
    [-0.033978, 0.108748]
    """
    import numpy as np

    first, second, pairs = read(b, c, n)
    require(first + second <= pairs, "b and c are counts of the n pairs, so b + c is n at most", b=first, c=second)
    level = (1 + read_level("confidence", confidence)) / 2
    low_b, high_b = clopper_pearson(first, pairs, confidence=level)
    low_c, high_c = clopper_pearson(second, pairs, confidence=level)
    return like(b, np.asarray(low_c - high_b)), like(b, np.asarray(high_c - low_b))


def resampling_factor(k: Numbers) -> Numbers:
    """What is left of the variance of a suite's mean when each task is tried *k* times instead of once.

    Formula: (1 + 2/k) / 3: two thirds of it come from single trials, and a third from the choice of tasks.
    Valid when: the tasks' rates are spread evenly from 0 to 1; where they are all alike it is 1/k.
    Source: Miller 2024.

    >>> round(resampling_factor(4), 6)
    0.5
    """
    import numpy as np

    (count,) = read(k)
    require(np.isfinite(count) & (count >= 1) & (count == np.floor(count)), "k is a whole number from 1", k=count)
    return like(k, (1 + 2 / count) / 3)
