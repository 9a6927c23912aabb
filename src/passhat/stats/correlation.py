"""How alike the trials of a task are, and what that costs: ICC, design effect, effective n, clustered errors.

Trials of one task share its difficulty, so N trials of T tasks say less about the suite's rate than N trials of N tasks
would. All but `serial_correlation` take counts. Tests of such dependence: `dependence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Numbers, Outcomes, like, read, read_outcomes_by_task, read_tasks, require


@dataclass(frozen=True, slots=True)
class ClusteredErrors:
    """Three standard errors of a suite's pass rate: trials as if independent, trials within tasks, and task means."""

    naive: float
    clustered: float
    task_means: float


def icc(n: Array, c: Array) -> float:
    """The intra-task correlation ICC(1,1): the share of the outcomes' variance that lies between tasks.

    Near 1 the task decides the outcome, near 0 tasks are alike. Chance may bring it below 0: it is given raw.

    Formula: (MSB - MSW)/(MSB + (n0-1)·MSW), with MSB and MSW the mean squares between and within T tasks and
    n0 = (N - Σn_i²/N)/(T-1), which is n where all n_i are equal.
    Valid when: T ≥ 2, a task has two trials or more, and outcomes differ: where all passed or all failed there is
    no variance to share, and it is refused.
    Source: one-way analysis of variance; Shrout & Fleiss 1979, and Donner 1986 for unequal n.

    >>> round(icc([4, 4, 4, 4], [4, 3, 1, 0]), 6)
    0.586207
    """
    trials, passes = _read_differing(n, c)
    total, rates = trials.sum(), passes / trials
    between = (trials * (rates - passes.sum() / total) ** 2).sum() / (trials.size - 1)
    within = within_variance(trials, passes)
    size = (total - (trials**2).sum() / total) / (trials.size - 1)
    return float((between - within) / (between + (size - 1) * within))


def within_variance(n: Array, c: Array) -> float:
    """The mean square within tasks: the pooled variance of one task's outcomes around its own rate.

    Formula: Σ c_i(n_i-c_i)/n_i / Σ (n_i-1).
    Valid when: a task has two trials or more; trials and passes are not checked.
    Source: one-way analysis of variance.

    >>> import numpy as np
    >>> within_variance(np.array([4, 4, 4, 4]), np.array([4, 3, 1, 0]))
    0.125
    """
    return float((c * (n - c) / n).sum() / (n - 1).sum())


def design_effect(trials: Numbers, icc: Numbers) -> Numbers:
    """By how much correlation within tasks multiplies the variance of a suite's rate, with *trials* a task.

    Formula: 1 + (trials-1)·max(icc, 0).
    Valid when: every task has about as many trials, and tasks are a sample; trials ≥ 1 and -1 ≤ icc ≤ 1. An icc
    below 0 is chance and buys nothing.
    Source: Kish 1965; its root multiplies the standard error.

    >>> round(design_effect(10, 0.3), 6)
    3.7
    """
    import numpy as np

    size, share = read(trials, icc)
    require((size >= 1) & np.isfinite(size), "trials is a number from 1", trials=size)
    require((share >= -1) & (share <= 1), "icc is from -1 to 1", icc=share)
    return like(trials, np.asarray(1 + (size - 1) * np.maximum(share, 0)))


def effective_n(n: Array, c: Array) -> float:
    """How many independent trials the tasks' trials are worth, for the suite's pass rate on tasks like these.

    Formula: N / (1 + (Σn_i²/N - 1)·max(icc, 0)).
    Valid when: as for `icc`. It prices trials for a statement on tasks like these; for just these tasks, trials
    are worth what they count.
    Source: Kish 1965, with the mean size weighted by the trials where the n_i differ.

    >>> round(effective_n([4, 4, 4, 4], [4, 3, 1, 0]), 6)
    5.8
    """
    trials, passes = _read_differing(n, c)
    total = float(trials.sum())
    return total / design_effect(float((trials**2).sum()) / total, icc(trials, passes))


def clustered_se(n: Array, c: Array) -> ClusteredErrors:
    """Standard errors of the suite's pass rate: as if trials were independent, by clusters, and of the task means.

    Formula: naive √(p(1-p)/N); clustered √Σ(c_i - n_i·p)²/N, with p = C/N; task means: sd(c_i/n_i)/√T.
    Valid when: T ≥ 2 and tasks are a sample. Below 30 to 50 tasks the clustered one (CR0) is too small; the third
    with t on T-1 degrees is better. All are 0 where all passed: approximate, never for a gate.
    Source: Miller 2024, "Adding error bars to evals" (arXiv 2411.00640), for the clustered one.

    >>> errors = clustered_se([4, 4, 4, 4], [4, 3, 1, 0])
    >>> [round(each, 6) for each in (errors.naive, errors.clustered, errors.task_means)]
    [0.125, 0.197642, 0.228218]
    """
    import numpy as np

    trials, passes = read_tasks(n, c, least=2)
    total = trials.sum()
    rate = passes.sum() / total
    return ClusteredErrors(
        naive=float(np.sqrt(rate * (1 - rate) / total)),
        clustered=float(np.sqrt(((passes - trials * rate) ** 2).sum()) / total),
        task_means=float((passes / trials).std(ddof=1) / np.sqrt(trials.size)),
    )


def serial_correlation(outcomes_by_task: Sequence[Outcomes] | Array) -> float:
    """The correlation of a trial's outcome with the next one's, within tasks: 0 on average where order is chance.

    This is what the shares of windows are good for: where passes come in runs, all-pass windows are more frequent
    than the unbiased pass^k, and this is above 0.

    Formula: Σ_i (Σ_j d_ij·d_i(j+1) + S_i/n_i) / Σ_i S_i(n_i-1)/n_i, with d the deviation from the task's rate and
    S_i = Σ_j d_ij²; S_i/n_i takes away the bias of shuffled trials, exactly.
    Valid when: outcomes stand in their order and a task has both a pass and a failure; else it is refused.
    Source: the lag-1 autocorrelation, pooled; its mean under permutation by Moran 1948.

    >>> round(serial_correlation([[1, 1, 1, 0, 0, 0], [1, 1, 0, 0]]), 6)
    0.75
    """
    along = most = 0.0
    for trials in read_outcomes_by_task(outcomes_by_task):
        around = trials - trials.mean()
        squares = float((around**2).sum())
        along += float((around[1:] * around[:-1]).sum()) + squares / trials.size
        most += squares * (trials.size - 1) / trials.size
    if most == 0:
        raise UsageError("a serial correlation needs a task with both a pass and a failure, and there is none")
    return along / most


def _read_differing(n: Array, c: Array) -> tuple[Array, Array]:
    """Counts of which an ICC can be told."""
    trials, passes = read_tasks(n, c, least=2)
    if trials.max() < 2:
        raise UsageError("an ICC needs a task with two trials or more, and every task has one")
    if passes.sum() in {0, trials.sum()}:
        raise UsageError("an ICC needs outcomes that differ, and all trials passed or all failed")
    return trials, passes
