"""How trials end when they don't pass: the shares of failed, crashed, timed-out and void ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.outcome import Outcome
from passhat.model.summary import Estimate, Row, Speaks
from passhat.stats import blocks, clopper_pearson, these_tasks

_SHARES = {"fail_share": Outcome.FAIL, "crash_share": Outcome.CRASH, "timeout_share": Outcome.TIMEOUT}
_VOID_SHARE = "void_share"


@dataclass(frozen=True, slots=True)
class Outcomes(Metric):
    """`fail_share`, `crash_share` and `timeout_share` of valid trials, `void_share` of all, for the suite.

    The first three are means over tasks, so that they add up to 1 with pass^1; the last is a plain share.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return (*_SHARES, _VOID_SHARE)

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            shares = [_share(arm, name, outcome, reading.level) for name, outcome in _SHARES.items()]
            yield Row(condition=arm.condition, estimates=(*shares, _void_share(arm, reading.level)))


def _share(arm: Arm, name: str, outcome: Outcome, level: float) -> Estimate:
    """The mean over tasks of the share of their valid trials that ended so."""
    n, c, tasks = int(arm.n.sum()), int(arm.c.sum()), len(arm.tasks)
    if not arm.n.all():
        poorest = arm.tasks[int(arm.n.argmin())]
        reason = f"{name} needs 1 valid trial of each task, and {poorest!r} has 0"
        return Estimate(
            metric=name,
            value=None,
            level=level,
            n=n,
            c=c,
            tasks=tasks,
            speaks_of=Speaks.THESE_TASKS,
            reason=reason,
        )
    count = arm.counts[outcome]
    value, size = float((count / arm.n).mean()), int(blocks(arm.n, 1))
    low, high = these_tasks(value, size, confidence=level)
    all_trials, some_void = arm.n + arm.void, bool(arm.void.any())
    as_failed = count + arm.void if outcome is Outcome.FAIL else count
    return Estimate(
        metric=name,
        value=value,
        low=low,
        high=high,
        level=level,
        n=n,
        c=c,
        tasks=tasks,
        blocks=size,
        method="share of valid trials, mean over tasks; Clopper-Pearson",
        speaks_of=Speaks.THESE_TASKS,
        if_voids_failed=float((as_failed / all_trials).mean()) if some_void else None,
        if_voids_passed=float((count / all_trials).mean()) if some_void else None,
    )


def _void_share(arm: Arm, level: float) -> Estimate:
    """The share of all stored trials that are void."""
    n, void, tasks = int((arm.n + arm.void).sum()), int(arm.void.sum()), len(arm.tasks)
    if not n:
        reason = f"under {arm.condition} no trial is stored"
        return Estimate(
            metric=_VOID_SHARE,
            value=None,
            level=level,
            tasks=tasks,
            speaks_of=Speaks.THESE_TASKS,
            reason=reason,
        )
    low, high = clopper_pearson(void, n, confidence=level)
    return Estimate(
        metric=_VOID_SHARE,
        value=void / n,
        low=low,
        high=high,
        level=level,
        n=n,
        c=int(arm.c.sum()),
        tasks=tasks,
        blocks=n,
        method="share of all trials; Clopper-Pearson",
        speaks_of=Speaks.THESE_TASKS,
    )
