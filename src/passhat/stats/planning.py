"""How many runs catch a drop, which drop some runs catch, and how surely: three sides of one equation.

Here stand the formulas that a normal approximation gives, in standard-library maths. The exact answers stand in
`power.py`, which these three functions call for the methods "exact" and "wilson".

Methods that begin with "two-sample" count the runs of one arm, the others those of the only one.

Correlated runs count for less. With *trials* runs of each task, and *icc* of the variance lying between tasks, n runs
are worth n/(1 + (trials-1)·icc) independent ones: the design effect, by which every method's count is multiplied. It
belongs to the question about tasks like these. For these very tasks icc = 0 is on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable
from math import asin, inf, sqrt
from typing import NamedTuple

from passhat.errors import UsageError
from passhat.stats.methods import read_name
from passhat.stats.scalars import normal_cdf, normal_quantile, read_icc, read_share, read_whole, whole_up

_SMALLEST_DROP = 1e-6
_HALVINGS = 60


class RunsNeeded(NamedTuple):
    """How many runs catch a drop.

    *runs* is the count to plan with; of two arms, in each. *formula* is what the formula gave before it was rounded
    up. Exact power goes up and down as runs are added: *first* is the first count with the wanted power, *safe* the
    first from which on no count has less.
    """

    runs: int
    formula: float | None
    method: str
    first: int | None = None
    safe: int | None = None


Scales = Callable[[float, float], tuple[float, float]]


def _one_sample(p0: float, p1: float) -> tuple[float, float]:
    """The standard deviations of one run at the baseline, and after the drop."""
    return sqrt(p0 * (1 - p0)), sqrt(p1 * (1 - p1))


def _pooled(p0: float, p1: float) -> tuple[float, float]:
    """Two arms: the deviation that the test takes for granted is that of their common rate."""
    mean = (p0 + p1) / 2
    return sqrt(2 * mean * (1 - mean)), sqrt(p0 * (1 - p0) + p1 * (1 - p1))


def _unpooled(p0: float, p1: float) -> tuple[float, float]:
    """Two arms, each with its own rate."""
    deviation = sqrt(p0 * (1 - p0) + p1 * (1 - p1))
    return deviation, deviation


def _arcsine(p0: float, p1: float) -> tuple[float, float]:
    """Two arms on the scale 2·arcsin√p, where a run has the same variance at every rate."""
    deviation = sqrt(2) * (p0 - p1) / (2 * asin(sqrt(p0)) - 2 * asin(sqrt(p1)))
    return deviation, deviation


# Each formula: its two deviations (s0, s1), and what a correction for continuity does to the count.
_FORMULAS: dict[str, tuple[Scales, str]] = {
    "normal": (_one_sample, ""),
    "continuity": (_one_sample, "nist"),
    "two-sample": (_pooled, ""),
    "two-sample-unpooled": (_unpooled, ""),
    "two-sample-arcsine": (_arcsine, ""),
    "two-sample-continuity": (_pooled, "fleiss"),
}
DROP_METHODS = (*_FORMULAS, "exact", "wilson")


def runs_to_detect(
    baseline: float,
    drop: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: str = "normal",
    two_sided: bool = False,
    icc: float = 0.0,
    trials: int = 1,
) -> RunsNeeded:
    """How many runs flag a drop of *drop* below *baseline* with probability *power*, at *alpha* false alarms.

    Formula: n = ((a·s0 + b·s1)/δ)², with a = z(1-α), or z(1-α/2) where *two_sided*, b = z(power), q = 1-p, and
    normal: s0 = √(p0 q0), s1 = √(p1 q1). continuity: n + 1/δ. two-sample, in each arm: s0 = √(2p̄q̄), p̄ the mean
    rate, s1 = √(p0 q0 + p1 q1); -unpooled: s0 = s1; -arcsine: s0 = s1 = √2·δ/(2 arcsin√p0 - 2 arcsin√p1);
    -continuity: n/4·(1 + √(1 + 4/(nδ)))². exact, wilson: the first and the safe count of `power.py`.
    Valid when: runs are independent, or as alike as *icc* says. One sample: the baseline is known, as from a long
    history; two samples: both arms are fresh. Formulas are approximations and a little hopeful at high rates.
    Source: NIST/SEMATECH e-Handbook 7.2.4.2; Fleiss, Levin & Paik 2003; Cohen 1988 for the arcsine.

    >>> runs_to_detect(0.9, 0.05).runs, round(runs_to_detect(0.9, 0.05).formula, 3)
    (253, 252.159)
    >>> exact = runs_to_detect(0.9, 0.05, method="exact")
    >>> exact.runs, exact.first, exact.safe
    (299, 270, 299)
    """
    p0, p1 = _rates(baseline, drop)
    tail, wanted = _levels(alpha, power, two_sided=two_sided)
    effect = _design_effect(icc, trials)
    if read_name("method", method, DROP_METHODS) not in _FORMULAS:
        from passhat.stats.power import first_and_safe

        counts = first_and_safe(p0, p1, power=wanted, alpha=tail, method=method)
        first, safe = (whole_up(count * effect) for count in counts)
        return RunsNeeded(safe, None, method, first, safe)
    scales, correction = _FORMULAS[method]
    s0, s1 = scales(p0, p1)
    # A power below one half can make the sum negative: then every count has more.
    plain = (max(0.0, -normal_quantile(tail) * s0 + normal_quantile(wanted) * s1) / drop) ** 2
    formula = _corrected(plain, drop, correction) * effect
    return RunsNeeded(whole_up(formula), formula, method)


def achieved_power(
    baseline: float,
    drop: float,
    runs: int,
    *,
    alpha: float = 0.05,
    method: str = "normal",
    two_sided: bool = False,
    icc: float = 0.0,
    trials: int = 1,
) -> float:
    """How surely *runs* runs flag a drop of *drop* below *baseline*.

    Formula: Φ((δ√n - a·s0)/s1), with a, s0 and s1 as in `runs_to_detect` and its corrections taken back. exact and
    wilson: P(X ≤ x | p1), x being the most passes at which their test fails a run of n.
    Valid when: as for `runs_to_detect`. A two-sided test's power is that of the side on which the drop lies.
    Source: as for `runs_to_detect`.

    >>> round(achieved_power(0.9, 0.05, 250, method="exact"), 4), round(achieved_power(0.9, 0.05, 253), 4)
    (0.7574, 0.801)
    """
    p0, p1 = _rates(baseline, drop)
    tail, _ = _levels(alpha, None, two_sided=two_sided)
    count = read_whole("runs", runs) / _design_effect(icc, trials)
    if read_name("method", method, DROP_METHODS) not in _FORMULAS:
        from passhat.stats.power import exact_power

        return exact_power(p0, p1, int(count), alpha=tail, method=method)
    return normal_cdf(_shift(p0, p1, count, -normal_quantile(tail), method))


def detectable_drop(
    baseline: float,
    runs: int,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: str = "normal",
    two_sided: bool = False,
    icc: float = 0.0,
    trials: int = 1,
) -> float | None:
    """The smallest drop below *baseline* that *runs* runs flag with probability *power*; None where there is none.

    Formula: the δ at which `achieved_power` is *power*. exact: the test fails a run when the one-sided upper bound
    (Clopper & Pearson 1934) is below the baseline, which is the gate of `passhat.rules.at_least`.
    Valid when: as for `runs_to_detect`. For a mean of pass^k a run is a block of k trials.
    Source: as for `runs_to_detect`.

    >>> round(detectable_drop(0.9, 100), 4), round(detectable_drop(0.9, 100, method="exact"), 4)
    (0.0818, 0.0882)
    """
    p0 = read_share("baseline", baseline)
    tail, wanted = _levels(alpha, power, two_sided=two_sided)
    count = read_whole("runs", runs) / _design_effect(icc, trials)
    if read_name("method", method, DROP_METHODS) not in _FORMULAS:
        from passhat.stats.power import exact_drop

        return exact_drop(p0, int(count), power=wanted, alpha=tail, method=method)
    critical, target = -normal_quantile(tail), normal_quantile(wanted)
    if _shift(p0, 0.0, count, critical, method) < target:
        return None
    caught, missed = p0, 0.0  # power grows with the drop, so halving finds it
    for _ in range(_HALVINGS):
        middle = (caught + missed) / 2
        if _shift(p0, p0 - middle, count, critical, method) >= target:
            caught = middle
        else:
            missed = middle
    return caught


def read_drop(value: float, *, baseline: float = 1.0, name: str = "drop") -> float:
    """A drop to plan for, no larger than the baseline.

    >>> read_drop(0.05)
    0.05
    """
    size = read_share(name, value, high=inf)
    most = f"the baseline, {baseline:.10g}" if baseline < 1 else "the baseline"
    if not _SMALLEST_DROP <= size <= baseline:
        raise UsageError(f"{name} is from {_SMALLEST_DROP:g} to {most}, not {name}={size:.10g}")
    return size


def _shift(p0: float, p1: float, count: float, critical: float, method: str) -> float:
    """How many deviations the critical value lies above what is expected after the drop."""
    scales, correction = _FORMULAS[method]
    s0, s1 = scales(p0, p1)
    drop = p0 - p1
    plain = _uncorrected(count, drop, correction)
    distance = drop * sqrt(plain) - critical * s0
    return distance / s1 if s1 else inf if distance >= 0 else -inf


def _corrected(count: float, drop: float, correction: str) -> float:
    """The count with its correction for continuity."""
    if correction == "nist":
        return count + 1 / drop
    if correction == "fleiss":
        return ((sqrt(count) + sqrt(count + 4 / drop)) / 2) ** 2
    return count


def _uncorrected(count: float, drop: float, correction: str) -> float:
    """The count that `_corrected` would turn into this one; 0 where none would."""
    if not correction:
        return count
    rest = max(0.0, count - 1 / drop)
    return rest if correction == "nist" else rest**2 / count


def _rates(baseline: float, drop: float) -> tuple[float, float]:
    """The rate before the drop, and after it."""
    p0 = read_share("baseline", baseline)
    size = read_drop(drop, baseline=p0)
    return p0, p0 - size


def _levels(alpha: float, power: float | None, *, two_sided: bool) -> tuple[float, float]:
    """The tail in which the test fails a run, and the wanted power."""
    level = read_share("alpha", alpha, high=0.5)
    tail = level / 2 if two_sided else level
    if power is None:
        return tail, level
    wanted = read_share("power", power)
    if wanted <= level:
        raise UsageError(f"power is above alpha, {level:.10g}, not power={wanted:.10g}: a coin would do better")
    return tail, wanted


def _design_effect(icc: float, trials: int) -> float:
    """How many correlated runs are worth one independent run."""
    return 1 + (read_whole("trials", trials) - 1) * read_icc(icc)
