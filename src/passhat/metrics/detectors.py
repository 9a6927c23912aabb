"""Trials that go off the rails: of what kind, in how many, and from which step on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

import msgspec

from passhat.metrics._estimates import NO_INTERVAL, of_suite
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.plain import mended
from passhat.model.summary import Estimate, Row
from passhat.model.trial import ToolCall
from passhat.stats import calibrated_threshold, interval, loop_step, mop_step

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
    bits. Steps count from 0. Tools named in *polling* may be asked again and again. What a layer below the agent made
    again is a storm, and no loop of the agent's.
    """

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    window: int = 5
    threshold: float | None = None
    repeats: int = 3
    attempts: int = 4
    patience: int = 6
    polling: Sequence[str] = field(default=(), kw_only=True)

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
        for arm in reading.arms:
            onsets = [self.onsets(trace, threshold=threshold) for trace in traces[arm.condition]]
            estimates = tuple(
                one for share in _STEPS for one in _found(arm, reading, share, [each[share] for each in onsets], basis)
            )
            yield Row(condition=arm.condition, estimates=estimates)

    def onsets(self, trace: Sequence[ToolCall], *, threshold: float = PUBLISHED) -> Onsets:
        """The step, from 0, at which each kind of trouble begins in *trace*; None where it does not."""
        last = {call.of_agent: step for step, call in enumerate(trace)}  # of several that are one call of the agent's
        steps = [
            step
            for step, call in enumerate(trace)
            if last[call.of_agent] == step and call.tool not in self.polling and not _at_once(trace, step)
        ]
        tokens = [_token(trace[step]) for step in steps]

        def at(place: int | None) -> int | None:
            return None if place is None else steps[place]

        return {
            "thrash_share": mop_step([call.tool for call in trace], window=self.window, threshold=threshold),
            "loop_share": at(loop_step(tokens, repeats=self.repeats, longest=1)),
            "ping_pong_share": at(_ping_pong(tokens, self.repeats)),
            "retry_storm_share": _storm(trace, self.attempts),
            "no_progress_share": at(_nothing_new(tokens, self.patience)),
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
        return found, f"threshold {found:.3g} bits from {len(long)} clean trials that passed"


def _asked(call: ToolCall) -> Hashable:
    return call.tool, msgspec.json.encode(mended(call.arguments), order="sorted")


def _token(call: ToolCall) -> Hashable:
    """What was asked and what came of it."""
    return _asked(call), call.error, msgspec.json.encode(mended(call.reply), order="sorted")


def _at_once(trace: Sequence[ToolCall], step: int) -> bool:
    """True where the call before is the same one and had not ended: a turn that asks twice at once asks once."""
    if step == 0:
        return False
    before, call = trace[step - 1], trace[step]
    return call.at < before.at + before.seconds and _asked(call) == _asked(before)


def _ping_pong(tokens: Sequence[Hashable], repeats: int) -> int | None:
    """The first place at which two different calls have been made in turn, *repeats* times each."""
    alike = 0
    for place in range(2, len(tokens)):
        turn = tokens[place] == tokens[place - 2] and tokens[place] != tokens[place - 1]
        alike = alike + 1 if turn else 0
        if alike == 2 * (repeats - 1):
            return place
    return None


def _storm(trace: Sequence[ToolCall], attempts: int) -> int | None:
    """The first step at which a call is tried again though it has failed *attempts* times since it last succeeded."""
    failed: Counter[Hashable] = Counter()
    for step, call in enumerate(trace):
        asked = _asked(call)
        if failed[asked] >= attempts:
            return step
        failed[asked] = 0 if call.ok else failed[asked] + 1
    return None


def _nothing_new(tokens: Sequence[Hashable], patience: int) -> int | None:
    """The first place at which *patience* calls in a row, with their results, were all known before."""
    known: set[Hashable] = set()
    stale = 0
    for place, token in enumerate(tokens):
        stale = stale + 1 if token in known else 0
        known.add(token)
        if stale == patience:
            return place
    return None


def _found(arm: Arm, reading: Reading, share: str, onsets: Sequence[int | None], basis: str) -> Iterator[Estimate]:
    """In how many trials it began, and at which step in the median."""
    step = _STEPS[share]
    found = sorted(onset for onset in onsets if onset is not None)
    if not onsets:
        yield of_suite(arm, reading, share, None, reason=f"{share}: no trial holds a tool call")
        yield of_suite(arm, reading, step, None, reason=f"{step}: no trial holds a tool call")
        return
    low, high = interval(len(found), len(onsets), confidence=reading.level)
    method = f"share of {len(onsets)} trials with tool calls; Clopper-Pearson (approximate: tasks differ)"
    told = f"{method}; {basis}" if share == "thrash_share" else method
    yield of_suite(arm, reading, share, len(found) / len(onsets), low=low, high=high, method=told, approximate=True)
    if not found:
        yield of_suite(arm, reading, step, None, reason=f"{step}: it began in no trial")
        return
    words = f"median step, from 0, of {len(found)} trials; {NO_INTERVAL}"
    yield of_suite(arm, reading, step, float(found[len(found) // 2]), method=words)
