"""The beta-binomial model of a suite: each task's rate is drawn from a Beta distribution, its trials are coins.

Two parameters, the mean rate and the correlation ρ of two trials of one task, predict pass^k at every k: also beyond
the trials that were run, which no unbiased estimate does. That is a model's word, and is labelled so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Numbers, like, read, read_tasks, require
from passhat.stats.curves import count_table
from passhat.stats.passk import product
from passhat.stats.scalars import read_number

_MOST = 1_000_000  # factors, one for each trial in a row


@dataclass(frozen=True, slots=True)
class BetaBinomial:
    """A mean rate, and the correlation ρ of a task's trials: 0 where all tasks are alike, 1 where none is mixed."""

    mean: float
    rho: float

    method: ClassVar[str] = "beta-binomial, model-extrapolated"

    @property
    def a(self) -> float:
        """The Beta distribution's first parameter, mean·(1-ρ)/ρ; infinite at ρ = 0."""
        return self._of(self.mean)

    @property
    def b(self) -> float:
        """The Beta distribution's second parameter, (1-mean)·(1-ρ)/ρ; infinite at ρ = 0."""
        return self._of(1 - self.mean)

    def _of(self, share: float) -> float:
        if not share:
            return 0.0
        return share * (1 - self.rho) / self.rho if self.rho else inf


def beta_binomial_from_moments(m1: float, m2: float) -> BetaBinomial:
    """The beta-binomial whose pass^1 is *m1* and whose pass^2 is *m2*.

    Formula: ρ = (m2 - m1²)/(m1(1-m1)).
    Valid when: 0 ≤ m2 ≤ m1 ≤ 1. An m2 below m1², which chance may bring, is taken as ρ = 0; so is m1 of 0 or 1,
    where there is nothing to correlate.
    Source: the method of moments; four rows of τ-bench's published pass^4 are met to .0354.

    >>> fit = beta_binomial_from_moments(0.692, 0.576)
    >>> round(fit.rho, 4), round(fit.a, 4), round(fit.b, 4)
    (0.4557, 0.8264, 0.3678)
    """
    mean, second = read_number("m1", m1), read_number("m2", m2)
    if not 0 <= mean <= 1:
        raise UsageError(f"m1, the suite's pass^1, is from 0 to 1, not m1={mean:.10g}")
    if not 0 <= second <= mean:
        raise UsageError(f"m2, the suite's pass^2, is from 0 to m1, not m2={second:.10g}, m1={mean:.10g}")
    spread = mean * (1 - mean)
    rho = (second - mean**2) / spread if spread else 0.0
    return BetaBinomial(mean, min(1.0, max(0.0, rho)))


def fit_beta_binomial(n: Array, c: Array) -> BetaBinomial:
    """The beta-binomial under which these counts are likeliest.

    Formula: with θ = ρ/(1-ρ), maximise Σ_i [A_i·ln(μ+iθ) + B_i·ln(1-μ+iθ) - N_i·ln(1+iθ)] over the mean μ and ρ,
    where A_i, B_i and N_i tell how many tasks have more than i passes, failures and trials. No gamma function, so
    nothing cancels as ρ → 0, where it is the binomial.
    Valid when: tasks are alike but for their rates, T ≥ 2, and a task has two trials or more. Without a mixed task
    ρ is 1; where all passed, or all failed, nothing tells ρ, and it is 0.
    Source: Griffiths 1973 for the form of the likelihood.

    >>> fit = fit_beta_binomial([4, 4, 4, 4], [4, 3, 1, 0])
    >>> round(fit.mean, 4), round(fit.rho, 4)
    (0.5, 0.475)
    """
    trials, passes = read_tasks(n, c, least=2)
    if trials.max() < 2:
        raise UsageError("a beta-binomial needs a task with two trials or more, and every task has one")
    likelihood = _Likelihood.of(trials, passes)
    if passes.sum() in {0, trials.sum()}:
        return BetaBinomial(float(passes.sum() > 0), 0.0)
    if not ((passes > 0) & (passes < trials)).any():
        return BetaBinomial(float((passes > 0).mean()), 1.0)
    rho = likelihood.best_rho()
    return BetaBinomial(float(likelihood.best_mean(rho)), float(rho))


