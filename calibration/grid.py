"""The suites that are measured: how many tasks and trials, at which k, and the true rates of their tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincinv, betaln, gammaln

from passhat.stats.arrays import Array

TASKS = (5, 20, 100)
TRIALS = (4, 10, 30)
KS = (1, 2, 5, 10)
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Mix:
    """Rates that tasks have: a few, each with its share of the tasks, or a Beta distribution of them."""

    name: str
    rates: tuple[tuple[float, float], ...] = ()
    beta: tuple[float, float] | None = None

    def of(self, tasks: int) -> Array:
        """The rates of just these tasks, lowest first: the mix's quantiles at (i + ½) / T."""
        at = (np.arange(tasks) + 0.5) / tasks
        if self.beta:
            quantiles: Array = betaincinv(*self.beta, at)
            return quantiles
        rates, shares = np.array(sorted(self.rates)).T
        chosen: Array = rates[np.searchsorted(np.cumsum(shares) - 1e-9, at)]
        return chosen

    def moment(self, k: int) -> float:
        """The mean of rate^k over all tasks of the kind."""
        if self.beta:
            a, b = self.beta
            return float(np.exp(betaln(a + k, b) - betaln(a, b)))
        return sum(share * rate**k for rate, share in self.rates)

    def probabilities(self, n: int) -> Array:
        """How likely each number of passes is in *n* trials of a task drawn from the kind."""
        if self.beta:
            c, (a, b) = np.arange(n + 1), self.beta
            chosen = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
            weights = np.exp(chosen + betaln(c + a, n - c + b) - betaln(a, b))
            drawn: Array = weights / weights.sum()
            return drawn
        mixed: Array = np.sum([share * binomial(n, rate) for rate, share in self.rates], axis=0)
        return mixed

    def mirrored(self) -> Mix:
        """The failure rates, for pass@k: it is 1 - pass^k of the failures."""
        rates = tuple((1 - rate, share) for rate, share in self.rates)
        return Mix(self.name, rates, self.beta and (self.beta[1], self.beta[0]))


def binomial(n: int, rate: float | Array) -> Array:
    """How likely each number of passes is in *n* trials, on a new axis: differences of the distribution function."""
    c = np.arange(n)
    upto = betainc(n - c, c + 1, 1 - np.asarray(rate, dtype=float)[..., None])
    return np.diff(upto, prepend=0.0, append=1.0)


MIXES = (
    Mix("all 1", ((1.0, 1.0),)),
    Mix("all .99", ((0.99, 1.0),)),
    Mix("all .9", ((0.9, 1.0),)),
    Mix("all .5", ((0.5, 1.0),)),
    Mix("½ at 1, ½ at .5", ((1.0, 0.5), (0.5, 0.5))),
    Mix("90 % at 1, 10 % at .5", ((1.0, 0.9), (0.5, 0.1))),
    Mix("Beta(.83, .37)", beta=(0.83, 0.37)),
    Mix("¼ each 1, .9, .5, 0", ((1.0, 0.25), (0.9, 0.25), (0.5, 0.25), (0.0, 0.25))),
)


@dataclass(frozen=True, slots=True)
class Group:
    """*tasks* tasks with *n* trials each, and how likely each number of passes is."""

    n: int
    tasks: int
    probabilities: Array


@dataclass(frozen=True, slots=True)
class Design:
    """A suite: its groups of tasks that are alike, and the true mean of rate^k, for just these or for their kind."""

    tasks: int
    trials: str
    mix: str
    speaks_of: str
    groups: tuple[Group, ...]
    truth: Callable[[int], float]

    @property
    def ks(self) -> tuple[int, ...]:
        """The k's that every task has trials for."""
        fewest = min(group.n for group in self.groups)
        return tuple(k for k in KS if k <= fewest)


def design(mix: Mix, trials: Array, speaks_of: str, name: str = "") -> Design:
    """A suite whose i-th task, lowest rate first, has the i-th of *trials*; drawn from the mix for `like-these`."""
    name = name or str(int(trials[0]))
    if speaks_of == "like-these":
        sizes, tasks = np.unique(trials, return_counts=True)
        groups = [Group(int(n), int(count), mix.probabilities(int(n))) for n, count in zip(sizes, tasks, strict=True)]
        return Design(trials.size, name, mix.name, speaks_of, tuple(groups), mix.moment)
    rates = mix.of(trials.size)
    pairs, tasks = np.unique(np.stack([trials, rates]), axis=1, return_counts=True)
    groups = [Group(int(n), int(count), binomial(int(n), rate)) for n, rate, count in zip(*pairs, tasks, strict=True)]
    return Design(trials.size, name, mix.name, speaks_of, tuple(groups), lambda k: float(np.mean(rates**k)))


def both(mix: Mix, trials: Array, name: str = "") -> Iterator[Design]:
    """The suite as just these tasks, and as a sample of tasks like these."""
    for speaks_of in ("these", "like-these"):
        yield design(mix, trials, speaks_of, name)


def unequal() -> dict[str, Array]:
    """Trials that are not the same for all of 20 tasks: by voids, by stopping early, by topping up."""
    twenty = np.arange(20)
    return {
        "9 or 10": np.where(twenty % 2, 9, 10),
        "4 where the rate is low, else 30": np.where(twenty < 10, 4, 30),
        "30 where the rate is low, else 4": np.where(twenty < 10, 30, 4),
        "2 for the lowest rate, else 30": np.where(twenty < 1, 2, 30),
        "2 for the highest rate, else 30": np.where(twenty > 18, 2, 30),
    }
