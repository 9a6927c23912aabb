"""pass@k, pass^k and what lies between, of one task: from n trials with c passes, and never beyond k = n.

All are shares of the k-subsets of the trials: those that hold a pass, those that hold nothing else, those that hold
enough. The naive forms, powers of a rate, stand beside them under their own names. Means over a suite: `curves`.
"""

from __future__ import annotations

from passhat.stats.arrays import Array, Numbers, like, read, read_counts, require

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


def at_least_of_k(n: Numbers, c: Numbers, k: int | Array, at_least: int | Array) -> Numbers:
    """The probability that *at_least* of *k* trials pass, estimated from *c* passes in *n* trials.

    It is pass@k where at_least is 1, pass^k where it is k, and G-Pass@k at a threshold τ where it is max(1, ⌈τk⌉).

    Formula: P(X ≥ at_least) with X ~ Hypergeometric(n, c, k): the passes in a random k-subset of the trials.
    Valid when: the n trials are independent and alike, 1 ≤ k ≤ n and 0 ≤ at_least ≤ k. It is then unbiased for
    P(Binomial(k, p) ≥ at_least).
    Source: Hoeffding 1948; as G-Pass@k in Liu et al. 2024, "Are your LLMs capable of stable reasoning?".

    >>> round(at_least_of_k(10, 8, 4, 3), 6), round(at_least_of_k(10, 8, 4, 4), 6)
    (0.866667, 0.333333)
    """
    import numpy as np

    trials, passes, size, least = read(*read_counts(n, c, k), at_least)
    whole = (least == np.floor(least)) & (least >= 0) & (least <= size)
    require(whole, "at_least is a whole number from 0 to k", at_least=least, k=size)
    # One sum a distinct row: suites repeat their counts.
    rows, which = np.unique(
        np.stack([each.ravel() for each in (trials, passes, size, least)]), axis=1, return_inverse=True
    )
    tails = np.empty(rows.shape[1])
    for row, (n_, c_, k_, least_) in enumerate(rows.T.astype(np.int64).tolist()):
        x, chance = hypergeometric(n_, c_, k_)
        tails[row] = min(1.0, chance[x >= least_].sum())
    return like(n, tails[which.reshape(trials.shape)])


def pass_hat_k_naive(p: Numbers, k: int | Array) -> Numbers:
    """The probability that *k* trials all pass where each passes at the known rate *p*.

    Formula: p^k.
    Valid when: the trials are independent and the rate is known. With an estimated rate c/n it is too high on
    average: for a rate of .8 and five trials it says .478 where .328 is true. Use `pass_hat_k` there.
    Source: TraceLens and Vally give it as the formula of pass^k; so does a blog post on agent reliability.

    >>> round(pass_hat_k_naive(0.9, 10), 6)
    0.348678
    """
    import numpy as np

    rate, size = _read_naive(p, k)
    return like(p, np.asarray(np.power(rate, size)))


def pass_at_k_naive(p: Numbers, k: int | Array) -> Numbers:
    """The probability that at least one of *k* trials passes where each passes at the known rate *p*.

    Formula: 1 - (1-p)^k.
    Valid when: the trials are independent and the rate is known. With an estimated rate c/n it is too low on
    average: for a rate of .2 and five trials it says .522 where .672 is true. Use `pass_at_k` there.
    Source: as for `pass_hat_k_naive`.

    >>> round(pass_at_k_naive(0.2, 5), 5)
    0.67232
    """
    import numpy as np
    from scipy.special import xlog1py

    rate, size = _read_naive(p, k)
    # In logarithms, so that a rate of 1e-20 is not lost in 1 - p.
    return like(p, np.asarray(-np.expm1(xlog1py(size, -rate)), dtype=float))


def hypergeometric(n: int, c: int, k: int) -> tuple[Array, Array]:
    """How many passes a random k-subset of *n* trials with *c* passes may hold, and the chance of each.

    Formula: P(x+1)/P(x) = (c-x)(k-x) / ((x+1)(n-c-k+x+1)), multiplied up and down from the mode and divided by
    the sum: every term is positive, so nothing cancels and no factorial overflows.
    Valid when: 0 ≤ c ≤ n and 0 ≤ k ≤ n, whole numbers; they are not checked.
    Source: the definition.

    >>> [each.round(6).tolist() for each in hypergeometric(10, 8, 3)]
    [[1, 2, 3], [0.066667, 0.466667, 0.466667]]
    """
    import numpy as np

    x = np.arange(max(0, k - (n - c)), min(c, k) + 1)
    here = x[:-1].astype(float)
    ratio = (c - here) * (k - here) / ((here + 1) * (n - c - k + here + 1))
    mode = min(max((k + 1) * (c + 1) // (n + 2), int(x[0])), int(x[-1])) - int(x[0])
    down = np.cumprod(1 / ratio[:mode][::-1])[::-1]
    weight = np.concatenate([down, [1.0], np.cumprod(ratio[mode:])])
    return x, weight / weight.sum()


def product(top: Array, bottom: Array, many: Array, step: float | Array) -> Array:
    """∏ (top + i·step)/(bottom + i·step) for i = 0 … many-1, a few thousand factors at a time; negative ones are 0.

    >>> import numpy as np
    >>> product(np.array(8.0), np.array(10.0), np.array(3.0), -1).round(6).item()
    0.466667
    """
    import numpy as np

    share = np.ones(many.shape)
    width = max(1, _AT_ONCE // max(1, many.size))
    most = int(many.max(initial=0))
    for start in range(0, most, width):
        i = np.arange(start, min(start + width, most)).reshape(-1, *[1] * many.ndim)
        within = i < many
        below = np.where(within, bottom + i * step, 1.0)
        share = share * np.where(within, np.maximum(top + i * step, 0) / below, 1.0).prod(axis=0)
        if not share.any():  # nothing is left to multiply: large k and many failures end here soon
            break
    return share


def _read_naive(p: float | Array, k: int | Array) -> tuple[Array, Array]:
    """A rate and a number of trials: 0 ≤ p ≤ 1, and k a whole number from 1."""
    import numpy as np

    rate, size = read(p, k)
    require((rate >= 0) & (rate <= 1), "p, the rate, is from 0 to 1", p=rate)
    whole = (size == np.floor(size)) & (size >= 1) & np.isfinite(size)
    require(whole, "k is a whole number from 1", k=size)
    return rate, size


def _all_pass(n: Array, c: Array, k: Array) -> Array:
    """C(c, k)/C(n, k): the product formula, no factorial, so nothing overflows.

    A k-subset without one of the n-c failures is a set of failures without one of the k: k and n-c may change
    places, and the smaller one says how many factors there are.
    """
    import numpy as np

    failures = n - c
    fewer, more = np.minimum(k, failures), np.maximum(k, failures)
    return product(n - more, n, fewer, -1)