def extrapolate_pass_hat_k(fit: BetaBinomial, k: Numbers) -> Numbers:
    """What the model says pass^k is, at any *k*: model-extrapolated, and to be labelled so (`BetaBinomial.method`).

    Formula: ∏ (a+i)/(a+b+i) for i = 0 … k-1, written as mean·∏ (mean(1-ρ) + iρ)/(1-ρ + iρ) from i = 1, which
    holds at ρ = 0 (mean^k) and at ρ = 1 (mean) too.
    Valid when: the model holds for the suite; no interval comes with it. k is a whole number from 1.
    Source: the moments of the Beta distribution. From pass^1 and pass^2 it meets τ-bench's pass^4 to .0354.

    >>> round(extrapolate_pass_hat_k(beta_binomial_from_moments(0.692, 0.576), 8), 4)
    0.3683
    """
    import numpy as np

    if not isinstance(fit, BetaBinomial):
        raise UsageError(f"fit is a BetaBinomial, as fit_beta_binomial gives it, not {type(fit).__name__}")
    (size,) = read(k)
    whole = (size == np.floor(size)) & (size >= 1)
    require(whole & (size <= _MOST), f"k is a whole number from 1 to {_MOST:,}", k=size)
    top, bottom = np.asarray(fit.mean * (1 - fit.rho) + fit.rho), np.asarray(1.0)
    return like(k, np.asarray(fit.mean * product(top, bottom, size - 1, fit.rho)))


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """How many tasks have more than i passes, failures and trials, for i = 0, 1, …: all that the likelihood needs."""

    passes: Array
    failures: Array
    trials: Array

    @classmethod
    def of(cls, n: Array, c: Array) -> _Likelihood:
        import numpy as np

        table = count_table(n, c)
        most = int(table.n.max())

        def more_than(count: Array) -> Array:
            held = np.bincount(count, weights=table.tasks, minlength=most + 1)
            return held[::-1].cumsum()[::-1][1:]

        return cls(more_than(table.c), more_than(table.n - table.c), more_than(table.n))

    def best_rho(self) -> float:
        """The likeliest ρ: the best place of a grid, then the root of the slope between its neighbours."""
        import numpy as np

        grid = np.linspace(0, 1, 33, endpoint=False)
        best = int(self.value(grid).argmax())
        if best == 0 and self.slope(0.0) <= 0:
            return 0.0
        low, high = grid[max(best - 1, 0)], grid[best + 1] if best + 1 < grid.size else 1 - 1e-12
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self.slope(middle) > 0 else (low, middle)
        return float((low + high) / 2)

    def best_mean(self, rho: float | Array) -> Array:
        """The likeliest mean at each *rho*, by bisection: the likelihood is concave in the mean."""
        import numpy as np

        steps = self._steps(rho)
        low, high = np.zeros(np.shape(rho)), np.ones(np.shape(rho))
        for _ in range(55):
            middle = (low + high) / 2
            up = (self.passes / (middle[..., None] + steps)).sum(axis=-1)
            down = (self.failures / (1 - middle[..., None] + steps)).sum(axis=-1)
            low, high = np.where(up > down, middle, low), np.where(up > down, high, middle)
        mean: Array = (low + high) / 2
        return mean

    def value(self, rho: Array) -> Array:
        """The logarithm of the likelihood at each *rho*, with the mean that is best there."""
        import numpy as np

        mean, steps = self.best_mean(rho)[..., None], self._steps(rho)
        passed = self.passes * np.log(mean + steps)
        failed = self.failures * np.log(1 - mean + steps)
        value: Array = (passed + failed - self.trials * np.log(1 + steps)).sum(axis=-1)
        return value

    def slope(self, rho: float) -> float:
        """The slope of the value in θ at *rho*: above 0 where more correlation is likelier."""
        mean, steps = self.best_mean(rho)[..., None], self._steps(rho)
        rise = self.passes / (mean + steps) + self.failures / (1 - mean + steps) - self.trials / (1 + steps)
        i = self._index()
        return float((i * rise).sum())

    def _steps(self, rho: float | Array) -> Array:
        """i·θ for every i, along a last axis."""
        import numpy as np

        share = np.asarray(rho)[..., None]
        steps: Array = self._index() * share / (1 - share)
        return steps

    def _index(self) -> Array:
        import numpy as np

        return np.arange(self.trials.size)
