"""Trials that count beside their clean ones, and shares of trials: what metrics of whole trials have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from passhat.metrics.base import Arm, Reading
from passhat.model import numbers
from passhat.model.pairs import paired
from passhat.model.summary import Estimate, Speaks
from passhat.model.trial import Trial
from passhat.stats import interval

Address: TypeAlias = tuple[str, int]  # a task's id and a trial's index
_NAMED = 3


def counted(reading: Reading) -> Iterator[tuple[Trial, Trial | None]]:
    """Every trial that counts, and beside it the clean one of its task and index, where there is one."""
    return (pair for pair in paired(reading.trials) if pair[0].outcome.counts)


def share(
    arm: Arm, reading: Reading, metric: str, count: int, n: int, *, of: str, named: Sequence[Address] = ()
) -> Estimate:
    """The share *count* of *n* trials, pooled over tasks; *of* says which trials these are.

    The first of those *named* are its examples.

    Tasks have rates of their own. A sum of unlike chances spreads no more than one of like chances, so the
    Clopper-Pearson interval for the mean chance of these trials keeps its level (Hoeffding 1956).
    """
    if not n:
        return value(arm, reading, metric, None, 0, reason=f"{metric}: there are no {of}")
    low, high = interval(count, n, confidence=reading.level)
    return Estimate(
        metric=metric,
        value=count / n,
        low=low,
        high=high,
        level=reading.level,
        n=n,
        c=count,
        tasks=len(arm.tasks),
        method=f"share of {so_many(n, of)}, pooled over tasks; Clopper-Pearson",
        speaks_of=Speaks.THESE_TASKS,
        examples=tuple(named[:_NAMED]),
    )


def so_many(n: int, trials: str) -> str:
    """*n* of what *trials* names: where it is one, no "1 trials".

    >>> so_many(1, "trials with tool calls"), so_many(1200, "trials with tool calls")
    ('1 trial with tool calls', '1,200 trials with tool calls')
    """
    return f"{numbers.counted(n, 'trial')}{trials.removeprefix('trials')}"


def value(
    arm: Arm, reading: Reading, metric: str, found: float | None, n: int, *, method: str = "", reason: str = ""
) -> Estimate:
    """A number without an interval, from *n* trials."""
    return Estimate(
        metric=metric,
        value=found,
        level=reading.level,
        n=n,
        tasks=len(arm.tasks),
        method=method,
        speaks_of=Speaks.THESE_TASKS,
        reason=reason,
    )
