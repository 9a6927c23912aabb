"""What the tool calls of the trials look like: do agents thrash, do they go round in circles, how far do they get?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from passhat.metrics._estimates import NO_INTERVAL, of_suite
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.summary import Estimate, Row
from passhat.model.trial import Trial
from passhat.stats import gds, interval, loop_step, mop_step


@dataclass(frozen=True, slots=True)
class Trajectory(Metric):
    """`thrash_share` and `mop_step`, `loop_share` and `loop_step`, and `gds`, over the trials with tool calls.

    Thrash is the meltdown onset of the paper: the tools of *window* calls in a row differ by more than *threshold*
    bits. Any healthy agent with many tools reaches that, so hold it against trials that pass. A loop is one call, or
    two in turn, made *repeats* times. `gds` is the mean share of a trial's graders that it passed.
    """

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    window: int = 5
    threshold: float = 1.711
    repeats: int = 3

    @property
    def names(self) -> tuple[str, ...]:
        return ("thrash_share", "mop_step", "loop_share", "loop_step", "gds")

    def measure(self, reading: Reading) -> Iterator[Row]:
        by_condition: dict[str, list[Trial]] = {arm.condition: [] for arm in reading.arms}
        for trial in reading.trials:
            if trial.outcome.counts:
                by_condition[trial.condition].append(trial)
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(self._of(arm, reading, by_condition[arm.condition])))

    def _of(self, arm: Arm, reading: Reading, trials: Sequence[Trial]) -> Iterator[Estimate]:
        called = [trial.trace for trial in trials if trial.trace]
        thrash = [
            mop_step([call.tool for call in trace], window=self.window, threshold=self.threshold) for trace in called
        ]
        calls = [
            [(call.tool, msgspec.json.encode(call.arguments, order="sorted")) for call in trace] for trace in called
        ]
        loops = [loop_step(each, repeats=self.repeats) for each in calls]
        for share, step, onsets in (("thrash_share", "mop_step", thrash), ("loop_share", "loop_step", loops)):
            yield from _onsets(arm, reading, share, step, onsets)
        graded = [gds([grade.passed for grade in trial.grades]) for trial in trials if trial.grades]
        if not graded:
            yield of_suite(arm, reading, "gds", None, reason="gds: no trial holds a grade")
            return
        method = f"mean over {len(graded)} graded trials of the share of grades that passed; {NO_INTERVAL}"
        yield of_suite(arm, reading, "gds", sum(graded) / len(graded), method=method)


def _onsets(arm: Arm, reading: Reading, share: str, step: str, onsets: Sequence[int | None]) -> Iterator[Estimate]:
    """In how many trials it began, and at which step in the median."""
    found = sorted(onset for onset in onsets if onset is not None)
    if not onsets:
        yield of_suite(arm, reading, share, None, reason=f"{share}: no trial holds a tool call")
        yield of_suite(arm, reading, step, None, reason=f"{step}: no trial holds a tool call")
        return
    low, high = interval(len(found), len(onsets), confidence=reading.level)
    method = f"share of {len(onsets)} trials with tool calls; Clopper-Pearson (approximate: tasks differ)"
    yield of_suite(arm, reading, share, len(found) / len(onsets), low=low, high=high, method=method, approximate=True)
    if not found:
        yield of_suite(arm, reading, step, None, reason=f"{step}: it began in no trial")
        return
    yield of_suite(
        arm,
        reading,
        step,
        float(found[len(found) // 2]),
        method=f"median step, from 0, of {len(found)} trials; {NO_INTERVAL}",
    )
