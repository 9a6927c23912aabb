"""How alike trajectories are: by what was done, and by the order in which it was done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from math import fsum, log2

from passhat.errors import UsageError
from passhat.stats.arrays import count_alike, read_items, read_list

Actions = Sequence[Hashable]


def action_similarity(one: Actions, other: Actions) -> float:
    """How alike two trajectories are in how often they use each action: 1 for the same shares, 0 for none in common.

    Formula: 1 - JSD₂(P, Q) over the shares of the actions, with JSD₂ the Jensen-Shannon divergence in bits.
    Valid when: always. Two trajectories without actions are alike; one without is unlike any other.
    Source: Lin 1991; as C_traj^d of Rabanser et al. 2026, over pairs of successful runs.

    >>> action_similarity("ab", "ac"), round(action_similarity("aab", "abb"), 6)
    (0.5, 0.918296)
    """
    first, second = read_items("one", one), read_items("other", other)
    if not (first and second):
        return float(len(first) == len(second))
    left, right = _shares(first), _shares(second)
    terms = (_divergence(left.get(action, 0.0), right.get(action, 0.0)) for action in left.keys() | right.keys())
    return min(1.0, max(0.0, 1 - fsum(terms) / 2))


def sequence_similarity(one: Actions, other: Actions) -> float:
    """How alike two trajectories are in the order of their actions: 1 for the same, 0 for nothing in common.

    Formula: 1 - Levenshtein(one, other) / max(length): inserting, deleting or replacing an action costs 1.
    Valid when: always; two trajectories without actions are alike.
    Source: Levenshtein 1966; as C_traj^s of Rabanser et al. 2026, over pairs of successful runs.

    >>> round(sequence_similarity("abc", "abd"), 6), sequence_similarity("abcd", "abdc")
    (0.666667, 0.5)
    """
    first, second = read_items("one", one), read_items("other", other)
    longest = max(len(first), len(second))
    return 1 - _edits(first, second) / longest if longest else 1.0


def mean_action_similarity(trajectories: Iterable[Actions]) -> float:
    """The mean of `action_similarity` over all pairs of trajectories.

    Formula: Σ_{i<j} similarity / (m(m-1)/2).
    Valid when: there are two trajectories or more, all of one task; failed ones usually left out.
    Source: C_traj^d of Rabanser et al. 2026.

    >>> round(mean_action_similarity(["ab", "ab", "ac"]), 6)
    0.666667
    """
    return _mean_of_pairs(trajectories, action_similarity)


def mean_sequence_similarity(trajectories: Iterable[Actions]) -> float:
    """The mean of `sequence_similarity` over all pairs of trajectories.

    Formula: Σ_{i<j} similarity / (m(m-1)/2).
    Valid when: as for `mean_action_similarity`.
    Source: C_traj^s of Rabanser et al. 2026.

    >>> round(mean_sequence_similarity(["abc", "abc", "abd"]), 6)
    0.777778
    """
    return _mean_of_pairs(trajectories, sequence_similarity)


def _mean_of_pairs(trajectories: Iterable[Actions], similarity: Callable[[Actions, Actions], float]) -> float:
    """Each pair of distinct trajectories is compared once, however often they occur: good agents repeat themselves."""
    distinct = count_alike(read_items("a trajectory", each) for each in read_list("trajectories", trajectories))
    total = sum(distinct.values())
    if total < 2:
        raise UsageError(f"a pair takes 2 trajectories or more, not {total}")
    alike = [times * (times - 1) / 2 for times in distinct.values()]
    pairs = combinations(distinct.items(), 2)
    unlike = [m * k * similarity(one, other) for (one, m), (other, k) in pairs]
    return fsum(alike + unlike) / (total * (total - 1) / 2)


def _shares(actions: Actions) -> dict[Hashable, float]:
    return {action: times / len(actions) for action, times in count_alike(actions).items()}


def _divergence(p: float, q: float) -> float:
    """One action's part of KL(P, M) + KL(Q, M), with M = (P + Q)/2."""
    middle = (p + q) / 2
    return sum(share * log2(share / middle) for share in (p, q) if share > 0)


def _edits(one: Actions, other: Actions) -> int:
    """The Levenshtein distance, a row of its table at a time."""
    row = list(range(len(other) + 1))
    for i, action in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, wanted in enumerate(other, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (action != wanted))
    return row[-1]
