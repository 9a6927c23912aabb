"""Intervals for the mean of pass^k or pass@k over a suite's tasks: over just these, or over tasks like these.

Two questions with two answers. *These*: what would other trials of the same tasks give? *Like these*: what would other
tasks of the same kind give? The second interval is wider, since which tasks were written is chance too.
All work on the table of distinct (n, c); pass@k is the mirror image: 1 - pass@k is pass^k of the failures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Many, Numbers, like, read, read_counts, require
from passhat.stats.bootstrap import RESAMPLES, resampled_means
from passhat.stats.intervals import clopper_pearson, normal_quantile
from passhat.stats.methods import read_name
from passhat.stats.scalars import read_level
from passhat.stats.suite_table import SuiteTable, smoothed_variances, suite_table, unbiased_variances
from passhat.stats.variance import TASKS

_Bounds: TypeAlias = tuple[Array, Array]
_Form: TypeAlias = Callable[[SuiteTable, float, int], _Bounds]
_METRICS = ("pass^k", "pass@k")


def suite_interval(
    n: Many,
    c: Many,
    *,
    k: int = 1,
    metric: str = "pass^k",
    tasks: str = "these",
    confidence: float = 0.95,
    method: str | None = None,
    seed: int = 0,
) -> tuple[float, float]:
    """The interval for the mean over tasks of pass^k (or pass@k), from each task's trials and passes.

    Formula: as for `suite_intervals`, at one k.
    Valid when: as there.
    Source: as there.

    >>> [round(bound, 6) for bound in suite_interval([10] * 4, [10, 9, 10, 7], k=2)]
    [0.582216, 0.951586]
    """
    lows, highs = suite_intervals(
        n, c, [k], metric=metric, tasks=tasks, confidence=confidence, method=method, seed=seed
    )
    return float(lows[0]), float(highs[0])


def suite_intervals(
    n: Many,
    c: Many,
    ks: Many,
    *,
    metric: str = "pass^k",
    tasks: str = "these",
    confidence: float = 0.95,
    method: str | None = None,
    seed: int = 0,
) -> tuple[Array, Array]:
    """The lower and the upper ends of the intervals for the mean over tasks, for every k of *ks*.

    Formula: U is the mean of U_k over the T tasks, and CP(x of m) Clopper-Pearson with real counts. For `these`:
    `gate` is CP(m·U of m) with m = `blocks`; `display` takes U(1-U)/V·(z/t)² for m, from m to T times the harmonic
    mean of n: V is the larger of the smoothed and the unbiased variance of U, t the quantile at Satterthwaite's degrees
    of freedom with n/k for each task (m itself where n < 2k); `z` is U ± z·SE.
    For `like-these`: `korn-graubard` is CP(e·U of e) with e = U(1-U)/v·(z/t)², from T to the same most, v the
    variance between tasks with half a task at 0 and half at 1 added and t the quantile at T-1; `t` is U ± t·SE;
    `bootstrap` takes quantiles of resampled means, drawn with *seed*.
    Valid when: trials are independent and alike within a task, k ≤ n; for tasks like these, tasks are drawn
    independently from those meant. `gate` (for these) and `korn-graubard` (for tasks like these) are the defaults.
    `z`, `t` and `bootstrap` are approximate, and have no width where all passed. `make calibration` measures all.
    Source: Clopper & Pearson 1934; Korn & Graubard 1998; Hoeffding 1948 and 1956; the rest by simulation.

    >>> lows, highs = suite_intervals([10] * 4, [10, 9, 10, 7], [1, 2], tasks="like-these")
    >>> lows.round(4).tolist(), highs.round(4).tolist()
    ([0.3043, 0.2394], [1.0, 0.9986])
    """
    mirrored = read_name("metric", metric, _METRICS) == "pass@k"
    suite = suite_table(n, c, ks, failures=mirrored)
    low, high = table_intervals(suite, tasks=tasks, confidence=confidence, method=method, seed=seed)
    return (1 - high, 1 - low) if mirrored else (low, high)


def table_intervals(
    suite: SuiteTable, *, tasks: str = "these", confidence: float = 0.95, method: str | None = None, seed: int = 0
) -> tuple[Array, Array]:
    """The ends for the mean of pass^k over a table of counts, which may hold many suites: a row each, a column a k.

    Formula: as for `suite_intervals`. `bootstrap` takes one suite at a time.
    Valid when: as there.
    Source: as there.

    >>> import numpy as np
    >>> from dataclasses import replace
    >>> table = suite_table([4, 4], [3, 4], [1])  # a row for 3 of 4 and one for 4 of 4, here with one task each
    >>> many = replace(table, tasks=np.array([[2, 0], [1, 1], [0, 2]]))
    >>> [ends.round(3).ravel().tolist() for ends in table_intervals(many)]
    [[0.349, 0.473, 0.631], [0.968, 0.997, 1.0]]
    """
    import numpy as np

    level = read_level("confidence", confidence)
    forms = _FORMS[read_name("kind of tasks", tasks, TASKS)]
    form = forms[read_name(f"method for {tasks} tasks", next(iter(forms)) if method is None else method, forms)]
    low, high = form(suite, level, seed)
    # The root finder's last digit, and quantiles of resamples, must not exclude what was observed.
    return np.clip(np.minimum(low, suite.means), 0, 1), np.clip(np.maximum(high, suite.means), 0, 1)


def blocks(n: Many, k: int | Array) -> Array:
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

    (each,), (size,) = read(n), read(k)
    if not each.size:
        raise UsageError("n holds a task or more, not none")
    trials, tasks = np.unique(each, return_counts=True)
    read_counts(trials[:, None], trials[:, None], size.ravel())
    return _blocks(trials, tasks, size.ravel()).reshape(size.shape)


def these_tasks(u: Numbers, blocks: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for a mean of pass^k (or pass@k) over just these tasks, fit for a gate.

    Formula: Clopper-Pearson for m·u of m, with m = *blocks*, as `blocks` counts them.
    Valid when: the tasks are fixed and each one's trials are independent and alike; rates may differ between
    tasks. `make calibration` measures .953 at the lowest of 240 designs; it is wide where tasks differ much.
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


def _blocks(n: Array, tasks: Array, k: int | Array) -> Array:
    """`blocks` from a table: *tasks* is how many have each of *n* trials."""
    import numpy as np

    whole = tasks @ (n[:, None] // k)
    counted: Array = np.minimum(whole, tasks.sum(axis=-1, keepdims=True) * n.min() // k).astype(np.int64)
    return counted


def _gate(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    return these_tasks(suite.means, _blocks(suite.n, suite.tasks, suite.ks), confidence=confidence)


def _display(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    """Like the gate's, with what the trials are really worth: a task that always passes hardly adds to the variance."""
    import numpy as np

    size = _blocks(suite.n, suite.tasks, suite.ks).astype(float)
    told = 2 * suite.ks <= suite.fewest
    if told.any():
        some = suite.at(told)
        size[..., told] = _worth(some, _careful_variance(some, confidence), size[..., told])
    return these_tasks(suite.means, np.asarray(size), confidence=confidence)


