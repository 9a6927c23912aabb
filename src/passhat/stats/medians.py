"""The median of some numbers, of whose distribution nothing is known."""

from __future__ import annotations

from passhat.stats.arrays import Many, read_row
from passhat.stats.scalars import read_level


def median_interval(values: Many, *, confidence: float = 0.95) -> tuple[float, float]:
    """The interval for the median that *values* were drawn around; endless where they are too few.

    Formula: the r-th smallest to the r-th largest, with the largest r for which 2·P(Binomial(n, ½) < r) is at most
    1-confidence.
    Valid when: the values are independent, and each lies above the median, or below it, with a chance of ½ at most.
    It covers with at least *confidence*, whatever their distribution is.
    Source: Thompson 1936.

    >>> median_interval([3.0, 1.0, 2.0, 9.0, 4.0, 7.0])
    (1.0, 9.0)
    """
    import numpy as np
    from scipy.special import bdtr

    ordered = np.sort(read_row("values", values))
    error = 1 - read_level("confidence", confidence)
    below = 2 * bdtr(np.arange(ordered.size // 2 + 1), ordered.size, 0.5)
    rank = int(np.count_nonzero(below <= error))
    if not rank:
        return float("-inf"), float("inf")
    return float(ordered[rank - 1]), float(ordered[-rank])
