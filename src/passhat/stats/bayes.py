"""Posteriors of a rate and of pass^k: what is believed of a task or a suite, given a prior. Never for a gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Numbers, like, read, read_counts, read_suite, require
from passhat.stats.passk import product
from passhat.stats.scalars import read_level

_UNIFORM = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class BayesSuite:
    """The posterior of a suite's pass^k, in short: mean, standard deviation, and a normal interval cut to [0, 1]."""

    mean: float
    sd: float
    low: float
    high: float

    method: ClassVar[str] = "Beta posterior of each task, normal interval: approximate"


def bayes_pass_hat_k(n: Numbers, c: Numbers, k: int | Array, *, prior: tuple[float, float] = _UNIFORM) -> Numbers:
    """The posterior mean of p^k, after *c* passes in *n* trials and a Beta *prior* on the rate p.

    Formula: E[p^k] = ∏ (a+i)/(a+b+i) for i = 0 … k-1, with a = prior[0] + c and b = prior[1] + n-c.
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n, and the prior is believed. It is biased towards
    the prior: ten passes of ten give .52 for k = 10 under the uniform one.
    Source: the moments of the Beta distribution; scorio computes the same.

    >>> round(bayes_pass_hat_k(10, 8, 3), 6), round(bayes_pass_hat_k(10, 10, 10), 6)
    (0.453297, 0.52381)
    """
    trials, passes, size = read_counts(n, c, k)
    a0, b0 = _read_prior(prior)
    return like(n, _moment(a0 + passes, b0 + trials - passes, size))


def bayes_suite(
    n: Array, c: Array, k: int, *, prior: tuple[float, float] = _UNIFORM, confidence: float = 0.95
) -> BayesSuite:
    """The posterior of the mean of p_i^k over just these tasks, each with the same Beta *prior*: approximate.

    Formula: mean μ = mean_i E[p_i^k], variance σ² = Σ_i (E[p_i^2k] - E[p_i^k]²)/T², interval μ ± z·σ within [0, 1].
    Valid when: as for `bayes_pass_hat_k`, 1 ≤ k ≤ min(n), tasks independent of each other a priori, and so many
    of them that the normal form does. Its coverage is not assured: it is shown as approximate, and never gates.
    Source: scorio's interval of pass^k; the sum of independent variances.

    >>> suite = bayes_suite([5, 5], [3, 4], 2)
    >>> [round(each, 4) for each in (suite.mean, suite.sd, suite.low, suite.high)]
    [0.4464, 0.1462, 0.1599, 0.7329]
    """
    import numpy as np
    from scipy.special import ndtri

    trials, passes, size = read_suite(n, c, k)
    a0, b0 = _read_prior(prior)
    z = float(ndtri((1 + read_level("confidence", confidence)) / 2))
    a, b = a0 + passes, b0 + trials - passes
    first = _moment(a, b, size)
    spread = np.maximum(_moment(a, b, 2 * size) - first**2, 0)  # rounding may fall below none
    mean, sd = float(first.mean()), float(np.sqrt(spread.sum()) / trials.size)
    return BayesSuite(mean, sd, max(0.0, mean - z * sd), min(1.0, mean + z * sd))


def posterior_at_least(
    n: Numbers, c: Numbers, at_least: float | Array, *, prior: tuple[float, float] = _UNIFORM
) -> Numbers:
    """How probable it is that the rate is *at_least* so much, after *c* passes in *n* trials and a Beta *prior*.

    Formula: P(p ≥ t) = I_{1-t}(b, a), the regularised incomplete Beta function, with a = prior[0] + c and
    b = prior[1] + n-c; under the uniform prior and without a failure it is 1 - t^(n+1).
    Valid when: the trials are independent and alike, 0 ≤ t ≤ 1, and the prior is believed. It is a belief, and no
    confidence: it never gates (`one_sided` may).
    Source: Bayes 1763; the Beta posterior of a binomial rate.

    >>> round(posterior_at_least(10, 9, 0.9), 6), round(posterior_at_least(10, 10, 0.9), 6)
    (0.302643, 0.686189)
    """
    from scipy.special import betainc

    trials, passes, _ = read_counts(n, c, 1)
    trials, passes, line = read(trials, passes, at_least)
    require((line >= 0) & (line <= 1), "at_least, a rate, is from 0 to 1", at_least=line)
    a0, b0 = _read_prior(prior)
    return like(n, betainc(b0 + trials - passes, a0 + passes, 1 - line))


def _read_prior(prior: tuple[float, float]) -> tuple[Array, Array]:
    """The two counts of a Beta prior, each above 0."""
    import numpy as np

    (both,) = read(prior)
    if both.shape != (2,):
        raise UsageError(f"prior is two numbers above 0, of passes and of failures, not {prior!r:.80}")
    a0, b0 = both
    require((a0 > 0) & (b0 > 0) & np.isfinite(a0 + b0), "prior is two numbers above 0", a=a0, b=b0)
    return a0, b0


def _moment(a: Array, b: Array, k: Array) -> Array:
    """E[p^k] of Beta(a, b)."""
    return product(a, a + b, k, 1)
