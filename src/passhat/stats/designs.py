"""How to spend runs: between tasks and trials, between two arms on the same tasks, or against a margin.

Standard-library maths, normal approximations. *Tasks like these* are meant throughout: tasks are a sample, and their
rates differ. *icc* is the share of a run's variance that lies between tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, inf, sqrt

from passhat.errors import UsageError
from passhat.stats.scalars import (
    normal_quantile,
    read_at_least,
    read_icc,
    read_number,
    read_share,
    read_whole,
    whole_up,
)

_MOST_RUNS = 10_000_000


@dataclass(frozen=True, slots=True)
class Split:
    """One way to spend a budget: so many *tasks* with so many *trials* each; *se* is what it leaves to chance."""

    tasks: int
    trials: int
    cost: float
    se: float

    @property
    def runs(self) -> int:
        """All trials of all tasks."""
        return self.tasks * self.trials


def split_error(tasks: int, trials: int, *, icc: float, rate: float) -> float:
    """The standard error of a pass rate over *tasks* tasks with *trials* trials each.

    Formula: √(rate·(1-rate)/(T·n) · (1 + (n-1)·icc)).
    Valid when: the tasks are a sample of tasks like these, and trials of a task are alike.
    Source: the design effect of cluster samples (Kish 1965).

    >>> round(split_error(20, 10, icc=0.45, rate=0.8), 3), round(split_error(100, 2, icc=0.45, rate=0.8), 3)
    (0.064, 0.034)
    """
    count, each = read_whole("tasks", tasks), read_whole("trials", trials)
    level, between = read_share("rate", rate), read_icc(icc)
    return sqrt(level * (1 - level) / (count * each) * (1 + (each - 1) * between))


def splits(
    budget: float,
    icc: float,
    *,
    rate: float,
    cost_per_run: float = 1.0,
    cost_per_task: float = 0.0,
    most_tasks: float = inf,
) -> tuple[Split, ...]:
    """Every number of tasks that a budget pays for, each with all the trials that are left for it; most tasks first.

    Formula: T tasks with n = ⌊(budget/T - cost_per_task) / cost_per_run⌋ trials each; `split_error` for the error.
    Valid when: as for `split_error`. *budget* is in the unit of the costs: by default, in runs.
    Source: as for `split_error`.

    >>> [(one.tasks, one.trials) for one in splits(12, 0.45, rate=0.8)]
    [(12, 1), (6, 2), (4, 3), (3, 4), (2, 6), (1, 12)]
    """
    money = read_at_least("budget", budget)
    run, task = read_share("cost_per_run", cost_per_run, high=inf), read_at_least("cost_per_task", cost_per_task)
    limit = inf if read_number("most_tasks", most_tasks) == inf else read_whole("most_tasks", most_tasks)
    read_icc(icc), read_share("rate", rate)
    if not run + task <= money <= _MOST_RUNS * run:
        least, most = run + task, _MOST_RUNS * run
        raise UsageError(f"budget is from {least:g}, one run, to {most:g}, not budget={money:.10g}")
    found = []
    for tasks, trials in _fillings(money, run, task, limit):
        cost = tasks * (task + trials * run)
        found.append(Split(tasks, trials, cost, split_error(tasks, trials, icc=icc, rate=rate)))
    return tuple(found)


def best_split(
    budget: float,
    icc: float,
    *,
    rate: float,
    cost_per_run: float = 1.0,
    cost_per_task: float = 0.0,
    most_tasks: float = inf,
) -> Split:
    """The split of a budget between tasks and trials that leaves the least to chance; of equals, most tasks.

    Formula: the least `split_error` over `splits`.
    Valid when: as for `splits`. Where tasks cost nothing by themselves it is one trial of as many tasks as there are.
    Source: as for `split_error`.

    >>> best = best_split(200, 0.45, rate=0.8, cost_per_task=5)
    >>> best.tasks, best.trials
    (25, 3)
    """
    candidates = splits(
        budget, icc, rate=rate, cost_per_run=cost_per_run, cost_per_task=cost_per_task, most_tasks=most_tasks
    )
    return min(candidates, key=lambda one: (one.se, -one.tasks))


def trials_for(tasks: int, runs: float, icc: float) -> int | None:
    """How many trials of each of *tasks* tasks are worth *runs* independent runs; None where no number is.

    Formula: n = ⌈m(1-icc) / (T - m·icc)⌉ for m runs, from T·n = m·(1 + (n-1)·icc).
    Valid when: as for `split_error`. T tasks are never worth more than T/icc independent runs.
    Source: as for `split_error`.

    >>> trials_for(100, 252.16, 0.3), trials_for(20, 252.16, 0.3)
    (8, None)
    """
    count, between = read_whole("tasks", tasks), read_icc(icc)
    wanted = read_share("runs", runs, high=inf)
    if between == 1:
        return 1 if count >= wanted else None
    room = count - wanted * between
    return whole_up(wanted * (1 - between) / room) if room > 0 else None


def paired_tasks(
    drop: float,
    *,
    task_variance: float,
    trial_variance: float = 0.0,
    trials: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
    two_sided: bool = False,
) -> int:
    """How many tasks, each run in both arms, show a drop of *drop* of the mean rate.

    Formula: ⌈(z(1-α) + z(power))²·(ω² + 2σ²/K)/δ²⌉, with α/2 where *two_sided*; ω² = *task_variance* is the variance
    of the tasks' true differences, σ² = *trial_variance* that of a single run within its task (the mean of both arms'),
    K = *trials*.
    Valid when: the arms run the same tasks, and there are some dozens of them. With ω² = 0: for these very tasks.
    Source: Miller 2024, arXiv 2411.00640.

    >>> paired_tasks(0.03, task_variance=1 / 9, two_sided=True)
    969
    """
    size = read_share("drop", drop)
    spread = _spread(task_variance, trial_variance, trials)
    return whole_up((_both(alpha, power, two_sided=two_sided) / size) ** 2 * spread)


def paired_detectable_drop(
    tasks: int,
    *,
    task_variance: float,
    trial_variance: float = 0.0,
    trials: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
    two_sided: bool = False,
) -> float:
    """The smallest drop of the mean rate that *tasks* tasks show, each run in both arms.

    Formula: (z(1-α) + z(power))·√((ω² + 2σ²/K)/T).
    Valid when: as for `paired_tasks`.
    Source: as for `paired_tasks`.

    >>> round(paired_detectable_drop(198, task_variance=1 / 9, trial_variance=1 / 6, trials=10, two_sided=True), 4)
    0.0757
    """
    spread = _spread(task_variance, trial_variance, trials)
    return _both(alpha, power, two_sided=two_sided) * sqrt(spread / read_whole("tasks", tasks))


def non_inferior_runs(
    baseline: float, margin: float, *, candidate: float | None = None, power: float = 0.8, alpha: float = 0.05
) -> int:
    """How many runs in each arm show that a candidate is worse than the baseline by less than *margin*.

    Formula: ⌈(z(1-α) + z(power))²·(p0 q0 + p1 q1)/(p1 - p0 + margin)²⌉, p1 the *candidate*'s rate.
    Valid when: both arms are fresh and independent; the candidate is really as good as the baseline, unless its rate
    is named.
    Source: the two-sample normal approximation with the hypothesis moved by the margin (Blackwelder 1982).

    >>> non_inferior_runs(0.9, 0.05)
    446
    """
    p0 = read_share("baseline", baseline)
    p1 = p0 if candidate is None else read_share("candidate", candidate)
    room = p1 - p0 + read_share("margin", margin, high=p0)
    if room <= 0:
        raise UsageError(f"a candidate at {p1:.10g} is worse than {p0:.10g} by the margin {margin:.10g}, or by more")
    variance = p0 * (1 - p0) + p1 * (1 - p1)
    return whole_up((_both(alpha, power, two_sided=False) / room) ** 2 * variance)


def _fillings(money: float, run: float, task: float, limit: float) -> Iterator[tuple[int, int]]:
    """Each number of tasks that can be paid for, with the most trials that it leaves: about 2·√runs pairs."""
    trials = max(1, floor((money / limit - task) / run + 1e-9)) if limit < inf else 1
    while (tasks := floor(min(limit, money / (task + trials * run) + 1e-9))) >= 1:
        trials = max(trials, floor((money / tasks - task) / run + 1e-9))
        yield tasks, trials
        trials += 1


def _spread(task_variance: float, trial_variance: float, trials: int) -> float:
    """The variance of one task's observed difference."""
    between = read_at_least("task_variance", task_variance)
    within = read_at_least("trial_variance", trial_variance)
    spread = between + 2 * within / read_whole("trials", trials)
    if spread <= 0:
        raise UsageError("task_variance and trial_variance are both 0: then one task shows every drop")
    return spread


def _both(alpha: float, power: float, *, two_sided: bool) -> float:
    """The two critical values of a test and its power, added."""
    level = read_share("alpha", alpha, high=0.5)
    wanted = read_share("power", power, low=level)
    return normal_quantile(wanted) - normal_quantile(level / 2 if two_sided else level)
