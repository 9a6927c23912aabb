"""What lies in the middle, of numbers with no shape of their own: costs, times, counts of tokens."""

from __future__ import annotations

from passhat.errors import UsageError
from passhat.stats.arrays import Many, read
from passhat.stats.scalars import read_level


def median_interval(values: Many, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """The interval for the median, from the values alone; None where they are too few to have one (below 6 at 95 %).

    Formula: from the j-th smallest to the j-th largest, with the largest j at which P(X ≤ j-1) ≤ (1-confidence)/2 for
    X binomial of n and 1/2.
    Valid when: the values are independent, whatever their distribution; ties make it wider. It is exact, and keeps its
    level for values of unlike distributions too, where it speaks of the median of all of them mixed: a sum of unlike
    chances spreads no more than one of like chances (Hoeffding 1956).
    Source: the sign test turned round, Thompson 1936; tested by counting through all cases.

    >>> median_interval([310, 90, 120, 150, 170, 101, 130, 95])
    (90.0, 310.0)
    >>> median_interval([310, 90, 120, 150, 170], confidence=0.9)
    (90.0, 310.0)
    >>> median_interval([310, 90, 120, 150, 170]) is None
    True
    """
    import numpy as np

    (numbers,) = read(values)
    level = read_level("confidence", confidence)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise UsageError("values holds one number or more, each finite")
    below = _below(int(numbers.size), (1 - level) / 2)
    if not below:
        return None
    ordered = np.sort(numbers)
    return float(ordered[below - 1]), float(ordered[-below])


def _below(n: int, tail: float) -> int:
    """The largest j at which a fair coin shows heads less than j times of *n* with a chance of *tail* at most."""
    from scipy.special import bdtr

    low, high = 0, n  # holds at the first, and not at the last
    while high - low > 1:
        middle = (low + high) // 2
        if bdtr(middle - 1, n, 0.5) <= tail:
            low = middle
        else:
            high = middle
    return low
