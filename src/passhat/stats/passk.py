"""pass@k and pass^k of one task, from n trials with c passes: unbiased, and never beyond k = n.

Both are shares of the k-subsets of the trials: those that hold a pass, and those that hold nothing else.
"""

from __future__ import annotations

from passhat.stats.arrays import Array, Numbers, like, read_counts

_AT_ONCE = 65_536


def pass_hat_k(n: Numbers, c: Numbers, k: int | Array) -> Numbers:
    """The probability that *k* trials all pass, estimated from *c* passes in *n* trials.

    Formula: C(c, k) / C(n, k) = ∏ (c-i)/(n-i) for i = 0 … k-1; 0 where c < k.
    Valid when: the n trials are independent and alike, and 1 ≤ k ≤ n. It is then unbiased for p^k.
    Source: the U-statistic of "all k pass" (Hoeffding 1948); as pass^k in the tau-bench papers.

    >>> round(pass_hat_k(10, 8, 3), 6)
    0.466667
    """
    return like(n, _all_pass(*read_counts(n, c, k)))


def pass_at_k(n: Numbers, c: Numbers, k: int | Array) -> Numbers:
    """The probability that at least one of *k* trials passes, estimated from *c* passes in *n* trials.

    Formula: 1 - C(n-c, k) / C(n, k).
    Valid when: the n trials are independent and alike, and 1 ≤ k ≤ n. It is then unbiased for 1 - (1-p)^k.
    Source: Chen et al. 2021, "Evaluating large language models trained on code".

    >>> round(pass_at_k(10, 8, 2), 6)
    0.977778
    """
    import numpy as np

    trials, passes, size = read_counts(n, c, k)
    some = 1 - _all_pass(trials, trials - passes, size)
    # At k = 1 it is pass^1, to the last bit.
    return like(n, np.where(size == 1, passes / trials, some))


def pass_hat_curve(n: Array, c: Array, upto: int) -> Array:
    """The mean over the arrays of pass^1, pass^2 … pass^upto: what `pass_hat_k` gives, in one sweep.

    Formula: mean_i C(c_i, k) / C(n_i, k) for k = 1 … upto.
    Valid when: as for `pass_hat_k`, with upto ≤ min(n). The mean is over rows: trials are never pooled.
    Source: as for `pass_hat_k`.

    >>> import numpy as np
    >>> pass_hat_curve(np.array([4, 4, 4, 4]), np.array([4, 3, 1, 0]), 2).tolist()
    [0.5, 0.375]
    """
    import numpy as np

    trials, passes, _ = read_counts(n, c, upto)
    share = np.ones(trials.shape)
    means = np.empty(upto)
    for i in range(upto):
        share = share * (np.maximum(passes - i, 0) / (trials - i))
        means[i] = share.mean()
    return means


def pass_at_curve(n: Array, c: Array, upto: int) -> Array:
    """The mean over the arrays of pass@1, pass@2 … pass@upto.

    Formula: mean_i 1 - C(n_i-c_i, k) / C(n_i, k) for k = 1 … upto.
    Valid when: as for `pass_at_k`, with upto ≤ min(n).
    Source: as for `pass_at_k`.

    >>> import numpy as np
    >>> pass_at_curve(np.array([4, 4]), np.array([4, 2]), 2).round(6).tolist()
    [0.75, 0.916667]
    """
    trials, passes, _ = read_counts(n, c, upto)
    curve: Array = 1 - pass_hat_curve(trials, trials - passes, upto)
    curve[0] = (passes / trials).mean()  # pass^1, to the last bit
    return curve


def _all_pass(n: Array, c: Array, k: Array) -> Array:
    """The product formula, a few thousand factors at a time: no factorial, so nothing overflows."""
    import numpy as np

    share = np.ones(n.shape)
    step = max(1, _AT_ONCE // max(1, n.size))
    most = int(k.max(initial=0))
    for start in range(0, most, step):
        i = np.arange(start, min(start + step, most)).reshape(-1, *[1] * n.ndim)
        factors = np.where(i < k, np.maximum(c - i, 0) / np.maximum(n - i, 1), 1.0)
        share = share * factors.prod(axis=0)
    return share
