"""Making an estimate from an arm: what every one carries, so that a metric says only what is its own.

No formula lives here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passhat.errors import UsageError
from passhat.metrics.base import Arm, Reading
from passhat.model.summary import Estimate, Speaks

NO_INTERVAL = "no interval"


def of_suite(arm: Arm, reading: Reading, metric: str, value: float | None, **more: Any) -> Estimate:  # noqa: ANN401 - the fields of an estimate
    """An estimate over the tasks of *arm*."""
    return Estimate(
        metric=metric,
        value=value,
        level=reading.level,
        n=int(arm.n.sum()),
        c=int(arm.c.sum()),
        tasks=len(arm.tasks),
        speaks_of=Speaks.THESE_TASKS,
        **more,
    )


def of_task(arm: Arm, task: int, reading: Reading, metric: str, value: float | None, **more: Any) -> Estimate:  # noqa: ANN401 - as above
    """An estimate of one task."""
    return Estimate(metric=metric, value=value, level=reading.level, n=int(arm.n[task]), c=int(arm.c[task]), **more)


def suite_or_reason(
    arm: Arm, reading: Reading, metric: str, value: Callable[[], float | None], *, method: str, k: int = 1
) -> Estimate:
    """The estimate of what *value* gives, or without a value where the statistics say why there is none."""
    try:
        found = value()
    except UsageError as error:
        return of_suite(arm, reading, metric, None, k=k, reason=f"{metric}: {error}")
    if found is None:
        return of_suite(arm, reading, metric, None, k=k, reason=f"{metric} is not defined for these rates")
    return of_suite(arm, reading, metric, found, k=k, method=method)


def short(arm: Arm, metric: str, k: int) -> str:
    """Why a suite has no number at *k*: the task that has too few trials; an empty text where all have enough."""
    poorest = int(arm.n.argmin())
    fewest = int(arm.n[poorest])
    if fewest >= k:
        return ""
    return f"{metric} needs {_trials(k)} of each task, and {arm.tasks[poorest]!r} has {fewest}"


def short_task(arm: Arm, task: int, metric: str, k: int) -> str:
    """Why a task has no number at *k*; an empty text where it has."""
    n = int(arm.n[task])
    return "" if n >= k else f"{metric} needs {_trials(k)}, and {arm.tasks[task]!r} has {n}"


def _trials(k: int) -> str:
    return f"{k} valid trial" if k == 1 else f"{k} valid trials"
