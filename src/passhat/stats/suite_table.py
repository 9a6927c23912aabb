"""A suite's counts for intervals: one row for all tasks with equal n and c, and one column a k.

A million tasks of ten trials are eleven rows, so what is built on this takes no longer for them than for eleven tasks.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.stats.arrays import Array, Many, read_counts, require
from passhat.stats.variance import overlaps

_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class SuiteTable:
    """Distinct (n, c), how many *tasks* have each, and their pass^k: *shares* has a column for each of *ks*.

    *tasks* may have axes in front: many suites of equally many tasks, whose counts are among the same rows.
    """

    n: Array
    c: Array
    tasks: Array
    ks: Array
    shares: Array

    @property
    def total(self) -> int:
        """How many tasks there are."""
        return int(self.tasks.sum(axis=-1).flat[0])

    @property
    def fewest(self) -> int:
        """The trials of the task that has the fewest."""
        return int(self.n.min())

    @property
    def means(self) -> Array:
        """The mean over tasks, for each k."""
        import numpy as np

        means: Array = np.minimum(self.tasks @ self.shares / self.total, 1)  # a sum may end beyond 1 in its last digit
        return means

    @property
    def most(self) -> Array:
        """As many trials as n_i of each task are worth at k = 1: T times their harmonic mean."""
        most: Array = self.total**2 / (self.tasks / self.n).sum(axis=-1, keepdims=True)
        return most

    def squares(self, around: Array) -> Array:
        """The sum over tasks of squared distances from *around*, for each k."""
        import numpy as np

        squares: Array = np.einsum("...r,...rk->...k", self.tasks, (self.shares - around[..., None, :]) ** 2)
        return squares

    def at(self, some: Array) -> SuiteTable:
        """The same tasks at *some* of the k's."""
        return SuiteTable(self.n, self.c, self.tasks, self.ks[some], self.shares[:, some])


def suite_table(n: Many, c: Many, ks: Many) -> SuiteTable:
    """The table of a suite's counts, for every k of *ks*.

    >>> import numpy as np
    >>> table = suite_table([4, 4, 4, 4], [3, 4, 3, 0], np.array([1, 2]))
    >>> table.c.tolist(), table.tasks.tolist(), table.means.tolist()
    ([0.0, 3.0, 4.0], [1, 2, 1], [0.625, 0.5])
    """
    import numpy as np

    trials, passes, _ = read_counts(n, c, 1)
    require(np.asarray(trials.size > 0), "there is a task or more", tasks=np.asarray(trials.size))
    distinct, counted, tasks = _distinct(trials.ravel(), passes.ravel())
    sizes = np.atleast_1d(np.asarray(ks, dtype=float))
    read_counts(distinct[:, None], counted[:, None], sizes)
    return SuiteTable(distinct, counted, tasks, sizes.astype(np.int64), _shares(distinct, counted, sizes))


def smoothed_variance(suite: SuiteTable) -> Array:
    """The variance of the mean of pass^k over these tasks, for each k, with every rate drawn a little to ½.

    Formula: Σ_i v(c_i) / T², where v(c) is the exact variance of pass^k's estimate at the rate (c+½) / (n+1).
    Over tasks with equal n it needs only the power sums M(a) = Σ_i p_i^a: it is Σ_j h_j·(M(2k-j) - M(2k)).
    Source: Hoeffding 1948; the half is that of Jeffreys' prior.

    >>> import numpy as np
    >>> smoothed_variance(suite_table([10, 10], [10, 8], np.array([1]))).round(6).tolist()
    [0.005475]
    """
    import numpy as np

    upto = int(suite.ks.max())
    j = np.arange(upto + 1)
    power = np.maximum(2 * suite.ks[:, None] - j, 0)
    total = np.zeros((*suite.tasks.shape[:-1], suite.ks.size))
    for n in np.unique(suite.n):
        alike = suite.n == n
        sums = _power_sums((suite.c[alike] + 0.5) / (n + 1), suite.tasks[..., alike], 2 * upto)
        shared = overlaps(np.full(suite.ks.shape, n), suite.ks.astype(float), upto)
        total += (shared * (sums[..., power] - sums[..., 2 * suite.ks, None])).sum(axis=-1)
    variance: Array = total / suite.total**2
    return variance


def unbiased_variance(suite: SuiteTable) -> Array:
    """The variance of the mean of pass^k over these tasks, for each k: Σ_i (U_k² - U_2k) / T², for 2k ≤ n.

    >>> import numpy as np
    >>> unbiased_variance(suite_table([4, 4, 4, 4], [4, 3, 1, 0], np.array([2]))).tolist()
    [0.015625]
    """
    require(2 * suite.ks <= suite.fewest, "k is at most n/2, since 2k trials tell how much k of them vary", k=suite.ks)
    double = _shares(suite.n, suite.c, 2 * suite.ks)
    variance: Array = suite.tasks @ (suite.shares**2 - double) / suite.total**2
    return variance


def _distinct(n: Array, c: Array) -> tuple[Array, Array, Array]:
    """The distinct pairs in order, and how often each occurs."""
    import numpy as np

    width = int(c.max()) + 1
    key = n.astype(np.int64) * width + c.astype(np.int64)
    if int(key.max()) < 4 * key.size + 1024:
        counted = np.bincount(key)
        keys = np.flatnonzero(counted)
        counted = counted[keys]
    else:
        keys, counted = np.unique(key, return_counts=True)
    return (keys // width).astype(float), (keys % width).astype(float), counted


def _shares(n: Array, c: Array, ks: Array) -> Array:
    """pass^k of every row at every k: the products of (c-i)/(n-i), taken once for all k."""
    import numpy as np

    upto = int(ks.max())
    i = np.arange(upto)
    index = ks.astype(np.int64) - 1
    step = max(1, _AT_ONCE // upto)
    shares = np.empty((n.size, ks.size))
    for start in range(0, n.size, step):
        some = slice(start, start + step)
        factors = np.maximum(c[some, None] - i, 0) / (n[some, None] - i)
        shares[some] = np.cumprod(factors, axis=1)[:, index]
    return shares


def _power_sums(rates: Array, weights: Array, upto: int) -> Array:
    """Σ w·p^a for a = 0 … upto."""
    import numpy as np

    step = max(1, _AT_ONCE // (upto + 1))
    sums = np.zeros((*weights.shape[:-1], upto + 1))
    for start in range(0, rates.size, step):
        some = slice(start, start + step)
        sums += weights[..., some] @ np.vander(rates[some], upto + 1, increasing=True)
    return sums
