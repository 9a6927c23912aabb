"""How many runs an interval of a wanted width takes, and how wide it is for the runs there are.

The question is asked before any run, so it is answered for the rate at which intervals are widest, one half, unless
another is named. Standard-library maths; Clopper-Pearson's quantiles alone take scipy.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal

from passhat.errors import UsageError
from passhat.stats.methods import read_name
from passhat.stats.scalars import normal_quantile, read_icc, read_share, read_whole, whole_up

WIDTH_METHODS = ("wald", "wilson", "clopper-pearson")
_NARROWEST = 1e-6
_WIDEST = 0.5
_ROUNDED = {0.90: 1.645, 0.95: 1.96, 0.99: 2.576}


def recommend_runs(
    half_width: float, confidence: float = 0.95, *, method: str = "wald", z: Literal["exact", "rounded"] = "exact"
) -> int:
    """How many runs give an interval that is no wider than twice *half_width*, whatever the rate.

    Formula: wald ⌈(z/h)²·¼⌉; wilson ⌈(z/h)²·¼ - z²⌉; clopper-pearson the least N whose interval at one half, or
    either side of it, is no wider.
    Valid when: runs are independent and alike. All three take the worst case, a rate of one half. Wald's interval alone
    is centred on the rate that was seen. z="rounded" takes 1.645, 1.96 and 2.576 for 90, 95 and 99 %, as printed
    tables do.
    Source: the normal approximation; Wilson 1927; Clopper & Pearson 1934.

    >>> recommend_runs(0.05), recommend_runs(0.05, method="wilson"), recommend_runs(0.05, method="clopper-pearson")
    (385, 381, 402)
    """
    width = read_half_width(half_width)
    critical = _critical(confidence, z)
    wald = 0.25 * (critical / width) ** 2
    match read_name("method", method, WIDTH_METHODS):
        case "wald":
            return whole_up(wald)
        case "wilson":
            return whole_up(wald - critical**2)
        case _:
            return _least_exact(width, confidence, most=2 * whole_up(wald + 1 / width))


def confidence_band(
    runs: int,
    confidence: float = 0.95,
    *,
    rate: float = 0.5,
    method: str = "wald",
    z: Literal["exact", "rounded"] = "exact",
) -> float:
    """Half the width of the interval of *runs* runs, at the worst rate or at *rate*.

    Formula: wald z·√(pq/N); wilson z/(1+z²/N)·√(pq/N + z²/4N²); clopper-pearson half of its width at pN passes.
    Valid when: runs are independent and alike. Near 0 and 1 Wald's is too narrow: it has no width at all there.
    Source: as for `recommend_runs`.

    >>> confidence_band(100, z="rounded")
    0.098
    """
    count, critical, level = read_whole("runs", runs), _critical(confidence, z), read_icc(rate, name="rate")
    spread = level * (1 - level) / count
    match read_name("method", method, WIDTH_METHODS):
        case "wald":
            return critical * sqrt(spread)
        case "wilson":
            square = critical**2 / count
            return critical / (1 + square) * sqrt(spread + square / (4 * count))
        case _:
            return _exact(count, confidence, level)


def read_half_width(value: float, *, name: str = "half_width") -> float:
    """A half-width to plan with: 0.5 is the widest that there is, an interval from 0 to 1.

    >>> read_half_width(0.05)
    0.05
    """
    width = read_share(name, value)
    if not _NARROWEST <= width <= _WIDEST:
        asked = f"{name} is from {_NARROWEST:g} to {_WIDEST:g}, not {name}={width:.10g}"
        raise UsageError(f"{asked}: that of an interval from 0 to 1 is {_WIDEST:g}")
    return width


def _critical(confidence: float, z: str) -> float:
    """The two-sided critical value."""
    level = read_share("confidence", confidence)
    if not isinstance(z, str) or z not in ("exact", "rounded"):
        raise UsageError(f"z is exact or rounded, not {z!r:.80}")
    if z == "exact":
        return -normal_quantile((1 - level) / 2)
    if level not in _ROUNDED:
        raise UsageError(f"z is rounded for a confidence of 0.9, 0.95 or 0.99, not confidence={level:.10g}")
    return _ROUNDED[level]


def _exact(runs: int, confidence: float, rate: float) -> float:
    """Half the width of Clopper-Pearson's interval at rate·runs passes, a real number."""
    from passhat.stats.intervals import clopper_pearson

    low, high = clopper_pearson(rate * runs, float(runs), confidence=confidence)
    return (high - low) / 2


def _least_exact(width: float, confidence: float, *, most: int) -> int:
    """The least N that is wide enough at N/2 passes; the width falls as N grows, so bisection finds it."""
    low, high = 0, most  # the interval of `most` runs is narrow enough, that of no runs is not
    while high - low > 1:
        runs = (low + high) // 2
        if _exact(runs, confidence, 0.5) <= width:
            high = runs
        else:
            low = runs
    return high
