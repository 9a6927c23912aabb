"""Intervals for one rate, and for pass^k and pass@k of one task. Those for a suite stand in `suite`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from passhat.stats.arrays import Array, Numbers, like, read, read_counts, read_rate, require
from passhat.stats.methods import read_name
from passhat.stats.passk import at_least_of_k, pass_at_k, pass_hat_k
from passhat.stats.scalars import read_level
from passhat.stats.sequence import confidence_sequence


def interval(
    c: Numbers, n: Numbers, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> tuple[Numbers, Numbers]:
    """The interval for a rate from *c* passes in *n* trials, by a method that is named.

    Formula: `clopper-pearson` and `confidence-sequence` as in the functions of these names. With z the normal
    quantile (1+confidence)/2 and p = c/n: `wilson` is (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n);
    `wilson-cc`, with continuity correction, is its lower end for c-½ and its upper end for c+½ passes;
    `wald` is p ± z·√(p(1-p)/n), cut to [0, 1]; `jeffreys` and `uniform` are the quantiles (1∓confidence)/2 of
    Beta(c+½, n-c+½) and Beta(c+1, n-c+1), taken as they are: at c = 0 and c = n they stop short of 0 and of 1.
    Valid when: trials are independent and alike; `is_approximate` tells for which method that is not enough.
    Source: Clopper & Pearson 1934; Wilson 1927; Brown, Cai & DasGupta 2001 for the others and their coverage;
    the correction as in Newcombe 1998, method 4.

    >>> [round(bound, 6) for bound in interval(8, 10, method="wilson")]
    [0.490162, 0.943318]
    """
    form = _FORMS[read_name("method", method, _FORMS)]
    level = read_level("confidence", confidence)
    low, high = form(*read_rate(c, n), confidence=level)
    return like(c, low), like(c, high)


def clopper_pearson(c: Numbers, n: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The two-sided exact interval for a rate, from *c* passes in *n* trials; counts may be real numbers.

    Formula: quantiles (1-confidence)/2 of Beta(c, n-c+1) and (1+confidence)/2 of Beta(c+1, n-c); 0 at c = 0
    and 1 at c = n.
    Valid when: c is binomial; it then covers with at least *confidence*, at every n and p. Needs n > 0 and
    0 ≤ c ≤ n.
    Source: Clopper & Pearson 1934.

    >>> [round(bound, 6) for bound in clopper_pearson(8, 10)]
    [0.443905, 0.974789]
    """
    return one_sided(c, n, confidence=(1 + read_level("confidence", confidence)) / 2)


