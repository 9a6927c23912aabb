"""Three figures of one task's outcomes in their order, in whole percents, as mcptest's reliability page defines them.

They describe what was observed and estimate nothing: `pass_hat_k` does. All arithmetic is in whole numbers, so that no
figure is off by one where a float would fall to the other side of a half or of a whole percent.
"""

from __future__ import annotations

from math import exp, floor, isqrt, log1p

from passhat.stats.arrays import Outcomes, read_outcomes

# How near to a whole percent a float must be for the exact division to be asked. See `_percent_of_power`.
_DOUBT = 1e-9


def decay_curve(outcomes: Outcomes) -> tuple[int, ...]:
    """For k = 1 … n, the rate among the first k trials to the power of k, in whole percents.

    Formula: ⌊100·(c_k/k)^k⌋, with c_k the passes among the first k trials; cut off, not rounded.
    Valid when: read as a description. As an estimate of pass^k it is too high on average (for a rate of .8 and
    k = 5 it says .478 where .328 is true), depends on the order, and may rise: F P P P gives 0, 25, 29, 31.
    Source: mcptest's reliability page, as its reliability decay curve.

    >>> decay_curve([True, True, True, False])
    (100, 100, 100, 31)
    """
    passes, curve = 0, []
    for k, passed in enumerate(read_outcomes(outcomes).tolist(), start=1):
        passes += passed
        curve.append(_percent_of_power(passes, k))
    return tuple(curve)


def outcome_spread(outcomes: Outcomes) -> int:
    """How mixed the outcomes are, in whole percents: 0 where all are alike, 100 where half of them passed.

    Formula: the population standard deviation √(c(n-c))/n over its maximum .5, times 100, a half rounded away
    from zero.
    Valid when: read as a description of one task. It is no ratio of variances between long and short tasks, which
    the literature calls a variance amplification factor.
    Source: mcptest's reliability page, as `variance_amplification`, which is offered as another name of this.

    >>> outcome_spread([True, True, True, False])
    87
    """
    trials = read_outcomes(outcomes)
    n, c = trials.size, int(trials.sum())
    # round(200·√m/n) with m = c(n-c) is the largest r with (2r-1)·n ≤ 400·√m, in whole numbers.
    return (isqrt(160_000 * c * (n - c)) // n + 1) // 2


def late_failure_score(outcomes: Outcomes) -> int:
    """Passes weighed with their positions, in whole percents: late failures cost more than early ones.

    Formula: 100·Σ j·o_j / Σ j for positions j = 1 … n, a half rounded away from zero.
    Valid when: read as an alarm for drift. Trials are exchangeable, so their order says nothing unless state leaks
    from one to the next: `drift_test` tells that from chance.
    Source: mcptest's reliability page, as `graceful_degradation`, which is offered as another name of this.

    >>> late_failure_score([False, True, True, True]), late_failure_score([True, True, True, False])
    (90, 60)
    """
    trials = read_outcomes(outcomes).tolist()
    weight = sum(j for j, passed in enumerate(trials, start=1) if passed)
    whole = len(trials) * (len(trials) + 1) // 2
    return (200 * weight + whole) // (2 * whole)


# mcptest's names.
variance_amplification = outcome_spread
graceful_degradation = late_failure_score


def _percent_of_power(c: int, k: int) -> int:
    """⌊100·(c/k)^k⌋ exactly.

    A float decides wherever it is safe. Where the figure is 1 or more, k·ln(c/k) is above -4.7, so it and its
    exponential are right to 1e-14 of themselves or so, and the figure to 1e-11. So the float's whole part can only be
    wrong within that of a whole number; within a hundredfold of it, the whole numbers are divided out instead.
    """
    if c in {0, k}:
        return 100 if c else 0
    percent = 100 * exp(k * log1p(-(k - c) / k))
    nearest = round(percent)
    if nearest and abs(percent - nearest) < _DOUBT:
        exact: int = 100 * c**k // k**k
        return exact
    return floor(percent)
