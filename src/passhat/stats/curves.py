"""pass^k and pass@k of a suite, for every k at once: means over tasks, by a table of the distinct counts.

A million tasks with a hundred trials each have a few thousand different (n, c) at most, so the formulas run over those
and each is weighed with how many tasks share it. Trials of different tasks are never pooled. One task: `passk`.
"""

from __future__ import annotations

from typing import NamedTuple

from passhat.stats.arrays import Array, Many, read_suite, read_tasks

_AT_ONCE, _IN_CACHE = 32_768, 16_000


class CountTable(NamedTuple):
    """The distinct pairs of trials and passes, and how many tasks have each; n first, then c, rising."""

    n: Array
    c: Array
    tasks: Array


def count_table(n: float | Many, c: float | Many) -> CountTable:
    """The distinct (n, c) of a suite's tasks, and how many tasks have each: all that a mean over tasks needs.

    Formula: a histogram over n and c.
    Valid when: n and c hold one whole number a task, 0 ≤ c ≤ n and n ≥ 1; they may be scalars where all agree.
    Source: the order of the tasks says nothing about their mean.

    >>> import numpy as np
    >>> [column.tolist() for column in count_table(np.array([4, 4, 5, 4]), np.array([3, 4, 0, 3]))]
    [[4, 4, 5], [3, 4, 0], [2, 1, 1]]
    """
    import numpy as np

    trials, passes = _read_whole(n, c)
    lowest, width = int(trials.min()), int(passes.max()) + 1
    cells = (int(trials.max()) - lowest + 1) * width
    if min(lowest - 1, int(passes.min())) < 0:
        read_tasks(n, c)  # says which task is wrong
    if cells > max(4 * trials.size, _AT_ONCE):  # too thin for a histogram: sort
        (sizes, counts), tasks = np.unique(np.stack([trials, passes]), axis=1, return_counts=True)
        table = CountTable(sizes, counts, tasks)
    else:
        tasks = np.bincount(passes) if cells == width else _histogram(trials, passes, lowest, cells)
        found = np.flatnonzero(tasks)
        table = CountTable(found // width + lowest, found % width, tasks[found])
    if (table.c > table.n).any():
        read_tasks(n, c)
    return table


def pass_hat_curve(n: Array, c: Array, upto: int) -> Array:
    """The mean over tasks of pass^1, pass^2 … pass^upto: what `pass_hat_k` gives, in one sweep.

    Formula: mean_i C(c_i, k) / C(n_i, k) for k = 1 … upto.
    Valid when: as for `pass_hat_k`, with upto ≤ min(n). The mean is over tasks: trials are never pooled.
    Source: as for `pass_hat_k`.

    >>> import numpy as np
    >>> pass_hat_curve(np.array([4, 4, 4, 4]), np.array([4, 3, 1, 0]), 2).tolist()
    [0.5, 0.375]
    """
    import numpy as np

    table = _table(n, c, upto)
    curve = _means(table.n, table.c, table.tasks, upto)
    curve[:1] = _rate(table)
    falling: Array = np.minimum.accumulate(curve)  # where all passed, a sum may end a last bit above another
    return falling


def pass_at_curve(n: Array, c: Array, upto: int) -> Array:
    """The mean over tasks of pass@1, pass@2 … pass@upto.

    Formula: mean_i 1 - C(n_i-c_i, k) / C(n_i, k) for k = 1 … upto.
    Valid when: as for `pass_at_k`, with upto ≤ min(n).
    Source: as for `pass_at_k`.

    >>> import numpy as np
    >>> pass_at_curve(np.array([4, 4]), np.array([4, 2]), 2).round(6).tolist()
    [0.75, 0.916667]
    """
    import numpy as np

    table = _table(n, c, upto)
    curve = 1 - _means(table.n, table.n - table.c, table.tasks, upto)
    curve[:1] = _rate(table)
    rising: Array = np.maximum.accumulate(curve)
    return rising


def _table(n: Array, c: Array, upto: int) -> CountTable:
    """The table, where every task has *upto* trials or more."""
    table = count_table(n, c)
    read_suite(table.n, table.c, upto, name="upto")
    return table


def _means(n: Array, c: Array, tasks: Array, upto: int) -> Array:
    """The mean of pass^1 … pass^upto over the rows, each weighed with its tasks; some k's at a time."""
    import numpy as np

    means, weights = np.zeros(int(upto)), tasks.astype(float)
    share = np.ones((n.size, 1))
    width = max(1, _AT_ONCE // n.size)
    for start in range(0, means.size, width):
        i = np.arange(start, min(start + width, means.size))
        shares = share * np.cumprod(np.maximum(c[:, None] - i, 0) / (n[:, None] - i), axis=1)
        means[i] = weights @ shares
        share = shares[:, -1:]
    curve: Array = means / weights.sum()
    return curve


def _rate(table: CountTable) -> Array:
    """The mean rate, which is both pass^1 and pass@1, to the last bit: passes are added up before they are divided.

    So where all n are equal it is the float nearest to C/(n·T), as whoever divides the printed counts will get.
    """
    import numpy as np

    sizes, row = np.unique(table.n, return_inverse=True)
    passes = np.bincount(row, weights=table.tasks * table.c)
    rate: Array = (passes / (sizes * table.tasks.sum())).sum()
    return rate


def _read_whole(n: float | Many, c: float | Many) -> tuple[Array, Array]:
    """Trials and passes of tasks as 64-bit whole numbers; those that are so already are neither checked nor copied."""
    import numpy as np

    try:
        trials, passes = np.asarray(n), np.asarray(c)
    except ValueError:  # ragged, which this one says
        trials, passes = read_tasks(n, c)
    whole = all(each.dtype.kind == "i" for each in (trials, passes))
    if not (whole and trials.shape == passes.shape and trials.ndim == 1 and trials.size):
        trials, passes = read_tasks(n, c)
    return trials.astype(np.int64, copy=False), passes.astype(np.int64, copy=False)


def _histogram(n: Array, c: Array, lowest: int, cells: int) -> Array:
    """How many tasks each cell holds, of a table with a row for each n from *lowest* and a column for each c.

    Some tasks at a time, so that what is computed on the way stays in the processor's cache.
    """
    import numpy as np

    width = int(c.max()) + 1
    tasks = np.zeros(cells, dtype=np.int64)
    for start in range(0, n.size, _IN_CACHE):
        here = slice(start, start + _IN_CACHE)
        tasks += np.bincount((n[here] - lowest) * width + c[here], minlength=cells)
    return tasks