def _careful_variance(suite: SuiteTable, confidence: float) -> Array:
    """The larger of the smoothed and the unbiased variance of the mean, widened as t is wider than z.

    The smoothed one is too small over many tasks with few failures each, the unbiased one where nothing failed. t has
    the degrees of freedom of Satterthwaite, n/k for each task: few, where one task alone makes the variance.
    """
    import numpy as np

    each = smoothed_variances(suite)
    smoothed = suite.tasks @ each
    larger = np.maximum(smoothed, suite.tasks @ unbiased_variances(suite))
    apart = suite.tasks @ (each**2 * suite.ks / suite.n[:, None])
    df = np.divide(smoothed**2, apart, out=np.ones(apart.shape), where=apart > 0)
    widened = (_t_quantile(df, confidence) / normal_quantile(confidence)) ** 2
    variance: Array = widened * larger / suite.total**2
    return variance


def _z(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    import numpy as np

    half = normal_quantile(confidence) * np.sqrt(suite.tasks @ unbiased_variances(suite)) / suite.total
    return suite.means - half, suite.means + half


def _korn_graubard(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    import numpy as np

    means, total = suite.means, suite.total
    drawn = (total * means + 0.5) / (total + 1)  # with half a task at 0 and half a task at 1
    squares = suite.squares(drawn) + ((1 - drawn) ** 2 + drawn**2) / 2
    widened = (_t_quantile(np.array(total - 1.0), confidence) / normal_quantile(confidence)) ** 2
    size = _worth(suite, widened * squares / (total * (total + 1)), np.full(means.shape, float(total)))
    return these_tasks(means, size, confidence=confidence)


def _t(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    import numpy as np

    total = suite.total
    require(np.asarray(total > 1), "method t needs 2 tasks or more", tasks=np.asarray(total))
    variance = suite.squares(suite.means) / (total - 1) / total
    half = _t_quantile(np.array(total - 1.0), confidence) * np.sqrt(variance)
    return suite.means - half, suite.means + half


def _bootstrap(suite: SuiteTable, confidence: float, seed: int) -> _Bounds:
    import numpy as np

    tail = (1 - confidence) / 2
    low, high = np.quantile(resampled_means(suite, RESAMPLES, seed), [tail, 1 - tail], axis=0)
    return low, high


def _worth(suite: SuiteTable, variance: Array, least: Array) -> Array:
    """How many single trials have this *variance* of their mean: no fewer than *least*, no more than were made."""
    import numpy as np

    spread = suite.means * (1 - suite.means)
    # Without a spread nothing can be told, and the least is what remains.
    size: Array = np.divide(spread, variance, out=np.zeros(spread.shape), where=variance > 0)
    worth: Array = np.clip(size, least, suite.most)
    return worth


def _t_quantile(df: Array, confidence: float) -> Array:
    """Student's t, two-sided; without a degree of freedom it is infinite, since one task says nothing of the spread.

    From t² / (df + t²), which is Beta(½, df/2): many times faster than scipy's own inversion, and as exact.
    """
    import numpy as np
    from scipy.special import betaincinv

    some = np.maximum(df, 1)
    share = betaincinv(0.5, some / 2, confidence)
    quantile: Array = np.where(df > 0, np.sqrt(some * share / (1 - share)), np.inf)
    return quantile


# The first is the default.
_FORMS: dict[str, dict[str, _Form]] = {
    "these": {"gate": _gate, "display": _display, "z": _z},
    "like-these": {"korn-graubard": _korn_graubard, "t": _t, "bootstrap": _bootstrap},
}
