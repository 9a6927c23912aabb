"""How far trials get that hold several grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, of_suite
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.numbers import counted
from passhat.model.summary import Estimate, Row
from passhat.stats import gds


@dataclass(frozen=True, slots=True)
class Graded(Metric):
    """`gds`: the mean share of a trial's grades that passed, over the trials that hold any."""

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return ("gds",)

    def measure(self, reading: Reading) -> Iterator[Row]:
        graded: dict[str, list[float]] = {arm.condition: [] for arm in reading.arms}
        for trial in reading.trials:
            if trial.outcome.counts and trial.grades:
                graded[trial.condition].append(gds([grade.passed for grade in trial.grades]))
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=(_of(arm, reading, graded[arm.condition]),))


def _of(arm: Arm, reading: Reading, graded: list[float]) -> Estimate:
    if not graded:
        return of_suite(arm, reading, "gds", None, reason="gds: no trial holds a grade")
    method = f"mean over {counted(len(graded), 'graded trial')} of the share of grades that passed; {NO_INTERVAL}"
    return of_suite(arm, reading, "gds", sum(graded) / len(graded), method=method)
