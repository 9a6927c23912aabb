"""What the ledgers of the trials say: what was done twice, and where agents know less or believe more than was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics._pairs import Address, counted, share, so_many, value
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model import ledger as ledgers
from passhat.model import numbers
from passhat.model.ledger import Declared
from passhat.model.summary import Estimate, Row

_CALLED = "trials with tool calls"


@dataclass(frozen=True, slots=True)
class Ledger(Metric):
    """`duplicate_share`: trials that did something twice; `duplicate_effects`: how often, in a trial, on average.

    `unknown_effect_share`: trials with a write that was done and of which the agent was told an error or nothing.
    `believed_effect_share`: trials with a write that the agent was told of and that never happened.
    `unasked_effect_share`: trials in which another tool wrote what nobody had asked for.
    `changed_reply_share`: trials with a reply that was not upstream's own. All are of the trials with tool calls.
    What is *declared* of the tools is what the run has of its suite, unless it is given here.
    """

    needs: ClassVar[Needs] = Needs.TRIALS
    usual: ClassVar[bool] = False

    declared: Declared | None = field(default=None, kw_only=True)

    @property
    def names(self) -> tuple[str, ...]:
        return (
            "duplicate_share",
            "duplicate_effects",
            "unknown_effect_share",
            "believed_effect_share",
            "unasked_effect_share",
            "changed_reply_share",
        )

    def measure(self, reading: Reading) -> Iterator[Row]:
        found: dict[str, list[ledgers.Ledger]] = {arm.condition: [] for arm in reading.arms}
        twice: dict[str, list[Address]] = {arm.condition: [] for arm in reading.arms}
        declared = reading.declared(self.declared)
        for trial, clean in counted(reading):
            if trial.trace:
                said = ledgers.ledger(trial, clean=clean, declared=declared)
                found[trial.condition].append(said)
                if said.duplicates:
                    twice[trial.condition].append((trial.task_id, trial.index))
        for arm in reading.arms:
            estimates = _of(arm, reading, found[arm.condition], twice[arm.condition])
            yield Row(condition=arm.condition, estimates=tuple(estimates))


def _of(arm: Arm, reading: Reading, found: Sequence[ledgers.Ledger], twice: Sequence[Address]) -> Iterator[Estimate]:
    n = len(found)
    yield share(arm, reading, "duplicate_share", len(twice), n, of=_CALLED, named=twice)
    if n:
        surplus = sum(one.surplus for one in found)
        method = f"{numbers.counted(surplus, 'effect')} too many in {so_many(n, _CALLED)}; {NO_INTERVAL}"
        yield value(arm, reading, "duplicate_effects", surplus / n, n, method=method)
    else:
        yield value(arm, reading, "duplicate_effects", None, 0, reason=f"duplicate_effects: there are no {_CALLED}")
    yield share(arm, reading, "unknown_effect_share", sum(bool(one.unknown) for one in found), n, of=_CALLED)
    yield share(arm, reading, "believed_effect_share", sum(bool(one.believed) for one in found), n, of=_CALLED)
    yield share(arm, reading, "unasked_effect_share", sum(bool(one.unasked) for one in found), n, of=_CALLED)
    yield share(arm, reading, "changed_reply_share", sum(bool(one.changed) for one in found), n, of=_CALLED)
