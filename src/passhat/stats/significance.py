"""Tests between two agents or two conditions, and what many tests at once do to their error."""

from __future__ import annotations

from passhat.stats.arrays import Array, Many, Numbers, like, read, read_row, require, require_shares

# Two tables are equally likely if their probabilities differ by rounding alone.
_TIE = 1e-7
_MOST, _MOST_FISHER = 10**9, 10**7  # beyond, the sums of logarithms miss more than a tie


def mcnemar(b: Numbers, c: Numbers, *, midp: bool = False) -> Numbers:
    """The two-sided p-value for one trial a task of two agents, on the same tasks.

    *b* tasks passed with the first agent alone, *c* with the second alone; where both do the same, nothing is learnt.
    Formula: min(1, 2·P(X ≤ min(b, c))), X ~ Binomial(b+c, ½); the mid-p value takes off half the probability of
    what was observed, on each side.
    Valid when: tasks are independent. Its error is at most what it says. With *midp* it is closer to that on average,
    and at times above: approximate.
    Source: McNemar 1947; mid-p after Fagerland, Lydersen & Laake 2013.

    >>> round(mcnemar(8, 2), 6), round(mcnemar(8, 2, midp=True), 6)
    (0.109375, 0.06543)
    """
    import numpy as np
    from scipy.special import bdtr

    one, other = read(b, c)
    _require_counts(_MOST, b=one, c=other)
    total, least = (one + other).astype(np.int64), np.minimum(one, other)
    tail = bdtr(least, total, 0.5)
    below = np.where(least > 0, bdtr(np.maximum(least - 1, 0), total, 0.5), 0.0)
    # At b = c each side's tail holds what was observed, and both together count it once. Nothing at all is no evidence.
    half = np.where(one == other, np.where(total > 0, 1 - (tail - below) / 2, 1), tail + below)
    return like(b, half if midp else np.minimum(1, 2 * tail))


def fisher_exact(a: Numbers, b: Numbers, c: Numbers, d: Numbers) -> Numbers:
    """The two-sided p-value for *a* passes and *b* failures against *c* passes and *d* failures.

    Formula: the sum of the hypergeometric probabilities, given both totals, that are at most that of the table.
    Valid when: all trials are independent, as of one task or of one trial a task. Exact, and conservative.
    Source: Fisher 1934; two-sided by probability, after Irwin 1935.

    >>> round(fisher_exact(28, 2, 20, 10), 6)
    0.021145
    """
    import numpy as np

    cells = read(a, b, c, d)
    _require_counts(_MOST_FISHER, **dict(zip("abcd", cells, strict=True)))
    flat = np.stack([cell.ravel() for cell in cells], axis=-1)
    found = np.array([_fisher(*(int(count) for count in row)) for row in flat])
    return like(a, found.reshape(cells[0].shape))


def holm(p: Many) -> Array:
    """P-values made fit for being read together, so that one false alarm at all is as rare as each says: for gates.

    Formula: the i-th smallest of m times (m-i+1), never below the one before, at most 1.
    Valid when: always, however the tests depend on each other.
    Source: Holm 1979.

    >>> holm([0.001, 0.012, 0.02, 0.03, 0.2]).round(6).tolist()
    [0.005, 0.048, 0.06, 0.06, 0.2]
    """
    import numpy as np

    values, order = _sorted(p)
    steps = np.maximum.accumulate(values * np.arange(values.size, 0, -1))
    return _back(np.minimum(steps, 1), order)


def benjamini_hochberg(p: Many) -> Array:
    """P-values made fit for a list of suspects, of which a share of at most alpha is false on average: for triage.

    Formula: the i-th smallest of m times m/i, never above the one after.
    Valid when: the tests are independent or positively dependent.
    Source: Benjamini & Hochberg 1995.

    >>> benjamini_hochberg([0.001, 0.012, 0.02, 0.03, 0.2]).round(6).tolist()
    [0.005, 0.03, 0.033333, 0.0375, 0.2]
    """
    import numpy as np

    values, order = _sorted(p)
    steps = values * values.size / np.arange(1, values.size + 1)
    return _back(np.minimum.accumulate(steps[::-1])[::-1], order)


def false_flag_probability(tasks: Numbers, alpha: float) -> Numbers:
    """The probability that one task or more is flagged though none has changed.

    Formula: 1 - (1-alpha)^tasks.
    Valid when: each task has a test of its own with error alpha, and the tests are independent.
    Source: the complement of no flag at all.

    >>> round(false_flag_probability(20, 0.05), 6)
    0.641514
    """
    import numpy as np

    count, level = read(tasks, alpha)
    _require_counts(_MOST, tasks=count)
    require((level >= 0) & (level < 1), "alpha is from 0 and below 1", alpha=level)
    return like(tasks, -np.expm1(count * np.log1p(-level)))


def _fisher(a: int, b: int, c: int, d: int) -> float:
    """One table's p-value, from the logarithms of all tables with its totals."""
    import numpy as np
    from scipy.special import gammaln

    x = np.arange(max(0, a - d), min(a + b, a + c) + 1)
    logs = -sum(gammaln(cell + 1) for cell in (x, a + b - x, a + c - x, d - a + x))
    chances = np.exp(logs - np.max(logs))
    mine = chances[a - x[0]]
    return float(chances[chances <= mine * (1 + _TIE)].sum() / chances.sum())


def _require_counts(most: int, **given: Array) -> None:
    import numpy as np

    for name, values in given.items():
        whole = (values >= 0) & (values <= most) & (values == np.floor(values))
        require(whole, f"{name}, a count, is a whole number from 0 to {most:,}", **{name: values})


def _sorted(p: Many) -> tuple[Array, Array]:
    import numpy as np

    values = read_row("p", p)
    require_shares(p=values)
    order = np.argsort(values, kind="stable")
    return values[order], order


def _back(values: Array, order: Array) -> Array:
    """*values* in the order in which the p-values were given."""
    import numpy as np

    there = np.empty_like(values)
    there[order] = values
    return there
