"""Power: what a gate could have caught. Exact binomial probabilities, no normal approximation."""

from __future__ import annotations

from passhat.stats.arrays import read, read_level, require


def detectable_drop(value: float, blocks: int, *, confidence: float = 0.95, power: float = 0.8) -> float | None:
    """The smallest drop below *value* that fails the gate with probability *power*; None where nothing can.

    The gate is "fail when the one-sided upper bound for x passes in *blocks* trials is below value".
    Formula: x = max{x : P(X ≤ x | value) < 1-confidence}; the drop is value - p where P(X ≤ x | p) = power.
    Valid when: X is binomial; for a mean of pass^k it takes `blocks` of k trials for that many single ones.
    Source: Clopper & Pearson 1934, inverted.

    >>> round(detectable_drop(0.9, 100), 4)
    0.0882
    """
    import numpy as np
    from scipy.special import betaincinv

    line, level = read_level("value", value), read_level("confidence", confidence)
    wanted = read_level("power", power)
    (count,) = read(blocks)
    require(
        (count >= 0) & np.isfinite(count) & (count == np.floor(count)),
        "blocks is a whole number from 0",
        blocks=count,
    )
    most = _largest_failing(line, int(count), 1 - level)
    if most < 0 or wanted <= 1 - level:
        return None
    return line - float(betaincinv(most + 1, int(count) - most, 1 - wanted))


def _largest_failing(value: float, blocks: int, alpha: float) -> int:
    """The largest x with P(X ≤ x | value) < alpha, by bisection; -1 where not even x = 0 is that rare."""
    from scipy.special import betainc

    rare, common = -1, blocks
    while common - rare > 1:
        x = (rare + common) // 2
        if betainc(blocks - x, x + 1, 1 - value) < alpha:
            rare = x
        else:
            common = x
    return rare
