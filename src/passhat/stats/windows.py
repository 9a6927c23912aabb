"""Windows of k trials in a row, and the trials as a whole: what was observed, any pass or all passes.

These take outcomes in their order. As estimates they are inferior to `pass_at_k` and `pass_hat_k`, which use every
k-subset and not only the neighbours: with eight passes of ten, windows of five say anything from 0 to .667, by the
order alone. Their use is to notice that the order matters: where a window's share and the unbiased figure lie far
apart, passes come in runs (or avoid each other), and `serial_correlation` measures that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import index

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Outcomes, read_outcomes


@dataclass(frozen=True, slots=True)
class WindowRow:
    """One pattern of outcomes: whether any of them passed, whether all did, and how many windows show it."""

    pattern: tuple[bool, ...]
    any_passed: bool
    all_passed: bool
    windows: int


def pass_hat_k_window(outcomes: Outcomes, k: int) -> float:
    """The share of the windows of *k* trials in a row in which every trial passed.

    Formula: #{j : o_j = … = o_{j+k-1} = 1} / (n-k+1).
    Valid when: 1 ≤ k ≤ n, outcomes in their order. Right on average for independent trials, but it varies more
    than `pass_hat_k` and depends on the order.
    Source: TraceLens, as its pass^k.

    >>> round(pass_hat_k_window([1, 1, 0, 1, 1, 1, 0, 1, 1, 1], 2), 3)
    0.556
    """
    passes = _passes(outcomes, k)
    return float((passes == k).mean())


def pass_at_k_window(outcomes: Outcomes, k: int) -> float:
    """The share of the windows of *k* trials in a row in which any trial passed.

    Formula: #{j : o_j + … + o_{j+k-1} ≥ 1} / (n-k+1).
    Valid when: as for `pass_hat_k_window`.
    Source: TraceLens's truth table of windows.

    >>> pass_at_k_window([1, 0, 0, 1], 2)
    0.6666666666666666
    """
    passes = _passes(outcomes, k)
    return float((passes > 0).mean())


def window_table(outcomes: Outcomes, k: int) -> tuple[WindowRow, ...]:
    """Each distinct window of *k* trials in a row, and which of the two metrics counts it; passes first.

    Formula: any = max(o_1 … o_k), all = min(o_1 … o_k), for each pattern that occurs.
    Valid when: 1 ≤ k ≤ n, outcomes in their order.
    Source: TraceLens's truth table of windows.

    >>> for row in window_table([1, 1, 1, 0], 3):
    ...     print(row.pattern, row.any_passed, row.all_passed, row.windows)
    (True, True, True) True True 1
    (True, True, False) True False 1
    """
    trials = _read_window(outcomes, k).tobytes()  # a byte a trial, so that a slice is a pattern
    seen = Counter(trials[start : start + k] for start in range(len(trials) - k + 1))
    return tuple(
        WindowRow(tuple(map(bool, pattern)), any(pattern), all(pattern), windows)
        for pattern, windows in sorted(seen.items(), reverse=True)
    )


def observed_pass_hat(outcomes: Outcomes) -> float:
    """1 where every trial passed, else 0: what was observed, and no estimate.

    Formula: ∏ o_j.
    Valid when: always, for one trial or more; it is `pass_hat_k` at k = n.
    Source: mcptest's reliability page (its pass^k), and a blog post on agent reliability.

    >>> observed_pass_hat([True, True]), observed_pass_hat([True, False])
    (1.0, 0.0)
    """
    return float(read_outcomes(outcomes).all())


def observed_pass_at(outcomes: Outcomes) -> float:
    """1 where any trial passed, else 0: what was observed, and no estimate.

    Formula: 1 - ∏ (1 - o_j).
    Valid when: always, for one trial or more; it is `pass_at_k` at k = n.
    Source: mcptest's reliability page (its pass@k).

    >>> observed_pass_at([True, False]), observed_pass_at([False, False])
    (1.0, 0.0)
    """
    return float(read_outcomes(outcomes).any())


def _passes(outcomes: Outcomes, k: int) -> Array:
    """The passes in each window."""
    import numpy as np

    sums = np.concatenate([[0], np.cumsum(_read_window(outcomes, k))])
    passes: Array = sums[k:] - sums[:-k]
    return passes


def _read_window(outcomes: Outcomes, k: int) -> Array:
    """The outcomes, where windows of *k* fit into them."""
    trials = read_outcomes(outcomes)
    try:
        fits = index(k) in range(1, trials.size + 1)
    except TypeError:
        fits = False
    if not fits:
        raise UsageError(f"k is a whole number from 1 to the {trials.size} outcomes, not {k!r:.80}")
    return trials
