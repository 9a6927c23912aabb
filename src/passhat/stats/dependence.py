"""Tests of whether trials are the independent, like draws that pass^k takes them for, by permutation.

Each holds fixed what its null hypothesis says nothing about, shuffles the rest, and asks how often chance alone goes as
far as what was seen. So its error rate is at most the level at every size of suite; only the test of drift puts the
normal distribution in for large ones. A large p says that nothing was found, not that nothing is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Outcomes, read_outcomes_by_task, read_seed, read_tasks, require
from passhat.stats.correlation import icc, within_variance

_SHUFFLES, _FEWEST_SHUFFLES = 1_999, 199  # their p is never below 1/2000, or 1/200 for more than 20,000 tasks
_AT_ONCE = 4_000_000  # tasks × shuffles
_MOST_DEALT = 10**9  # trials; numpy's dice refuse more
_MOST_STEPS, _MOST_TRIALS = 5_000, 100  # of a rank sum that is counted out
_HAIR = 1e-9  # two statistics that differ by rounding alone are equal


@dataclass(frozen=True, slots=True)
class OverdispersionTest:
    """Tarone's z, above 0 where task rates are more spread than one coin's would be, and its one-sided p."""

    z: float
    p: float
    method: str


@dataclass(frozen=True, slots=True)
class DriftTest:
    """z below 0 where passes come early and failures late, above 0 where it is the other way; p is two-sided."""

    z: float
    p: float
    method: str


@dataclass(frozen=True, slots=True)
class SeedTest:
    """The variance within tasks of runs that share a seed and of runs that do not, their ICCs, and a one-sided p.

    An ICC is None where it has none: with one task, or where all trials passed or all failed.
    """

    same_within: float
    varied_within: float
    same_icc: float | None
    varied_icc: float | None
    p: float
    method: str


def overdispersion_test(n: Array, c: Array, *, seed: int = 0) -> OverdispersionTest:
    """Are the tasks' pass rates more spread than a binomial with one rate for all of them?

    Formula: S = Σ (c_i - n_i·p)² with p = C/N; z = (S/(p(1-p)) - N)/√(2Σ n_i(n_i-1)). Its p is (1 + #{S* ≥ S})/(B+1)
    over B deals of the C passes over all N trials, C kept: multivariate hypergeometric. B = 1999; 199 at the fewest
    where tasks are more than 2000.
    Valid when: trials are independent, T ≥ 2. The size is at most nominal at every T and n, where the normal tail of z
    would reject up to twice as often as it says when nearly all trials pass.
    Source: Tarone 1979 for z; the permutation is exact since C is sufficient for one common rate.

    >>> test = overdispersion_test([10, 10, 10, 10], [10, 10, 3, 2])
    >>> test.p < 0.01
    True
    """
    import numpy as np

    trials, passes = read_tasks(n, c, least=2)
    require(np.array(trials.sum() < _MOST_DEALT), "a test shuffles fewer than 10^9 trials", trials=trials.sum())
    total, passed = trials.sum(), passes.sum()
    rate, pairs = passed / total, (trials * (trials - 1)).sum()
    if rate in {0, 1} or pairs == 0:  # one way only to deal the passes, or all ways alike
        return OverdispersionTest(0.0, 1.0, "nothing to tell")
    spread = ((passes - trials * rate) ** 2).sum()
    z = float((spread / (rate * (1 - rate)) - total) / np.sqrt(2 * pairs))
    dice, sizes = np.random.default_rng(read_seed(seed)), trials.astype(np.int64)

    def deal(times: int) -> Array:
        deals = dice.multivariate_hypergeometric(sizes, int(passed), size=times)
        spreads: Array = ((deals - trials * rate) ** 2).sum(axis=1)
        return spreads

    as_far = _shuffled(deal, trials.size) >= spread * (1 - _HAIR)
    return OverdispersionTest(z, _share(as_far), f"permutation, {as_far.size} shuffles")


def drift_test(outcomes_by_task: Sequence[Outcomes] | Array) -> DriftTest:
    """Do outcomes drift with the trial's index within its task, as they do where state leaks or a service changes?

    Formula: D = Σ_i Σ_j j·o_ij. Given each task's passes, E D = Σ c_i(n_i+1)/2 and Var D = Σ c_i(n_i-c_i)(n_i+1)/12;
    z = (D - E D)/√Var D, and p = P(|D* - E D| ≥ |D - E D|) over all orders, counted out.
    Valid when: outcomes stand in their order; tasks may differ in length. Exact while Σ c_i(n_i-c_i) ≤ 5000 and
    n ≤ 100, else the normal tail with continuity correction: at most nominal too at levels up to .05, and .108 at
    the worst for .1. Tasks of one outcome alone say nothing: p is 1.
    Source: the rank-sum test (Wilcoxon 1945; Mann & Whitney 1947), stratified by task (van Elteren 1960).

    >>> test = drift_test([[1, 1, 1, 0, 0], [1, 1, 1, 0]])
    >>> round(test.z, 3), test.p
    (-2.183, 0.05)
    """
    import numpy as np
    from scipy.special import ndtr

    tasks = [each for each in read_outcomes_by_task(outcomes_by_task) if not each.all() and each.any()]
    if not tasks:
        return DriftTest(0.0, 1.0, "nothing to tell")
    sizes = [(each.size, int(each.sum())) for each in tasks]
    off = sum(float(np.flatnonzero(each).sum() - c * (n - 1) / 2) for each, (n, c) in zip(tasks, sizes, strict=True))
    sd = float(np.sqrt(sum(c * (n - c) * (n + 1) / 12 for n, c in sizes)))
    steps = sum(c * (n - c) for n, c in sizes)
    if steps > _MOST_STEPS or max(n for n, _ in sizes) > _MOST_TRIALS:
        return DriftTest(off / sd, min(1.0, 2 * float(ndtr(-max(abs(off) - 0.5, 0.0) / sd))), "normal approximation")
    chances = _rank_sums(Counter(sizes))
    far = np.abs(np.arange(steps + 1) - steps / 2) >= abs(off) - _HAIR
    return DriftTest(off / sd, min(1.0, float(chances[far].sum())), "exact permutation")


def seed_test(same_n: Array, same_c: Array, varied_n: Array, varied_c: Array, *, seed: int = 0) -> SeedTest:
    """Do trials that share a seed agree with each other more than trials with seeds of their own?

    Formula: V = Σ c_i(n_i-c_i)/n_i / Σ(n_i-1) for each kind of run; D = V_same - V_varied. Under "the seed does not
    matter" c_i ~ Hypergeometric(n_i+m_i, s_i, n_i) given the task's passes s_i in both; p = (1 + #{D* ≤ D})/(B+1)
    over B draws; B as for `overdispersion_test`.
    Valid when: both runs have the same tasks in one order and differ in their seeds alone, and some task has two
    trials or more in each. The size is at most nominal.
    Source: a permutation within tasks, one-sided: shared seeds can only make trials more alike.

    >>> test = seed_test([4, 4, 4, 4], [4, 0, 4, 4], [4, 4, 4, 4], [2, 1, 3, 2])
    >>> test.same_within, test.p < 0.05
    (0.0, True)
    """
    import numpy as np

    (n, c), (m, d) = read_tasks(same_n, same_c), read_tasks(varied_n, varied_c)
    if n.size != m.size:
        raise UsageError(f"both runs need the same tasks, and the one has {n.size}, the other {m.size}")
    fewest, most = min(n.max(), m.max()), n.sum() + m.sum()
    require(np.array(fewest > 1), "some task needs two trials or more in each run", trials=fewest)
    require(np.array(most < _MOST_DEALT), "a test shuffles fewer than 10^9 trials", trials=most)
    same, varied = within_variance(n, c), within_variance(m, d)
    dice = np.random.default_rng(read_seed(seed))
    passes, failures, size = (each.astype(np.int64) for each in (c + d, n + m - c - d, n))

    def deal(times: int) -> Array:
        drawn = dice.hypergeometric(passes, failures, size, (times, n.size))
        return _within_variances(n, drawn) - _within_variances(m, passes - drawn)

    as_far = _shuffled(deal, n.size) <= same - varied + _HAIR
    return SeedTest(
        same_within=same,
        varied_within=varied,
        same_icc=_icc_or_none(n, c),
        varied_icc=_icc_or_none(m, d),
        p=_share(as_far),
        method=f"permutation, {as_far.size} shuffles",
    )


def _within_variances(n: Array, c: Array) -> Array:
    """`within_variance` of many shuffles, a row each."""
    import numpy as np

    summed: Array = np.asarray((c * (n - c) / n).sum(axis=1) / (n - 1).sum())
    return summed


def _shuffled(deal: Callable[[int], Array], tasks: int) -> Array:
    """The statistic in as many shuffles as their time allows; *deal* gives that of some at once."""
    import numpy as np

    at_once = max(1, _AT_ONCE // tasks)
    left = min(_SHUFFLES, max(_FEWEST_SHUFFLES, at_once))
    dealt = []
    while left:
        dealt.append(deal(min(left, at_once)))
        left -= dealt[-1].size
    return np.concatenate(dealt)


def _share(as_far: Array) -> float:
    """The p of a permutation test: what was seen is one of the orders, so it is never 0."""
    return float((1 + as_far.sum()) / (1 + as_far.size))


def _icc_or_none(n: Array, c: Array) -> float | None:
    """The ICC, where it has one."""
    differ = 0 < c.sum() < n.sum()
    return icc(n, c) if differ and n.size > 1 else None


def _rank_sums(tasks: Counter[tuple[int, int]]) -> Array:
    """The chance of each sum of the passes' positions, above the least one, for so many tasks of each (n, c)."""
    import numpy as np

    each = _rank_sums_of_one(set(tasks))
    spread_out = [each[size] for size, many in tasks.items() for _ in range(many)]
    return reduce(np.convolve, spread_out)


def _rank_sums_of_one(wanted: set[tuple[int, int]]) -> dict[tuple[int, int], Array]:
    """The same for single tasks, a trial at a time: the last of n passed with chance c/n, n-c places from the front."""
    import numpy as np

    kept: dict[tuple[int, int], Array] = {}
    before = [np.ones(1)]  # for no trial yet, by passes
    for n in range(1, max(size for size, _ in wanted) + 1):
        now = [np.zeros(c * (n - c) + 1) for c in range(n + 1)]
        for c, chances in enumerate(now):
            if c < n:
                chances[: before[c].size] += (1 - c / n) * before[c]
            if c:
                chances[n - c :] += c / n * before[c - 1]
        kept.update({(n, c): now[c] for size, c in wanted if size == n})
        before = now
    return kept
