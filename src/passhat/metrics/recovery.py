"""How agents take faults: over the trials in which they saw one, and what was done wrong where one fired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import ClassVar

from passhat.metrics import _extra, _landing
from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics._extra import extras
from passhat.metrics._landing import EXPOSED, SEEN
from passhat.metrics._pairs import Address, counted, share, so_many, value
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model import numbers
from passhat.model import recovery as recoveries
from passhat.model.exposure import exposure
from passhat.model.extra import Extra, extra
from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.paths import RecoveryPath
from passhat.model.recovery import Aftermath, amplification
from passhat.model.summary import Estimate, Row
from passhat.model.trial import Trial

_PATHS = {
    "retry_share": RecoveryPath.RETRY,
    "fallback_share": RecoveryPath.FALLBACK,
    "handoff_share": RecoveryPath.HANDOFF,
    "no_path_share": RecoveryPath.NONE,
}
_CORRUPT = frozenset({Aftermath.SILENT_CORRUPTION, Aftermath.LOUD_CORRUPTION})


@dataclass(frozen=True, slots=True)
class _Met:
    """A trial that met a fault: which, how it took it, whether it and its clean one passed, and what it took more."""

    address: Address
    said: recoveries.Recovery
    passed: bool
    clean_passed: bool | None
    amplified: float | None
    more: Extra | None


@dataclass(frozen=True, slots=True)
class Recovery(Metric):
    """Of the trials in which the agent saw a fault: the shares of each aftermath, such as `recovered_share`.

    The two corruptions are shares of all in which a fault fired: harm counts, whoever saw it. Also the shares of each
    path, `detected_share` (of those with a changed reply), `violation_share` (came back earlier than told to),
    `resilience` (of those whose clean trial passed, the share that pass), `amplification`, `recovery_calls` and
    `recovery_seconds`; beside the clean trial `extra_calls`, `extra_seconds` and `extra_tokens`. Whether faults landed:
    `exposed_share` and `unreached_share` of the trials that planned one, `landed_share` (of the fault that fired least
    often), `seen_share` and `absorbed_share`. What is *declared* of the tools is what the run has of its suite, unless
    it is given here.
    """

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    declared: Declared | None = field(default=None, kw_only=True)

    @property
    def names(self) -> tuple[str, ...]:
        return (
            *(f"{one}_share" for one in Aftermath),
            *_PATHS,
            "detected_share",
            "violation_share",
            "resilience",
            "amplification",
            "recovery_calls",
            "recovery_seconds",
            *_extra.NAMES,
            *_landing.NAMES,
        )

    def measure(self, reading: Reading) -> Iterator[Row]:
        met: dict[str, list[_Met]] = {arm.condition: [] for arm in reading.arms}
        landed = {arm.condition: _landing.Landing() for arm in reading.arms}
        declared = reading.declared(self.declared)
        for trial, clean in counted(reading):
            landed[trial.condition].add(exposure(trial, clean=clean, declared=declared))
            said = recoveries.recovery(trial, clean=clean, declared=declared)
            if said is not None:
                met[trial.condition].append(_met(trial, clean, said, declared))
        for arm in reading.arms:
            found = met[arm.condition]
            estimates = (*_shares(arm, reading, found), *_pairs(arm, reading, found), *_costs(arm, reading, found))
            landing = landed[arm.condition].estimates(arm, reading)
            yield Row(condition=arm.condition, estimates=(*estimates, *landing))


def _met(trial: Trial, clean: Trial | None, said: recoveries.Recovery, declared: Declared) -> _Met:
    sound = clean is not None and clean.outcome is Outcome.PASS
    return _Met(
        address=(trial.task_id, trial.index),
        said=said,
        passed=trial.outcome is Outcome.PASS,
        clean_passed=None if clean is None else sound,
        amplified=amplification(trial, clean=clean, declared=declared),
        more=extra(trial, clean) if clean is not None and sound else None,
    )


def _shares(arm: Arm, reading: Reading, met: Sequence[_Met]) -> Iterator[Estimate]:
    """How the trials came out, by which path."""
    saw = [one for one in met if one.said.seen]
    for aftermath in Aftermath:
        among, of = (met, EXPOSED) if aftermath in _CORRUPT else (saw, SEEN)
        ended = [one.address for one in among if one.said.aftermath is aftermath]
        named = ended if aftermath is Aftermath.SILENT_CORRUPTION else ()
        yield share(arm, reading, f"{aftermath}_share", len(ended), len(among), of=of, named=named)
    for name, path in _PATHS.items():
        yield share(arm, reading, name, sum(one.said.path is path for one in saw), len(saw), of=SEEN)
    changed = [[fault.detected for fault in one.said.faults if fault.detected is not None] for one in met]
    lied_to = [noticed for noticed in changed if noticed]
    yield share(
        arm, reading, "detected_share", sum(map(all, lied_to)), len(lied_to), of="trials in which a reply was changed"
    )
    early = sum(any(fault.violations for fault in one.said.faults) for one in met)
    yield share(arm, reading, "violation_share", early, len(met), of=EXPOSED)


def _pairs(arm: Arm, reading: Reading, met: Sequence[_Met]) -> Iterator[Estimate]:
    """What the faults took away from trials that passed without them."""
    sound = [one for one in met if one.clean_passed]
    of = f"{EXPOSED} and whose clean trial passed"
    yield share(arm, reading, "resilience", sum(one.passed for one in sound), len(sound), of=of)


def _costs(arm: Arm, reading: Reading, met: Sequence[_Met]) -> Iterator[Estimate]:
    """What it took to come past the faults."""
    amplified = [one.amplified for one in met if one.amplified is not None]
    made_up = [fault for one in met for fault in one.said.faults if fault.calls is not None]
    faults = f"median over {numbers.counted(len(made_up), 'fault')}"
    for name, found, middle, words in (
        ("amplification", amplified, fmean, f"mean over {so_many(len(amplified), EXPOSED)} of calls per call needed"),
        ("recovery_calls", [fault.calls or 0 for fault in made_up], median, faults),
        ("recovery_seconds", [fault.seconds or 0 for fault in made_up], median, faults),
    ):
        if found:
            yield value(arm, reading, name, float(middle(found)), len(met), method=f"{words}; {NO_INTERVAL}")
        else:
            why = f"{name}: no fault fired that a call made up for" if met else f"{name}: there are no {EXPOSED}"
            yield value(arm, reading, name, None, len(met), reason=why)
    saw = [one for one in met if one.said.seen and one.said.aftermath is Aftermath.RECOVERED]
    yield from extras(arm, reading, [one.more for one in saw if one.more is not None])
