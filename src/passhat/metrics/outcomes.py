"""How trials end when they don't pass: the shares of failed, crashed, timed-out and void ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.metrics import _methods
from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.outcome import Outcome
from passhat.model.summary import Estimate, Row, Speaks, Voids
from passhat.stats import blocks, interval, these_tasks

_SHARES = {"fail_share": Outcome.FAIL, "crash_share": Outcome.CRASH, "timeout_share": Outcome.TIMEOUT}
_VOID_SHARE = "void_share"


@dataclass(frozen=True, slots=True)
class Outcomes(Metric):
    """`fail_share`, `crash_share` and `timeout_share` of the trials that count, `void_share` of all, for the suite.

    The first three are means over tasks, so that they add up to 1 with pass^1; the last is a plain share.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return (*_SHARES, _VOID_SHARE)

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            shares = [_share(arm, name, outcome, reading) for name, outcome in _SHARES.items()]
            yield Row(condition=arm.condition, estimates=(*shares, _void_share(arm, reading)))


def _share(arm: Arm, name: str, outcome: Outcome, reading: Reading) -> Estimate:
    """The mean over tasks of the share of their trials that ended so."""
    n, c, tasks, level = int(arm.n.sum()), int(arm.c.sum()), len(arm.tasks), reading.level
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
    alone = arm.counts[outcome]
    with_voids = alone + arm.void if outcome is Outcome.FAIL else alone
    count = with_voids if reading.voids is Voids.FAIL else alone
    value, size = float((count / arm.n).mean()), int(blocks(arm.n, 1))
    low, high = these_tasks(value, size, confidence=level)
    some_void = bool(arm.void.any())
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
        method="share of the trials that count, mean over tasks; Clopper-Pearson on blocks",
        speaks_of=Speaks.THESE_TASKS,
        if_voids_failed=float((with_voids / arm.all).mean()) if some_void else None,
        if_voids_passed=float((alone / arm.all).mean()) if some_void else None,
        if_voids_excluded=_excluded(arm, alone) if some_void and reading.voids is Voids.FAIL else None,
    )


def _excluded(arm: Arm, count: object) -> float | None:
    """The share where void trials count for nothing; None where a task has no other ones."""
    return float((count / arm.valid).mean()) if arm.valid.all() else None


def _void_share(arm: Arm, reading: Reading) -> Estimate:
    """The share of all stored trials that are void."""
    n, void, tasks = int(arm.all.sum()), int(arm.void.sum()), len(arm.tasks)
    if not n:
        reason = f"under {arm.condition} no trial is stored"
        return Estimate(
            metric=_VOID_SHARE,
            value=None,
            level=reading.level,
            tasks=tasks,
            speaks_of=Speaks.THESE_TASKS,
            reason=reason,
        )
    method = _methods.of_rate(reading.method)
    low, high = interval(void, n, confidence=reading.level, method=method)
    return Estimate(
        metric=_VOID_SHARE,
        value=void / n,
        low=low,
        high=high,
        level=reading.level,
        n=n,
        c=int(arm.c.sum()),
        tasks=tasks,
        blocks=n,
        method=f"share of all trials; {_methods.words(method)}",
        speaks_of=Speaks.THESE_TASKS,
        approximate=_methods.is_approximate(method),
    )
