"""Intervals: for one rate, for pass^k and pass@k of one task, and for the mean over a fixed set of tasks."""

from __future__ import annotations

from passhat.stats.arrays import Array, Numbers, like, read, read_counts, read_level, require
from passhat.stats.passk import pass_at_k, pass_hat_k


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
    passes, trials = read(c, n)
    require((trials > 0) & np.isfinite(trials), "n, the trials, is above 0", n=trials)
    require((passes >= 0) & (passes <= trials), "c, the passes, is from 0 to n", c=passes, n=trials)
    # Where Beta has no such quantile the bound is 0 or 1, and the 1 put in its place is never used.
    none, every = passes == 0, passes == trials
    low = np.where(none, 0.0, betaincinv(np.where(none, 1, passes), trials - passes + 1, 1 - level))
    high = np.where(every, 1.0, betaincinv(passes + 1, np.where(every, 1, trials - passes), level))
    return like(c, low), like(c, high)


def pass_hat_k_interval(n: Numbers, c: Numbers, k: int | Array, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for pass^k of one task.

    Formula: (L^k, U^k), where (L, U) is Clopper-Pearson for c of n; the lower end gives way to the estimate
    where that is lower still (it is 0 where c < k, while L^k is not).
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n. It covers p^k at least as (L, U) covers p.
    Source: Clopper & Pearson 1934, and that p → p^k is increasing.

    >>> [round(bound, 6) for bound in pass_hat_k_interval(10, 8, 3)]
    [0.087472, 0.926259]
    """
    import numpy as np

    trials, passes, size = read_counts(n, c, k)
    low, high = clopper_pearson(passes, trials, confidence=confidence)
    estimate = pass_hat_k(trials, passes, size)
    return like(n, np.minimum(np.power(low, size), estimate)), like(n, np.power(high, size))


def pass_at_k_interval(n: Numbers, c: Numbers, k: int | Array, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for pass@k of one task.

    Formula: (1-(1-L)^k, 1-(1-U)^k), where (L, U) is Clopper-Pearson for c of n; the upper end gives way to
    the estimate where that is higher still.
    Valid when: the trials are independent and alike, 1 ≤ k ≤ n.
    Source: as for `pass_hat_k_interval`.

    >>> [round(bound, 6) for bound in pass_at_k_interval(10, 2, 3)]
    [0.073741, 0.912528]
    """
    import numpy as np

    trials, passes, size = read_counts(n, c, k)
    low, high = clopper_pearson(passes, trials, confidence=confidence)
    estimate = pass_at_k(trials, passes, size)
    return like(n, 1 - np.power(1 - low, size)), like(n, np.maximum(1 - np.power(1 - high, size), estimate))


def blocks(n: Array, k: int | Array) -> Array:
    """How many blocks of *k* trials the tasks' trials are worth: the sample size behind a mean of pass^k.

    Formula: Σ ⌊n_i/k⌋, and at most T·min(n)/k.
    Valid when: n holds the T tasks' trials. With equal n the bound never bites. With unequal n the sum alone
    would promise too much, since each task weighs 1/T in the mean: Var(mean) ≤ U(1-U)·k/(T·min(n)).
    Source: Hoeffding 1948 for Var(U_k) ≤ k/n·θ(1-θ); the sum simulated over 240 designs of equal n.

    >>> import numpy as np
    >>> blocks(np.array([10, 10, 10]), np.array([1, 5])), blocks(np.array([10, 10, 9]), np.array([1, 5]))
    (array([30,  6]), array([27,  5]))
    """
    import numpy as np

    trials, tasks = np.unique(n, return_counts=True)
    read_counts(trials[:, None], trials[:, None], k)
    whole = (tasks[:, None] * (trials[:, None] // k)).sum(axis=0)
    counted: Array = np.minimum(whole, tasks.sum() * trials[0] // k).astype(np.int64)
    return counted.reshape(np.shape(k))


def these_tasks(u: Numbers, blocks: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for a mean of pass^k (or pass@k) over just these tasks, fit for a gate.

    Formula: Clopper-Pearson for m·u of m, with m = *blocks*, as `blocks` counts them.
    Valid when: the tasks are fixed and each one's trials are independent and alike; rates may differ between
    tasks. Coverage in simulation is at least .947 over 240 designs; it is wide where tasks differ much.
    Source: Hoeffding 1956 for k = 1 (unlike coins spread less than a binomial); simulation for k > 1.

    >>> [round(bound, 6) for bound in these_tasks(0.9, 100)]
    [0.823777, 0.950995]
    """
    import numpy as np

    share, count = read(u, blocks)
    require((share >= 0) & (share <= 1), "u, a mean of shares, is from 0 to 1", u=share)
    low, high = clopper_pearson(share * count, count, confidence=confidence)
    # A count of 1e-20 passes is below the root finder's resolution, so the estimate may be crossed by 1e-12.
    return like(u, np.minimum(low, share)), like(u, np.maximum(high, share))
