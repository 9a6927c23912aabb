"""Whether trials are as many as they seem: are all trials of a task the same one, seen again and again?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.plain import mended
from passhat.model.summary import Estimate, Row, Speaks
from passhat.model.trial import Trial

_EXAMPLES = 3
_TWO = 2


@dataclass(slots=True)
class _Seen:
    """What is known of a task's trials: the content of the first, how many there were, and whether all were alike."""

    content: bytes
    trials: int = 1
    alike: bool = True


@dataclass(frozen=True, slots=True)
class Independence(Metric):
    """`identical_share`: of the tasks with two trials or more, those whose trials are all identical.

    Identical are answer, tool calls with their replies, and usage; times aside. A cache between the agent and its model
    looks like that, and so does an agent that leaves nothing to chance. Trials without an answer are like nothing.
    Void ones do not count. Reading ends where no task is left whose trials could all be alike.
    """

    needs: ClassVar[Needs] = Needs.TRIALS

    @property
    def names(self) -> tuple[str, ...]:
        return ("identical_share",)

    def measure(self, reading: Reading) -> Iterator[Row]:
        seen = _read(reading)
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=(_share(arm, reading, seen),))


def _read(reading: Reading) -> Mapping[tuple[str, str], _Seen]:
    """What the trials of each task under each condition show, in one pass, as far as it has to go."""
    seen: dict[tuple[str, str], _Seen] = {}
    left = sum(int((arm.valid > 0).sum()) for arm in reading.arms)
    for trial in reading.trials if left else ():
        if not trial.outcome.counts:
            continue
        cell = (trial.task_id, trial.condition)
        known = seen.get(cell)
        if known is None:
            seen[cell] = known = _Seen(_content(trial), alike=trial.answer is not None)
        elif known.alike:
            known.trials += 1
            known.alike = trial.answer is not None and _content(trial) == known.content
        else:
            continue
        left -= not known.alike
        if not left:
            break
    return seen


def _content(trial: Trial) -> bytes:
    """A digest of what the agent said, did and used."""
    calls = [mended(msgspec.to_builtins(replace(call, at=0.0, seconds=0.0))) for call in trial.trace]
    answer = trial.answer
    said = None if answer is None else (answer.claims_success, answer.handoff, answer.usage)
    whole = (mended(None if answer is None else answer.output), said, calls, trial.calls_left_out)
    return blake2b(msgspec.json.encode(whole, order="sorted"), digest_size=16).digest()


def _share(arm: Arm, reading: Reading, seen: Mapping[tuple[str, str], _Seen]) -> Estimate:
    """The share under one condition; `c` of `n` tasks, the first of them as examples."""
    several = [task for task, n in zip(arm.tasks, arm.valid, strict=True) if n >= _TWO]
    alike = [task for task in several if seen[task, arm.condition].alike]
    n = len(several)
    return Estimate(
        metric="identical_share",
        value=len(alike) / n if n else None,
        level=reading.level,
        n=n,
        c=len(alike),
        tasks=len(arm.tasks),
        method=f"share of {n:,} tasks with two trials or more; {NO_INTERVAL}" if n else "",
        speaks_of=Speaks.THESE_TASKS,
        reason="" if n else "identical_share: no task has two trials that count",
        examples=tuple((task, 0) for task in alike[:_EXAMPLES]),
    )
