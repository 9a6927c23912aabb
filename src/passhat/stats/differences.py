"""The interval for a difference of two estimates, made from the interval of each."""

from __future__ import annotations

import reprlib
from typing import TypeAlias

from passhat.errors import UsageError
from passhat.stats.arrays import Numbers, like, read, read_list, require

Estimated: TypeAlias = tuple[Numbers, Numbers, Numbers]

_MOST = 1e150  # whose square a float still holds


def difference_interval(first: Estimated[Numbers], second: Estimated[Numbers]) -> tuple[Numbers, Numbers]:
    """The interval for *first* - *second*, each given as (value, low, high) of independent estimates.

    Formula: d - √((v1-l1)² + (h2-v2)²) to d + √((h1-v1)² + (v2-l2)²), with d = v1 - v2.
    Valid when: the two are independent, and each interval has the confidence that is wanted of the difference. It is
    approximate, also where both intervals are exact.
    Source: Newcombe 1998, method 10, with Wilson intervals; Zou & Donner 2008 for any others (MOVER).

    >>> from passhat.stats import interval
    >>> new, old = interval(56, 70, method="wilson"), interval(48, 80, method="wilson")
    >>> [round(bound, 6) for bound in difference_interval((0.8, *new), (0.6, *old))]
    [0.052431, 0.333873]
    """
    import numpy as np

    one, other = _read("first", first), _read("second", second)
    v1, l1, h1, v2, l2, h2 = read(*one, *other)
    for value, low, high in ((v1, l1, h1), (v2, l2, h2)):
        ordered = (low <= value) & (value <= high) & (low >= -_MOST) & (high <= _MOST)
        require(ordered, "a value lies within its finite interval", value=value, low=low, high=high)
    difference = v1 - v2
    low, high = difference - np.hypot(v1 - l1, h2 - v2), difference + np.hypot(h1 - v1, v2 - l2)
    return like(one[0], low), like(one[0], high)


def _read(name: str, given: Estimated[Numbers]) -> Estimated[Numbers]:
    """An estimate: its value, and where its interval begins and ends."""
    found = read_list(name, given)
    if len(found) != 3:
        raise UsageError(f"{name} is three numbers, (value, low, high), not {reprlib.repr(given)}")
    return found
