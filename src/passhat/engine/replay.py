"""One stored trial made again: the same task, seed, condition and dice. What comes of it is never added to the run.

It can be made with all that its condition did to it, or with a part of that. Only what the trial's faults and its
judgement hang on has to be the same. The agent may be another one: whether a mended agent gets through is what a
replay is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

from msgspec.structs import replace

from passhat.engine.arming import Armed, Arming, Picks
from passhat.engine.execute import Control, Execution
from passhat.engine.plan import Address, Plan
from passhat.engine.printing import captured
from passhat.engine.probe import probe
from passhat.engine.settings import Replaying, Settings
from passhat.engine.suspects import chosen, picks_of, suspects_of, with_only
from passhat.engine.thread import in_thread
from passhat.engine.virtual import VirtualLoop
from passhat.errors import Interrupted, UsageError
from passhat.model.body import decode_trial
from passhat.model.condition import Condition
from passhat.model.minimal import Suspect
from passhat.model.pace import Pace
from passhat.model.parts import exactly, nearest
from passhat.model.plain import encoded_alike
from passhat.model.protocols import Agent, TrialRow
from passhat.model.redact import Redactor
from passhat.model.run import OWN, Header, Run
from passhat.model.task import Suite, Task
from passhat.model.trial import Trial

_USUAL = Settings()  # for runs that were stored before they kept their own


class Replay(Plan):
    """One trial of a run, made *times* times.

    Its header is that of the run, with one task and one condition. `trials` stays the run's own number, because a share
    of trials is drawn among all that were planned.
    """

    __slots__ = ("_stored", "_times", "picks")

    def __init__(
        self, header: Header, *, task: Task, condition: Condition, stored: Trial, times: int, picks: Picks | None = None
    ) -> None:
        """The trial *stored* in the run with *header*, which knows one task and one condition.

        With *picks* faults fire at these calls alone.
        """
        super().__init__(header, tasks=(task,), conditions=(condition,))
        self._stored = stored
        self._times = times
        self.picks = picks

    @property
    def planned(self) -> int:
        """How often the trial is made."""
        return self._times

    @property
    def paces(self) -> Mapping[str, Pace]:
        """What the trial was told of clean calls: its delays are the same again."""
        return self._stored.paces

    def addresses(self, done: Collection[Address] = ()) -> Iterator[Address]:
        """The one address, as often as it is wanted."""
        for _ in range(self._times - len(done)):
            yield 0, self._stored.index

    def armed(self, condition: Condition) -> Sequence[Armed]:
        """The faults of *condition* that would be planned for this trial."""
        header, (task,) = self.header, self.tasks
        arming = Arming(condition, seed=header.seed, task_id=task.id, blocks=header.blocks, same=header.same_seed)
        return arming.arm(self._stored.index)

    def narrowed(self, suspects: Sequence[Suspect], *, times: int) -> Replay:
        """The same trial where *suspects* alone are at work."""
        (task,), condition = self.tasks, with_only(self.conditions[0], suspects)
        header = replace(self.header, conditions=(condition.name,))
        return Replay(
            header, task=task, condition=condition, stored=self._stored, times=times, picks=picks_of(suspects)
        )


class Kept:
    """Takes the rows of a replay, masked as a store would get them, and gives them back as trials."""

    __slots__ = ("_header", "trials")

    def __init__(self, header: Header) -> None:
        """Nothing is kept yet; *header* is that of the replay."""
        self._header = header
        self.trials: list[Trial] = []

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep what the rows hold."""
        del run_id
        self.trials.extend(decode_trial(self._header, row) for row in rows)


def stored_trial(run: Run, task: str, index: int, condition: str) -> Trial:
    """The trial of *run* that is to be made again; refused where there is no such trial, or none that was planned."""
    header = run.header
    if header.source != OWN:
        raise UsageError(
            f"run {header.id} was imported from {header.source}: its trials were made elsewhere, so none can be "
            "made again here"
        )
    exactly(f"task in run {header.id}", task, {known.id: known for known in header.tasks})
    exactly(f"condition in run {header.id}", condition, {known: known for known in header.conditions})
    whole = isinstance(index, int) and not isinstance(index, bool)
    trial = run.trials.get(task, condition, index) if whole and 0 <= index < header.trials else None
    if trial is None:
        raise UsageError(
            f"run {header.id} has no trial {index!r} of task {task!r} under {condition} "
            f"(it planned {header.trials}, from 0)"
        )
    return trial


def time_limit(header: Header) -> Any:  # noqa: ANN401 - a stored number, which the settings check
    """The seconds that a trial of the run with this header had."""
    return header.provenance.get("timeout", _USUAL.timeout)


