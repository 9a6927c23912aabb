"""The coverage and the width of every interval for a suite's mean, over the outcomes of a design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import betainc

from calibration.counts import Outcomes, outcomes
from calibration.grid import LEVEL, Design, Group, Mix, design
from passhat.stats import at_least_of_k
from passhat.stats.arrays import Array
from passhat.stats.suite import table_intervals
from passhat.stats.suite_table import SuiteTable, suite_table

_AT_ONCE = 20_000
_ENUMERATED: dict[tuple[object, ...], tuple[Array, Array]] = {}


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval that is measured: its method, and whether one of its ends is used alone, as a rule does."""

    name: str
    speaks_of: str
    method: str
    low: bool = True
    high: bool = True

    @property
    def confidence(self) -> float:
        """Of the two-sided interval whose ends these are: an end alone has half of what is left over."""
        return LEVEL if self.low and self.high else 2 * LEVEL - 1


SHOWN = (
    Interval("gate", "these", "gate"),
    Interval("gate, lower end alone", "these", "gate", high=False),
    Interval("gate, upper end alone", "these", "gate", low=False),
    Interval("display", "these", "display"),
    Interval("display, lower end alone", "these", "display", high=False),
    Interval("display, upper end alone", "these", "display", low=False),
    Interval("Korn–Graubard", "like-these", "korn-graubard"),
    Interval("Korn–Graubard, lower end alone", "like-these", "korn-graubard", high=False),
    Interval("Korn–Graubard, upper end alone", "like-these", "korn-graubard", low=False),
)
APPROXIMATE = (
    Interval("z", "these", "z"),
    Interval("t", "like-these", "t"),
    Interval("bootstrap", "like-these", "bootstrap"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One cell: how often an interval held the truth and how wide it was, each with its Monte Carlo error."""

    interval: str
    metric: str
    tasks: int
    trials: str
    k: int
    mix: str
    cover: float
    cover_error: float
    width: float
    width_error: float
    exact: bool

    @property
    def where(self) -> str:
        """The cell, in words."""
        return f"{self.tasks} × {self.trials}, k = {self.k}, {self.mix}"

    def clearly_below(self, level: float) -> bool:
        """Whether the coverage is below *level* by more than three Monte Carlo errors."""
        return self.cover + 3 * self.cover_error < level - 1e-9


def measure(
    suite: Design, intervals: tuple[Interval, ...], *, draws: int, seed: Sequence[int], metric: str = "pass^k"
) -> Iterator[Measured]:
    """Every cell of a design: each interval that speaks of its tasks, at each k.

    For pass@k the design is that of the failures: the interval is the mirror image, and holds where that one does.
    """
    wanted = [one for one in intervals if one.speaks_of == suite.speaks_of]
    found = outcomes(suite, draws, seed)
    truth = np.array([suite.truth(k) for k in suite.ks])
    for one in wanted:
        told = [k for k in suite.ks if one.method != "z" or 2 * k <= found.table.fewest]
        if not told:
            continue
        some = np.isin(suite.ks, told)
        held, width = _held(replace(found, table=found.table.at(some)), one, truth[some], metric)
        (cover, cover_error), (mean, mean_error) = found.mean(held), found.mean(width)
        for i, k in enumerate(told):
            exactly = not found.draws
            if one.method == "gate" and k == 1 and not exactly and len({group.n for group in suite.groups}) == 1:
                cover[i], cover_error[i], exactly = _counted(suite, one, truth[0], metric), 0, True
            yield Measured(
                one.name,
                metric,
                suite.tasks,
                suite.trials,
                k,
                suite.mix,
                float(cover[i]),
                float(cover_error[i]),
                float(mean[i]),
                float(mean_error[i]),
                exactly,
            )


def measure_at_least(mix: Mix, trials: Array, least: int, k: int, *, draws: int, seed: Sequence[int]) -> Measured:
    """The gate's interval for the mean probability that *least* of *k* trials pass, over just these tasks."""
    one, rates = SHOWN[0], mix.of(trials.size)
    found = outcomes(design(mix, trials, "these"), draws, seed)
    shares = at_least_of_k(found.table.n, found.table.c, k, least)[:, None]
    table = replace(found.table, ks=np.array([k]), shares=shares)
    truth = np.array([betainc(least, k - least + 1, rates).mean()])
    low, high = _of_all(table, one)
    (cover, cover_error), (width, width_error) = (
        found.mean(_holds(low, high, truth, one, "pass^k").astype(float)),
        found.mean(high - low),
    )
    name, exact = f"at_least_{least}_of_{k}", not found.draws
    numbers = float(cover[0]), float(cover_error[0]), float(width[0]), float(width_error[0])
    return Measured(one.name, name, trials.size, str(int(trials[0])), k, mix.name, *numbers, exact)


def _held(found: Outcomes, one: Interval, truth: Array, metric: str) -> tuple[Array, Array]:
    """For each outcome and k, whether the interval holds the truth, and its width."""
    low, high = _of_all(found.table, one) if found.draws else _of_enumerated(found.table, one)
    return _holds(low, high, truth, one, metric).astype(float), high - low


def _of_all(table: SuiteTable, one: Interval) -> tuple[Array, Array]:
    """The ends for every suite of a table, some at a time; a bootstrap takes them one by one."""
    alone = one.method == "bootstrap"
    parts = table.tasks[:, None] if alone else np.array_split(table.tasks, len(table.tasks) // _AT_ONCE + 1)
    ends = [
        table_intervals(
            replace(table, tasks=some), tasks=one.speaks_of, method=one.method, confidence=one.confidence, seed=seed
        )
        for seed, some in enumerate(parts)
    ]
    lows, highs = zip(*ends, strict=True)
    return np.concatenate(lows), np.concatenate(highs)


def _of_enumerated(table: SuiteTable, one: Interval) -> tuple[Array, Array]:
    """The same, found once for all mixes: what can come out is the same for all, and only how likely it is differs."""
    key = (table.fewest, table.total, tuple(table.ks.tolist()), one.speaks_of, one.method, one.confidence)
    if key not in _ENUMERATED:
        _ENUMERATED[key] = _of_all(table, one)
    return _ENUMERATED[key]


def _holds(low: Array, high: Array, truth: Array, one: Interval, metric: str) -> Array:
    """Whether the ends that are used leave the truth in; the lower end for pass@k is the failures' upper one."""
    uses_low, uses_high = (one.low, one.high) if metric == "pass^k" else (one.high, one.low)
    # An end that is the truth itself, within rounding, holds it.
    return ((low <= truth + 1e-12) | (not uses_low)) & ((truth - 1e-12 <= high) | (not uses_high))


def _counted(suite: Design, one: Interval, truth: float, metric: str) -> float:
    """The exact coverage of the gate's interval at k = 1, which rests on the total of passes alone."""
    total = np.ones(1)
    for group in suite.groups:
        total = np.convolve(total, _summed(group))
    n = len(total) - 1
    as_one_task = suite_table(np.full(n + 1, n), np.arange(n + 1), [1])
    each = replace(as_one_task, tasks=np.eye(n + 1, dtype=np.int64))
    low, high = table_intervals(each, tasks="these", method="gate", confidence=one.confidence)
    return float(total @ _holds(low[:, 0], high[:, 0], np.asarray(truth), one, metric))


def _summed(group: Group) -> Array:
    """How likely each total of a group's passes is."""
    total = np.ones(1)
    for _ in range(group.tasks):
        total = np.convolve(total, group.probabilities)
    return total
