"""How much pass^k of one task, and its mean over tasks, would move if the trials were run again.

The variances are exact or unbiased. The standard errors lead to the approximate intervals and to nothing that gates.
"""

from __future__ import annotations

from passhat.stats.arrays import Array, Many, Numbers, like, read, read_counts, read_suite, require
from passhat.stats.methods import read_name
from passhat.stats.passk import pass_hat_k

# What a mean over tasks may speak of.
TASKS = ("these", "like-these")
_AT_ONCE = 262_144


def variance_pass_hat_k(n: Numbers, c: Numbers, k: int | Array) -> Numbers:
    """The variance of one task's estimate of pass^k, estimated from *c* passes in *n* trials.

    Formula: U_k² - U_2k, with U_k = C(c, k) / C(n, k). It is 0 where all passed: it cannot see what did not occur.
    Valid when: the trials are independent and alike, 2k ≤ n. It is then unbiased, since E[U_2k] = p^2k.
    Source: the U-statistics of "all k pass" and "all 2k pass" (Hoeffding 1948).

    >>> round(variance_pass_hat_k(10, 8, 3), 6)
    0.084444
    """
    trials, passes, size = read_counts(n, c, k)
    require(2 * size <= trials, "k is at most n/2, since 2k trials tell how much k of them vary", n=trials, k=size)
    variance = pass_hat_k(trials, passes, size) ** 2 - pass_hat_k(trials, passes, 2 * size)
    return like(n, variance)


def exact_variance(n: Numbers, p: Numbers, k: int | Array) -> Numbers:
    """The variance of pass^k's estimate from *n* trials, where the true rate is *p*.

    Formula: (1-p)·Σ_j H_j·p^(2k-j) for j = 1 … k, where H_j is the share of pairs of k-subsets that have j trials
    or more in common: the sum of C(k, i)·C(n-k, k-i) / C(n, k) over i = j … k.
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n, 0 ≤ p ≤ 1. No term is negative, so nothing cancels.
    Source: Hoeffding 1948.

    >>> round(exact_variance(10, 0.8, 3), 6)
    0.062293
    """
    import numpy as np

    trials, rate, size = read(n, p, k)
    read_counts(trials, trials, size)
    require((rate >= 0) & (rate <= 1), "p, a rate, is from 0 to 1", p=rate)
    flat = np.stack([trials.ravel(), rate.ravel(), size.ravel()])
    step = max(1, _AT_ONCE // (int(size.max(initial=0)) + 1))
    parts = [np.empty(0)] + [_variance(*flat[:, start : start + step]) for start in range(0, flat.shape[1], step)]
    return like(n, np.concatenate(parts).reshape(trials.shape))


def standard_error(n: Many, c: Many, k: int, *, tasks: str = "these") -> float:
    """The standard error of the mean of pass^k over tasks, as the textbooks have it.

    Formula: √(Σ (U_k² - U_2k)) / T for `these` tasks, and sd(U_k) / √T for tasks `like-these`.
    Valid when: for these, 2k ≤ n; for tasks like these, T ≥ 2. Both are 0 where all passed, and the intervals that
    they lead to cover too little: they are approximate.
    Source: Hoeffding 1948; the central limit theorem over tasks.

    >>> round(standard_error([4, 4, 4, 4], [4, 3, 1, 0], 2), 6)
    0.125
    """
    import numpy as np

    trials, passes, size = read_suite(n, c, k)
    if read_name("kind of tasks", tasks, TASKS) == "these":
        return float(np.sqrt(variance_pass_hat_k(trials, passes, size).sum()) / trials.size)
    require(np.asarray(trials.size > 1), "a spread between tasks needs 2 of them", tasks=np.asarray(trials.size))
    return float(pass_hat_k(trials, passes, size).std(ddof=1) / np.sqrt(trials.size))


def overlaps(n: Array, k: Array, upto: int) -> Array:
    """The share of pairs of *k*-subsets of *n* trials that have j or more in common: on a new axis, j = 0 … upto.

    >>> import numpy as np
    >>> overlaps(np.array(4.0), np.array(2.0), 2).round(6).tolist()
    [1.0, 0.833333, 0.166667]
    """
    import numpy as np

    j = np.arange(upto + 1)
    size, others = k[..., None], (n - k)[..., None]
    possible = (j <= size) & (size - j <= others)
    logs = _log_choose(size, np.minimum(j, size)) + _log_choose(others, np.clip(size - j, 0, others))
    weights = np.where(possible, np.exp(logs - _log_choose(n, k)[..., None]), 0.0)
    # The logarithms of large factorials share one rounding error, which their sum takes out.
    upwards: Array = np.cumsum(weights[..., ::-1], axis=-1)[..., ::-1]
    return upwards / upwards[..., :1]


def _log_choose(n: Array, k: Array) -> Array:
    from scipy.special import gammaln

    logs: Array = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return logs


def _variance(n: Array, p: Array, k: Array) -> Array:
    import numpy as np

    upto = int(k.max(initial=0))
    powers = p[:, None] ** np.maximum(2 * k[:, None] - np.arange(1, upto + 1), 0)
    variance: Array = (1 - p) * (overlaps(n, k, upto)[:, 1:] * powers).sum(axis=1)
    return variance
