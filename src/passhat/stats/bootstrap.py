"""The cluster bootstrap: whole tasks are drawn again, with all their trials.

Tasks with equal n and c are the same to a mean, so what is drawn is how often each such pair occurs, and not tasks.
"""

from __future__ import annotations

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Many, read_seed
from passhat.stats.scalars import read_whole
from passhat.stats.suite_table import SuiteTable, suite_table

RESAMPLES = 10_000
_AT_ONCE = 4_000_000
_MOST = 100_000_000


def cluster_bootstrap(n: Many, c: Many, k: int, *, resamples: int = RESAMPLES, seed: int = 0) -> Array:
    """Means of pass^k over tasks drawn anew, with replacement, from the tasks there are.

    Formula: Σ_i w_i·U_k(n_i, c_i) / T with (w_i) multinomial: T draws over the distinct (n, c), each with its share.
    Valid when: the tasks are a sample of those meant, and many. It knows of no task that it has not seen: where
    all passed it has no width at all, and with few tasks it is too narrow. Approximate.
    Source: Efron 1979, over clusters.

    >>> means = cluster_bootstrap([4, 4, 4, 4], [4, 3, 1, 0], 2, seed=1)
    >>> len(means), round(float(means.mean()), 2)
    (10000, 0.38)
    """
    column: Array = resampled_means(suite_table(n, c, [k]), resamples, seed)[:, 0]
    return column


def resampled_means(suite: SuiteTable, resamples: int, seed: int) -> Array:
    """One row a resample, one column a k: all k's see the same draws.

    >>> resampled_means(suite_table([4, 4], [4, 4], [1, 2]), 3, 0).tolist()
    [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
    """
    import numpy as np

    dice, resamples = np.random.default_rng(read_seed(seed)), read_whole("resamples", resamples)
    if resamples * suite.ks.size > _MOST:
        raise UsageError(f"resamples is at most {_MOST // suite.ks.size:,}, not resamples={resamples}")
    tasks, total = suite.tasks.ravel(), suite.total
    step = max(1, _AT_ONCE // tasks.size)
    means = np.empty((resamples, suite.ks.size))
    for start in range(0, resamples, step):
        upto = min(resamples, start + step)
        drawn = dice.multinomial(total, tasks / total, size=upto - start)
        means[start:upto] = drawn @ suite.shares / total
    return means
