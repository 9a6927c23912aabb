"""One rate, pass^k of one task, the difference of two rates, and looking after every trial: all counted exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.grid import KS, LEVEL, binomial
from passhat.stats import (
    confidence_sequence,
    difference_interval,
    interval,
    pass_at_k_interval,
    pass_hat_k_interval,
)
from passhat.stats.arrays import Array

TRIALS = range(1, 31)
LOOKS = 200
# Coverage falls just beyond an end of an interval, so that is where to look for the lowest.
_BESIDE = 1e-9


@dataclass(frozen=True, slots=True)
class Found:
    """The coverage of an interval over many n and rates: the lowest and where, the mean, and a width to compare."""

    name: str
    lowest: float
    where: str
    mean: float
    width: float


@dataclass(frozen=True, slots=True)
class At:
    """The coverages at one n, the rates they belong to, and the mean width at a rate of .9."""

    n: int
    rates: Array
    covers: Array
    width: float

    @property
    def regular(self) -> Array:
        """The coverages at evenly spaced rates: those beside an end would weigh too much in a mean."""
        return self.covers[: GRID.size]


GRID = np.linspace(0.001, 0.999, 999)


@dataclass(frozen=True, slots=True)
class Scale:
    """What an interval is for, as a function of the rate, and the rate that belongs to a value of it."""

    value: Callable[[Array], Array]
    rate: Callable[[Array], Array]


RATE = Scale(lambda rate: rate, lambda value: value)


def pass_hat(k: int) -> Scale:
    """pass^k of one task."""
    return Scale(lambda rate: rate**k, lambda value: value ** (1 / k))


def pass_at(k: int) -> Scale:
    """pass@k of one task."""
    return Scale(lambda rate: 1 - (1 - rate) ** k, lambda value: 1 - (1 - value) ** (1 / k))


@cache
def _on_grid(n: int) -> Array:
    return binomial(n, GRID)


def coverage(n: int, low: Array, high: Array, scale: Scale) -> At:
    """How often the interval for c of *n* holds the truth, counted over every c, on a grid and beside every end."""
    ends = scale.rate(np.concatenate([low, high]))
    beside = np.concatenate([ends - _BESIDE, ends + _BESIDE])
    beside = beside[(beside > 0) & (beside < 1)]
    rates = np.concatenate([GRID, beside])
    truth = scale.value(rates)[:, None]
    held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    outcomes = np.concatenate([_on_grid(n), binomial(n, beside)])
    return At(n, rates, (outcomes * held).sum(axis=1), float(binomial(n, 0.9) @ (high - low)))


def one_rate(method: str) -> Found:
    """The interval of a rate by *method*, over every n to 30."""
    found = []
    for n in TRIALS:
        low, high = interval(np.arange(n + 1), np.full(n + 1, n), confidence=LEVEL, method=method)
        found.append(coverage(n, low, high, RATE))
    return _summed_up(method, found)


def one_task(metric: str, k: int) -> Found:
    """The interval of pass^k or pass@k of one task, over every n from k to 30."""
    found = []
    for n in TRIALS:
        if n < k:
            continue
        passes, trials = np.arange(n + 1), np.full(n + 1, n)
        if metric == "pass^k":
            low, high = pass_hat_k_interval(trials, passes, k, confidence=LEVEL)
            found.append(coverage(n, low, high, pass_hat(k)))
        else:
            low, high = pass_at_k_interval(trials, passes, k, confidence=LEVEL)
            found.append(coverage(n, low, high, pass_at(k)))
    return _summed_up(metric.replace("k", str(k)), found)


def every_task() -> list[Found]:
    """Both metrics at every k."""
    return [one_task(metric, k) for metric in ("pass^k", "pass@k") for k in KS]


def difference(method: str) -> Found:
    """The difference of two rates from intervals by *method*, over pairs of sizes and a grid of pairs of rates."""
    found: list[tuple[float, str]] = []
    rates = np.concatenate([[0.01, 0.02], np.arange(0.05, 1, 0.05), [0.98, 0.99]])
    for n, m in ((10, 10), (30, 30), (10, 30), (100, 100)):
        first, second = (_estimated(size, method) for size in (n, m))
        low, high = difference_interval((first[0][:, None], first[1][:, None], first[2][:, None]), second)
        by_first, by_second = (binomial(size, rates) for size in (n, m))
        for p, weights in zip(rates, by_first, strict=True):
            truth = (p - rates)[:, None, None]
            held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
            covers = np.einsum("c,qcd,qd->q", weights, held.astype(float), by_second)
            found += [
                (float(cover), f"{n} and {m} trials, {p:.2f} and {q:.2f}")
                for cover, q in zip(covers, rates, strict=True)
            ]
    lowest = min(found)
    return Found(method, lowest[0], lowest[1], float(np.mean([cover for cover, _ in found])), float("nan"))


def ever_outside(rate: float) -> float:
    """How likely the confidence sequence leaves the true rate out at one look or more, of one after every trial."""
    counts = np.arange(LOOKS + 1)
    never = np.zeros(LOOKS + 1)
    never[0] = 1.0
    for n in range(1, LOOKS + 1):
        never[1:] = never[1:] * (1 - rate) + never[:-1] * rate
        never[0] *= 1 - rate
        low, high = confidence_sequence(np.minimum(counts, n), np.full(LOOKS + 1, n), confidence=LEVEL)
        never[(rate < low) | (high < rate)] = 0
    return float(1 - never.sum())


def _estimated(n: int, method: str) -> tuple[Array, Array, Array]:
    """The rate and its interval, for every number of passes; where a quantile stops short of the rate, to the rate."""
    passes = np.arange(n + 1)
    low, high = interval(passes, np.full(n + 1, n), confidence=LEVEL, method=method)
    return passes / n, np.minimum(low, passes / n), np.maximum(high, passes / n)


def _summed_up(name: str, found: list[At]) -> Found:
    lowest = min(found, key=lambda at: float(at.covers.min()))
    rate = lowest.rates[np.argmin(lowest.covers)]
    mean = float(np.mean([at.regular.mean() for at in found]))
    width = next(at.width for at in found if at.n == 10)
    return Found(name, float(lowest.covers.min()), f"n = {lowest.n}, rate {rate:.4f}", mean, width)