def _turns_of(header: Header) -> Any:  # noqa: ANN401 - as above
    """The turns that the users of the run with this header had."""
    return header.provenance.get("turns", _USUAL.turns)


def replaying(header: Header, condition: Condition, options: Mapping[str, Any]) -> Settings:
    """The settings of the run with this header, under one *condition*; *options* may not change what the run says."""
    known = Replaying.__optional_keys__
    if unknown := sorted(set(options) - known):
        raise UsageError(*(f"replay has no option {name!r}: there are {', '.join(sorted(known))}" for name in unknown))
    return Settings(
        under=(condition,),
        clean=False,
        trials=header.trials,
        seed=header.seed,
        same_seed=header.same_seed,
        time=str(header.provenance.get("time", "real")),
        turns=_turns_of(header),
        **{"timeout": time_limit(header), **options},
    )


def replayed(plan: Plan, header: Header, trial: Trial, *, times: int = 1) -> Replay:
    """The plan that makes *trial* of the run with *header* again; *plan* is what the suite of today would run."""
    problems = [f"run {header.id} cannot be replayed like this: {one}" for one in _differences(plan, header, trial)]
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:
        problems.append(f"times: a whole number from 1 on, not {times!r}")
    if problems:
        raise UsageError(*problems)
    stored = next(task for task in header.tasks if task.id == trial.task_id)
    task = next(task for task in plan.tasks if task.id == trial.task_id)
    condition = next(one for one in plan.conditions if one.name == trial.condition)
    alone = replace(header, tasks=(stored,), conditions=(condition.name,))
    return Replay(alone, task=task, condition=condition, stored=trial, times=times)


def made_again(
    plan: Replay,
    suite: Suite,
    agent: Agent,
    settings: Settings,
    *,
    redactor: Redactor,
    wall: Callable[[], float],
) -> Sequence[Trial]:
    """The trials of *plan*, made on a loop and a thread of their own; *wall* tells the time of day."""
    control, kept = Control(), Kept(plan.header)

    async def make() -> None:
        if problems := await probe(suite, agent, plan.conditions, settings):
            raise UsageError(*problems)
        async with Execution(plan, suite, agent, settings, wall=wall) as execution:
            control.attach(execution)
            with captured() if settings.capture else nullcontext():
                await execution.run(kept, redactor)

    try:
        in_thread(make, control, make_loop=VirtualLoop if settings.virtual else asyncio.new_event_loop)
    except Interrupted as stopped:  # it speaks of a run that can go on, and here nothing is stored
        raise _stopped(kept, plan) from stopped
    if len(kept.trials) < plan.planned:
        raise _stopped(kept, plan)
    return kept.trials


class Remaking(NamedTuple):
    """A stored trial, the plan that makes it again, and what carries such a plan out."""

    stored: Trial
    plan: Replay
    make: Callable[[Replay], Sequence[Trial]]

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """What the condition did to the stored trial, piece by piece."""
        condition = self.plan.conditions[0]
        return suspects_of(self.stored, condition, self.plan.armed(condition))

    def trials(self, only: Collection[int] | None = None, *, times: int) -> Sequence[Trial]:
        """The trial made again, whole, or where the suspects numbered *only* are alone at work."""
        return self.make(self.plan if only is None else self.plan.narrowed(chosen(self.suspects, only), times=times))


def _stopped(kept: Kept, plan: Replay) -> KeyboardInterrupt:
    return KeyboardInterrupt(f"the replay was stopped after {len(kept.trials):,} of {plan.planned:,}; nothing was kept")


def _differences(plan: Plan, header: Header, trial: Trial) -> Iterator[str]:
    """What is no longer as it was when the trial was made."""
    now = {task.id: task for task in plan.header.tasks}
    if trial.task_id not in now:
        yield f"the suite has no task {trial.task_id!r}{nearest(trial.task_id, now)}"
    elif now[trial.task_id].digest != trial.task_digest:
        then = next(task for task in header.tasks if task.id == trial.task_id)
        yield f"task {trial.task_id!r} has changed in {_changed(then, now[trial.task_id])}"
    if plan.header.grader != header.grader:
        yield f"the grader was {header.grader!r} and is {plan.header.grader!r} now"


def _changed(then: Task, now: Task) -> str:
    """The fields of a task that make it another one."""
    compared = (
        ("input", then.input, now.input),
        ("expect", then.expect, now.expect),
        ("metadata", then.metadata, now.metadata),
        ("user", then.user, now.user),
    )
    return ", ".join(name for name, one, other in compared if not encoded_alike(one, other))
