"""Reliability against a horizon: the length of tasks (Khanal et al. 2026), the number of repeats, a half-life.

The names are those of the literature. mcptest has statistics of its own under some of them; they stand in another file.
"""

from __future__ import annotations

from math import inf

from passhat.errors import UsageError
from passhat.stats.arrays import (
    Array,
    Many,
    Numbers,
    like,
    read,
    read_row,
    read_rows,
    read_suite,
    read_tasks,
    require,
    require_flags,
    require_shares,
)
from passhat.stats.curves import pass_hat_curve
from passhat.stats.passk import pass_hat_k
from passhat.stats.scalars import read_number, read_whole

# Means of rates such as .9 carry rounding in their last digits, and a target of .9 must not fail for it.
_ROUNDING = 1e-12


def duration_bucket(minutes: Many, edges: Many = (5, 30, 120)) -> Array:
    """The index of each task's bucket by the time that a person needs for it: 0 holds the shortest tasks.

    Formula: how many edges lie below the duration; a task of exactly an edge belongs to the shorter side.
    Valid when: the edges rise. The paper's own ranges (≤ 5, 5-30, 30-120, ≥ 120) overlap where they meet.
    Source: Khanal et al. 2026, the four buckets of definition 3.

    >>> duration_bucket([3, 5, 20, 400]).tolist()
    [0, 0, 1, 3]
    """
    import numpy as np

    times, limits = read_row("minutes", minutes), read_row("edges", edges)
    require(times >= 0, "minutes, a duration, is from 0", minutes=times)
    require(np.diff(limits) > 0, "edges rise from each to the next", step=np.diff(limits))
    return np.searchsorted(limits, times, side="left")


def rdc_by_horizon(n: Many, c: Many, bucket: Many, k: int) -> Array:
    """The reliability decay curve over the length of tasks: mean pass^k in bucket 0, 1, 2 …, at one k.

    Formula: mean over a bucket's tasks of C(c, k) / C(n, k).
    Valid when: as for `pass_hat_k`; each bucket from 0 to the last holds a task.
    Source: Khanal et al. 2026, definition 3. mcptest's curve of this name runs over k, within one task.

    >>> rdc_by_horizon([4, 4, 4], [3, 4, 1], [0, 0, 1], 2).tolist()
    [0.75, 0.0]
    """
    import numpy as np

    trials, passes, size = read_suite(n, c, k)
    place, _ = read_rows(bucket=bucket, n=trials)
    found, index = np.unique(place, return_inverse=True)
    require(found == np.arange(found.size), "buckets are counted 0, 1, 2 … and none is empty", bucket=found)
    mean: Array = np.bincount(index, weights=pass_hat_k(trials, passes, size)) / np.bincount(index)
    return mean


def horizon_slope(values: Many) -> float:
    """The reliability decay slope: how much a figure changes from one bucket to the next.

    Formula: Σ(b-b̄)(y-ȳ) / Σ(b-b̄)², the least squares line over the index b = 0, 1, 2 …
    Valid when: there are two buckets or more. It describes; it carries no interval.
    Source: Khanal et al. 2026, section 3.2 (there of the graceful degradation score, in a table of pass@1).

    >>> round(horizon_slope([0.763, 0.598, 0.505, 0.521]), 4)
    -0.0819
    """
    import numpy as np

    row = read_row("values", values, least=2)
    step = np.arange(row.size) - (row.size - 1) / 2
    return float((step * (row - row.mean())).sum() / (step**2).sum())


def vaf(long_rates: Many, short_rates: Many, *, ddof: int = 1) -> float | None:
    """The variance amplification factor: how much more long tasks differ from each other than short ones.

    Formula: Var(pass@1 | long tasks) / Var(pass@1 | short tasks), each across tasks, over T-ddof.
    Valid when: both groups hold more tasks than *ddof*. inf where only the short ones are all alike, None
    where both are: 0/0 says nothing. A high value tells that some long tasks are within the agent's reach and
    others are not; it is no instability of single runs, and nothing to gate on.
    Source: Khanal et al. 2026, definition 4; the paper leaves ddof open.

    >>> round(vaf([0, 0.5, 1], [0.4, 0.5, 0.6]), 6)
    25.0
    """
    off = read_whole("ddof", ddof, least=0)
    far, near = _variance("long_rates", long_rates, off), _variance("short_rates", short_rates, off)
    if near == 0:
        return None if far == 0 else inf
    return far / near


