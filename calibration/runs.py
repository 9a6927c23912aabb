"""What is measured: the whole grid, and the small fixed part that every test run measures again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration import rates
from calibration.grid import MIXES, TASKS, TRIALS, Mix, both, unequal
from calibration.rates import Found
from calibration.suites import APPROXIMATE, SHOWN, Interval, Measured, measure, measure_at_least
from passhat.stats.arrays import Array

SEED = 20_261_119
DRAWS, FIXED_DRAWS, BOOTSTRAPPED = 20_000, 4_000, 300
ONE_RATE = ("clopper-pearson", "confidence-sequence", "wilson", "jeffreys", "uniform", "wald")
DIFFERENCES = ("clopper-pearson", "wilson", "jeffreys")
LOOKED_AT = (0.05, 0.3, 0.5, 0.9, 0.99)
METRICS = ("pass^k", "pass@k")
AT_LEAST = ((2, 5), (4, 5), (8, 10))
# The mixes whose widths are shown side by side at 20 tasks × 10 trials.
COMPARED = ("all .9", "½ at 1, ½ at .5", "all 1")
_BOOTSTRAP = tuple(one for one in APPROXIMATE if one.method == "bootstrap")
_TEXTBOOK = tuple(one for one in APPROXIMATE if one.method != "bootstrap")


@dataclass(frozen=True, slots=True)
class Fixed:
    """The small part: one rate, one task, all suites of five tasks, and 20 tasks × 10 trials."""

    rates: list[Found]
    tasks: list[Found]
    counted: list[Measured]
    compared: list[Measured]


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole grid, suites whose tasks have unequal trials, differences of rates, and looking at any time."""

    grid: list[Measured]
    unequal: list[Measured]
    at_least: list[Measured]
    differences: list[Found]
    outside: list[float]


def fixed() -> Fixed:
    """Some seconds."""
    few = [(n, np.full(5, n)) for n in (4, 10)]
    counted = [cell for n, trials in few for cell in _suites(str(n), trials, SHOWN, draws=0)]
    twenty = np.full(20, 10)
    mixes = [mix for mix in MIXES if mix.name in COMPARED]
    compared = [
        cell
        for mix in mixes
        for cell in _mix(mix, "10", twenty, SHOWN + _TEXTBOOK, draws=FIXED_DRAWS, metric="pass^k")
        if cell.k in {1, 5}
    ]
    return Fixed([rates.one_rate(method) for method in ONE_RATE], rates.every_task(), counted, compared)


def whole() -> Whole:
    """Some minutes."""
    return Whole(
        list(_grid()),
        [cell for name, trials in unequal().items() for cell in _suites(name, trials, SHOWN, draws=DRAWS)],
        list(_at_least()),
        [rates.difference(method) for method in DIFFERENCES],
        [rates.ever_outside(rate) for rate in LOOKED_AT],
    )


def _grid() -> Iterator[Measured]:
    for tasks in TASKS:
        for n in TRIALS:
            trials = np.full(tasks, n)
            yield from _suites(str(n), trials, SHOWN + _TEXTBOOK, draws=DRAWS)
            # Ten thousand resamples of each suite take their time: they are measured where n is 10, and pass^k alone.
            if n == 10 and tasks > 5:
                for mix in MIXES:
                    yield from _mix(mix, str(n), trials, _BOOTSTRAP, draws=BOOTSTRAPPED, metric="pass^k")


def _at_least() -> Iterator[Measured]:
    for tasks in TASKS:
        for n in TRIALS[1:]:
            for index, mix in enumerate(MIXES):
                for least, k in AT_LEAST:
                    seed = (SEED, tasks, n, index, least, k)
                    yield measure_at_least(mix, np.full(tasks, n), least, k, draws=DRAWS, seed=seed)


def _suites(name: str, trials: Array, intervals: tuple[Interval, ...], *, draws: int) -> Iterator[Measured]:
    for metric in METRICS:
        for mix in MIXES:
            yield from _mix(mix, name, trials, intervals, draws=draws, metric=metric)


def _mix(
    mix: Mix, name: str, trials: Array, intervals: tuple[Interval, ...], *, draws: int, metric: str
) -> Iterator[Measured]:
    seen = mix if metric == "pass^k" else mix.mirrored()
    for question, design in enumerate(both(seen, trials, name)):
        seed = (SEED, *trials.tolist(), MIXES.index(mix), METRICS.index(metric), question)
        yield from measure(design, intervals, draws=draws, seed=seed, metric=metric)