def one_sided(c: Numbers, n: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """A lower and an upper bound for a rate, each holding with *confidence* on its own.

    Formula: quantile 1-confidence of Beta(c, n-c+1), and quantile confidence of Beta(c+1, n-c).
    Valid when: c is binomial, and one of the two bounds is used. Needs n > 0 and 0 ≤ c ≤ n.
    Source: Clopper & Pearson 1934.

    >>> round(one_sided(10, 10)[0], 6)
    0.741134
    """
    import numpy as np
    from scipy.special import betaincinv

    level = read_level("confidence", confidence)
    passes, trials = read_rate(c, n)
    # Where Beta has no such quantile the bound is 0 or 1, and the 1 put in its place is never used.
    none, every = passes == 0, passes == trials
    low = np.where(none, 0.0, betaincinv(np.where(none, 1, passes), trials - passes + 1, 1 - level))
    high = np.where(every, 1.0, betaincinv(passes + 1, np.where(every, 1, trials - passes), level))
    return like(c, low), like(c, high)


def pass_hat_k_interval(
    n: Numbers, c: Numbers, k: int | Array, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> tuple[Numbers, Numbers]:
    """The interval for pass^k of one task.

    Formula: (L^k, U^k), where (L, U) is the interval for c of n by *method*; an end gives way to the estimate
    where that lies beyond it (the estimate is 0 where c < k, while L^k is not).
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n. It covers p^k at least as (L, U) covers p.
    Source: Clopper & Pearson 1934, and that p → p^k is increasing.

    >>> [round(bound, 6) for bound in pass_hat_k_interval(10, 8, 3)]
    [0.087472, 0.926259]
    """
    import numpy as np

    trials, passes, size = read_counts(n, c, k)
    low, high = interval(passes, trials, confidence=confidence, method=method)
    estimate = pass_hat_k(trials, passes, size)
    return like(n, np.minimum(np.power(low, size), estimate)), like(n, np.maximum(np.power(high, size), estimate))


def pass_at_k_interval(
    n: Numbers, c: Numbers, k: int | Array, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> tuple[Numbers, Numbers]:
    """The interval for pass@k of one task.

    Formula: (1-(1-L)^k, 1-(1-U)^k), where (L, U) is the interval for c of n by *method*; an end gives way to
    the estimate where that lies beyond it.
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n.
    Source: as for `pass_hat_k_interval`.

    >>> [round(bound, 6) for bound in pass_at_k_interval(10, 2, 3)]
    [0.073741, 0.912528]
    """
    import numpy as np

    trials, passes, size = read_counts(n, c, k)
    low, high = interval(passes, trials, confidence=confidence, method=method)
    estimate = pass_at_k(trials, passes, size)
    least, most = 1 - np.power(1 - low, size), 1 - np.power(1 - high, size)
    return like(n, np.minimum(least, estimate)), like(n, np.maximum(most, estimate))


def at_least_of_k_interval(
    n: Numbers, c: Numbers, k: int | Array, at_least: int | Array, *, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """The interval for the probability that *at_least* of *k* trials of one task pass.

    Formula: (T(L), T(U)) with T(p) = P(Binomial(k, p) ≥ at_least) and (L, U) Clopper-Pearson for c of n; an end
    gives way to the estimate where that lies beyond it.
    Valid when: the trials are independent and alike, 1 ≤ at_least ≤ k ≤ n.
    Source: Clopper & Pearson 1934, and that T is increasing.

    >>> [round(bound, 6) for bound in at_least_of_k_interval(10, 8, 3, 3)]
    [0.087472, 0.926259]
    """
    import numpy as np
    from scipy.special import betainc

    trials, passes, size, least = read(*read_counts(n, c, k), at_least)
    require(
        (least >= 1) & (least <= size) & (least == np.floor(least)), "at_least is from 1 to k", at_least=least, k=size
    )
    low, high = (
        betainc(least, size - least + 1, end) for end in clopper_pearson(passes, trials, confidence=confidence)
    )
    estimate = at_least_of_k(trials, passes, size, least)
    return like(n, np.minimum(low, estimate)), like(n, np.maximum(high, estimate))


def normal_quantile(confidence: float) -> float:
    """The z that a two-sided *confidence* stands for.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri((1 + read_level("confidence", confidence)) / 2))


def _wilson(c: Array, n: Array, *, confidence: float) -> tuple[Array, Array]:
    import numpy as np

    square = normal_quantile(confidence) ** 2
    middle = (c + square / 2) / (n + square)
    half = np.sqrt(square * (c * (n - c) / n + square / 4)) / (n + square)
    # At the edges the ends are 0 and 1 to the letter; rounding must not move them.
    return np.where(c == 0, 0.0, middle - half), np.where(c == n, 1.0, middle + half)


def _wilson_corrected(c: Array, n: Array, *, confidence: float) -> tuple[Array, Array]:
    import numpy as np

    low, _ = _wilson(np.maximum(c - 0.5, 0), n, confidence=confidence)
    _, high = _wilson(np.minimum(c + 0.5, n), n, confidence=confidence)
    return low, high


def _wald(c: Array, n: Array, *, confidence: float) -> tuple[Array, Array]:
    import numpy as np

    rate = c / n
    half = normal_quantile(confidence) * np.sqrt(rate * (1 - rate) / n)
    return np.maximum(rate - half, 0), np.minimum(rate + half, 1)


def _posterior(c: Array, n: Array, *, confidence: float, prior: float) -> tuple[Array, Array]:
    """The equal-tailed interval of the posterior under Beta(prior, prior)."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    return betaincinv(c + prior, n - c + prior, tail), betaincinv(c + prior, n - c + prior, 1 - tail)


_FORMS: dict[str, Callable[..., tuple[Array, Array]]] = {
    "clopper-pearson": clopper_pearson,
    "confidence-sequence": confidence_sequence,
    "wilson": _wilson,
    "wilson-cc": _wilson_corrected,
    "jeffreys": partial(_posterior, prior=0.5),
    "uniform": partial(_posterior, prior=1.0),
    "wald": _wald,
}