def gds(passed: Many, weights: Many | None = None) -> float:
    """The graceful degradation score of one trial: the share of its subtasks that were done, by weight.

    Formula: Σ w·passed / Σ w; all weights alike where none are given.
    Valid when: each subtask was judged on its own; weights are from 0 and not all 0.
    Source: Khanal et al. 2026, definition 5. mcptest's score of this name weighs trials by their position.

    >>> round(gds([True, False, True], [0.5, 0.3, 0.2]), 6)
    0.7
    """
    import numpy as np

    done = read_row("passed", passed)
    require_flags(passed=done)
    done, weight = read_rows(passed=done, weights=np.ones(done.size) if weights is None else weights)
    require(weight >= 0, "weights are from 0", weights=weight)
    require(weight.sum() > 0, "weights are not all 0", sum=weight.sum())
    return float((weight * done).sum() / weight.sum())


def reliability_horizon_k(n: Many, c: Many, target: float) -> int | None:
    """How often in a row the suite still does it: the largest k with pass^k at *target* or above.

    Formula: max{k ≤ min(n) : mean_i C(c_i, k) / C(n_i, k) ≥ target}; None where pass^1 is already below.
    Valid when: as for `pass_hat_k`. It ends at the smallest n: there the true horizon may lie further out.
    Source: the inverse of the curve of pass^k; a blog post on agent reliability calls such a k a meltdown
    onset point, which in the literature is a step within one trajectory (`mop_step`).

    >>> reliability_horizon_k([10, 10], [10, 9], 0.9)
    2
    """
    trials, passes = read_tasks(n, c)
    line = _read_target(target)
    curve = pass_hat_curve(trials, passes, int(trials.min()))
    return int((curve >= line - _ROUNDING).sum()) or None


def horizon_k_at_rate(p: Numbers, target: float) -> Numbers:
    """The k at which pass^k of a task with rate *p* falls to *target*; it need not be whole.

    Formula: ln target / ln p; inf at p = 1, 0 at p = 0.
    Valid when: one task with independent trials, all at rate p. Over unlike tasks it is too short.
    Source: p^k = target, solved for k.

    >>> round(horizon_k_at_rate(0.9, 0.5), 4)
    6.5788
    """
    import numpy as np

    (rate,) = read(p)
    require_shares(p=rate)
    inside = (rate > 0) & (rate < 1)
    k = np.log(_read_target(target)) / np.log(np.where(inside, rate, 0.5))
    return like(p, np.where(inside, k, np.where(rate == 1, inf, 0.0)))


def half_life_rate(time: Numbers, half_life: float) -> Numbers:
    """The success rate of a task that takes *time*, for an agent that does half of those that take *half_life*.

    Formula: 2^(-time / half_life).
    Valid when: the agent fails at a constant rate while it works; both times in one unit.
    Source: Ord 2025, "Is there a half-life for the success rates of AI agents?".

    >>> round(half_life_rate(60.0, 59), 6)
    0.49416
    """
    import numpy as np

    length, half = read(time, half_life)
    require(length >= 0, "time is from 0", time=length)
    require((half > 0) & np.isfinite(half), "half_life is above 0", half_life=half)
    with np.errstate(over="ignore"):  # infinitely many half-lives leave nothing
        return like(time, np.exp2(-length / half))


def half_life_time(rate: Numbers, half_life: float) -> Numbers:
    """The length of task that is done at *rate*: with rate .8 and half-life T50 this is T80.

    Formula: -half_life · log2(rate); T80 = .3219 · T50.
    Valid when: as for `half_life_rate`, which it inverts; rate above 0.
    Source: as for `half_life_rate`.

    >>> round(half_life_time(0.8, 1), 6)
    0.321928
    """
    import numpy as np

    share, half = read(rate, half_life)
    require((share > 0) & (share <= 1), "rate is above 0 and at most 1", rate=share)
    require((half > 0) & np.isfinite(half), "half_life is above 0", half_life=half)
    return like(rate, np.abs(half * np.log2(share)))  # abs: at rate 1 it is 0 and not -0


def _read_target(target: float) -> float:
    line = read_number("target", target)
    if not 0 < line <= 1:
        raise UsageError(f"target is above 0 and at most 1, not target={line:.10g}")
    return line


def _variance(name: str, rates: Many, ddof: int) -> float:
    """The variance across tasks; exactly 0 where all are alike, which rounding would hide."""
    row = read_row(name, rates, least=ddof + 1)
    require_shares(**{name: row})
    return 0.0 if (row == row[0]).all() else float(row.var(ddof=ddof))
