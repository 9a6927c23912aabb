"""A suite's counts for intervals: one row for all tasks with equal n and c, and one column a k.

A million tasks of ten trials are eleven rows, so what is built on this takes no longer for them than for eleven tasks.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Many, read, read_counts, require
from passhat.stats.curves import count_table
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


def suite_table(n: Many, c: Many, ks: Many, *, failures: bool = False) -> SuiteTable:
    """The table of a suite's counts, for every k of *ks*; with *failures*, of n-c for c: what pass@k mirrors.

    >>> table = suite_table([4, 4, 4, 4], [3, 4, 3, 0], [1, 2])
    >>> table.c.tolist(), table.tasks.tolist(), table.means.tolist()
    ([0.0, 3.0, 4.0], [1, 2, 1], [0.625, 0.5])
    """
    import numpy as np

    table = count_table(n, c)
    rows, counted, tasks = table.n.astype(float), table.c.astype(float), table.tasks
    if failures:
        counted = rows - counted
        order = np.lexsort((counted, rows))
        rows, counted, tasks = rows[order], counted[order], tasks[order]
    (sizes,) = read(ks)
    sizes = np.atleast_1d(sizes)
    if sizes.ndim != 1 or not sizes.size:
        raise UsageError(f"k is one number, or one row of one or more, not an array of shape {sizes.shape[-1:]}")
    read_counts(rows[:, None], counted[:, None], sizes)
    return SuiteTable(rows, counted, tasks, sizes.astype(np.int64), _shares(rows, counted, sizes))


def smoothed_variances(suite: SuiteTable) -> Array:
    """The variance of each row's pass^k, for each k, with its rate drawn a little to ½: never 0.

    Formula: the exact variance of pass^k's estimate at the rate (c+½) / (n+1), as in `exact_variance`; for all k of
    equal n at once it is a product of matrices, of powers of the rates and of shares of overlapping subsets.
    Source: Hoeffding 1948; the half is that of Jeffreys' prior.

    >>> smoothed_variances(suite_table([10, 10], [10, 8], [1])).round(6).tolist()
    [[0.017562], [0.004339]]
    """
    import numpy as np

    upto = int(suite.ks.max())
    j = np.arange(1, upto + 1)
    variances = np.empty(suite.shares.shape)
    for n in np.unique(suite.n):
        shared = overlaps(np.full(suite.ks.shape, n), suite.ks.astype(float), upto)[:, 1:]
        weights = np.zeros((2 * upto, suite.ks.size))
        # Beyond j = k the share is 0, and where it is put does not matter.
        np.add.at(weights, (np.maximum(2 * suite.ks[:, None] - j, 0), np.arange(suite.ks.size)[:, None]), shared)
        alike = np.flatnonzero(suite.n == n)
        for some in np.array_split(alike, alike.size * 2 * upto // _AT_ONCE + 1):
            powers = np.vander((suite.c[some] + 0.5) / (n + 1), 2 * upto, increasing=True)
            variances[some] = ((n - suite.c[some] + 0.5) / (n + 1))[:, None] * (powers @ weights)
    return variances


def unbiased_variances(suite: SuiteTable) -> Array:
    """The variance of each row's pass^k, for each k, estimated without bias: U_k² - U_2k, for 2k ≤ n.

    >>> unbiased_variances(suite_table([4, 4], [4, 3], [2])).tolist()
    [[0.25], [0.0]]
    """
    require(2 * suite.ks <= suite.fewest, "k is at most n/2, since 2k trials tell how much k of them vary", k=suite.ks)
    double = _shares(suite.n, suite.c, 2 * suite.ks)
    variances: Array = suite.shares**2 - double
    return variances


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
