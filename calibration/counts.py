"""The counts that a suite can give: all of them with their probabilities where they are few, else drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from calibration.grid import Design, Group
from passhat.stats.arrays import Array
from passhat.stats.suite_table import SuiteTable, suite_table

# Suites of up to this many tasks, with equal trials, are enumerated.
_MOST_TASKS = 5


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Histograms of (n, c), a row each, how likely each is, and how many were drawn: 0 where all were counted."""

    table: SuiteTable
    weights: Array
    draws: int

    def mean(self, values: Array) -> tuple[Array, Array]:
        """The mean of *values* over outcomes, and its Monte Carlo error: 0 where nothing was drawn."""
        mean = self.weights @ values
        if not self.draws:
            return mean, np.zeros(mean.shape)
        return mean, np.sqrt(self.weights @ (values - mean) ** 2 / self.draws)


def outcomes(design: Design, draws: int, seed: Sequence[int]) -> Outcomes:
    """Every outcome of a suite of few tasks, or *draws* of them."""
    sizes = sorted({group.n for group in design.groups})
    if design.tasks <= _MOST_TASKS and len(sizes) == 1:
        histograms, weights = enumerated(design.groups)
        draws = 0
    else:
        histograms, weights = drawn(design.groups, draws, seed)
    n = np.concatenate([np.full(size + 1, size) for size in sizes])
    c = np.concatenate([np.arange(size + 1) for size in sizes])
    rows = suite_table(n, c, design.ks)
    return Outcomes(replace(rows, tasks=histograms), weights, draws)


def enumerated(groups: tuple[Group, ...]) -> tuple[Array, Array]:
    """All multisets of counts and their probabilities, one task after the other; groups have equal trials."""
    one_by_one = [group.probabilities for group in groups for _ in range(group.tasks)]
    weights: Array = np.ones(1)
    for tasks, probabilities in enumerate(one_by_one):
        becomes = _one_more(groups[0].n, tasks)
        weights = np.bincount(becomes, (weights[:, None] * probabilities).ravel())
    return _histograms(groups[0].n, len(one_by_one)), weights


@cache
def _multisets(n: int, tasks: int) -> Array:
    """Every multiset of counts from 0 to *n*, sorted, in order."""
    multisets = list(combinations_with_replacement(range(n + 1), tasks))
    return np.array(multisets, dtype=np.int64).reshape(len(multisets), tasks)


@cache
def _one_more(n: int, tasks: int) -> Array:
    """Which multiset each one of *tasks* counts becomes with one more count, 0 to *n*."""
    before, after = _multisets(n, tasks), _multisets(n, tasks + 1)
    grown = np.column_stack([np.repeat(before, n + 1, axis=0), np.tile(np.arange(n + 1), len(before))])
    places = (n + 1) ** np.arange(tasks + 1)[::-1]
    where: Array = np.searchsorted(after @ places, np.sort(grown, axis=1) @ places)
    return where


@cache
def _histograms(n: int, tasks: int) -> Array:
    """How often each count occurs in every multiset; it is the same for every design of that size."""
    multisets = _multisets(n, tasks)
    histograms = np.zeros((len(multisets), n + 1), dtype=np.int64)
    np.add.at(histograms, (np.arange(len(multisets))[:, None], multisets), 1)
    return histograms


def drawn(groups: tuple[Group, ...], draws: int, seed: Sequence[int]) -> tuple[Array, Array]:
    """Suites drawn at random, equal ones counted together."""
    dice = np.random.default_rng(seed)
    columns: dict[int, Array] = {}
    for group in sorted(groups, key=lambda group: group.n):
        # Adding up to 1 within rounding is not enough for numpy's multinomial.
        probabilities = np.clip(group.probabilities, 0, None)
        suites = dice.multinomial(group.tasks, probabilities / probabilities.sum(), size=draws)
        columns[group.n] = columns.get(group.n, 0) + suites
    histograms = np.concatenate(list(columns.values()), axis=1)
    keys = histograms @ dice.integers(2**40, size=histograms.shape[1])
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    return histograms[first], times / draws
