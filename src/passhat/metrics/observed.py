"""What was observed on exactly the trials that there are: did all pass, did any?

mcptest and a blog post on agent reliability call these figures pass^k and pass@k. They are the unbiased estimates at
k = n, with n the trials of each task: a figure of another k for another N, so they have names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.metrics._estimates import of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.numbers import counted
from passhat.model.summary import Estimate, Row
from passhat.stats import pass_at_k_interval, pass_hat_k_interval, these_tasks
from passhat.stats.arrays import Array

_ALL, _ANY = "all_passed", "any_passed"


@dataclass(frozen=True, slots=True)
class Observed(Metric):
    """`all_passed` and `any_passed`: 1 for a task whose trials all passed, or of which any did; of a suite the share.

    A task's interval is that of n new trials all passing (or any), which is wide. The suite's takes each task as one
    trial.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return (_ALL, _ANY)

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yes = {_ALL: (arm.c == arm.n) & (arm.n > 0), _ANY: arm.c > 0}
            suite = tuple(_of_suite(arm, reading, name, found) for name, found in yes.items())
            yield Row(condition=arm.condition, estimates=suite)
            columns = [_of_tasks(arm, reading, name, found) for name, found in yes.items()]
            for task, *estimates in zip(arm.tasks, *columns, strict=True):
                yield Row(condition=arm.condition, task=task, estimates=tuple(estimates))


def _of_suite(arm: Arm, reading: Reading, name: str, found: Array) -> Estimate:
    if reason := short(arm, name, 1):
        return of_suite(arm, reading, name, None, reason=reason)
    share, tasks = float(found.mean()), len(arm.tasks)
    low, high = these_tasks(share, tasks, confidence=reading.level)
    method = "share of tasks; Clopper-Pearson with a task as one trial"
    return of_suite(arm, reading, name, share, low=low, high=high, blocks=tasks, method=method)


def _of_tasks(arm: Arm, reading: Reading, name: str, found: Array) -> Iterator[Estimate]:
    """The tasks' own, their intervals all at once."""
    some = arm.n > 0
    interval = pass_hat_k_interval if name == _ALL else pass_at_k_interval
    ends = zip(*interval(arm.n[some], arm.c[some], arm.n[some], confidence=reading.level), strict=True)
    for i in range(len(arm.tasks)):
        n = int(arm.n[i])
        if not n:
            yield of_task(arm, i, reading, name, None, reason=short_task(arm, i, name, 1))
            continue
        low, high = map(float, next(ends))
        method = f"observed on {counted(n, 'trial')}; Clopper-Pearson at k = {n}"
        yield of_task(arm, i, reading, name, float(found[i]), low=low, high=high, blocks=1, method=method)
