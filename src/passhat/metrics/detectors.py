"""Trials that go off the rails: of what kind, in how many, and from which step on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from passhat.metrics._estimates import NO_INTERVAL, of_suite
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.grammar import CLEAN
from passhat.model.ledger import NOTHING_DECLARED, Declared
from passhat.model.numbers import counted
from passhat.model.onsets import ATTEMPTS, PATIENCE, REPEATS, Trouble
from passhat.model.onsets import onsets as troubles
from passhat.model.outcome import Outcome
from passhat.model.summary import Estimate, Row
from passhat.model.trial import ToolCall
from passhat.stats import calibrated_threshold, interval, mop_step

PUBLISHED = 1.711  # bits: the threshold of Khanal et al. 2026, found on their tasks
_QUANTILE = 0.99
_STEPS = {
    "thrash_share": "mop_step",
    "loop_share": "loop_step",
    "ping_pong_share": "ping_pong_step",
    "retry_storm_share": "retry_storm_step",
    "no_progress_share": "no_progress_step",
}
Onsets: TypeAlias = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Detectors(Metric):
    """The shares of the trials with tool calls that go wrong in one of five ways, each with the step of its onset.

    `loop_share`: one call, *repeats* times in a row, with the same result. `ping_pong_share`: two in turn, likewise.
    `retry_storm_share`: a failing call is tried more than *attempts* times. `no_progress_share`: *patience* calls in a
    row of which each was made before with the same result. `thrash_share`, with the meltdown onset point `mop_step`:
    the tools of *window* calls in a row are more mixed than in 99 of 100 clean trials that passed, or than *threshold*
    bits. Steps are those of the trace, from 1. What is *declared* of the tools is what the run has of its suite, unless
    it is given here: keys do not tell calls apart, and polled tools may be asked again and again. What a layer below
    the agent made again is a storm, and no loop of the agent's.
    """

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    window: int = 5
    threshold: float | None = None
    repeats: int = REPEATS
    attempts: int = ATTEMPTS
    patience: int = PATIENCE
    declared: Declared | None = field(default=None, kw_only=True)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for pair in _STEPS.items() for name in pair)

    def measure(self, reading: Reading) -> Iterator[Row]:
        traces: dict[str, list[Sequence[ToolCall]]] = {arm.condition: [] for arm in reading.arms}
        passing: list[list[str]] = []
        for trial in reading.trials:
            if not trial.outcome.counts or not trial.trace:
                continue
            traces[trial.condition].append(trial.trace)
            if trial.condition == CLEAN and trial.outcome is Outcome.PASS:
                passing.append([call.tool for call in trial.trace])
        threshold, basis = self._threshold(passing)
        declared = reading.declared(self.declared)
        for arm in reading.arms:
            onsets = [self.onsets(trace, threshold=threshold, declared=declared) for trace in traces[arm.condition]]
            estimates = tuple(
                one for share in _STEPS for one in _found(arm, reading, share, [each[share] for each in onsets], basis)
            )
            yield Row(condition=arm.condition, estimates=estimates)

    def onsets(
        self, trace: Sequence[ToolCall], *, threshold: float = PUBLISHED, declared: Declared | None = None
    ) -> Onsets:
        """The step of *trace*, from 1, at which each kind of trouble begins; None where it does not."""
        found = troubles(
            trace,
            declared=declared or self.declared or NOTHING_DECLARED,
            repeats=self.repeats,
            attempts=self.attempts,
            patience=self.patience,
        )
        thrash = mop_step([call.tool for call in trace], window=self.window, threshold=threshold)
        return {
            "thrash_share": None if thrash is None else trace[thrash].step,
            **{f"{kind}_share": found.get(kind) for kind in Trouble},
        }

    def _threshold(self, passing: Sequence[Sequence[str]]) -> tuple[float, str]:
        """The threshold for thrash, and where it is from."""
        if self.threshold is not None:
            return self.threshold, f"threshold {self.threshold:g} bits as asked"
        long = [tools for tools in passing if len(tools) >= self.window]
        if not long:
            why = f"no clean trial with {self.window} calls passed"
            return (
                PUBLISHED,
                f"threshold {PUBLISHED:g} bits as published: {why}",
            )
        found = calibrated_threshold(long, window=self.window, quantile=_QUANTILE)
        return found, f"threshold {found:.3g} bits from {counted(len(long), 'clean trial')} that passed"


def _found(arm: Arm, reading: Reading, share: str, onsets: Sequence[int | None], basis: str) -> Iterator[Estimate]:
    """In how many trials it began, and at which step in the median."""
    step = _STEPS[share]
    found = sorted(onset for onset in onsets if onset is not None)
    if not onsets:
        yield of_suite(arm, reading, share, None, reason=f"{share}: no trial holds a tool call")
        yield of_suite(arm, reading, step, None, reason=f"{step}: no trial holds a tool call")
        return
    low, high = interval(len(found), len(onsets), confidence=reading.level)
    method = f"share of {counted(len(onsets), 'trial')} with tool calls; Clopper-Pearson (approximate: tasks differ)"
    told = f"{method}; {basis}" if share == "thrash_share" else method
    yield of_suite(arm, reading, share, len(found) / len(onsets), low=low, high=high, method=told, approximate=True)
    if not found:
        yield of_suite(arm, reading, step, None, reason=f"{step}: it began in no trial")
        return
    words = f"median step of {counted(len(found), 'trial')}; {NO_INTERVAL}"
    yield of_suite(arm, reading, step, float(found[len(found) // 2]), method=words)
