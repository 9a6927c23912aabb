"""A trial that is being made: what is known of it so far, in one place, until it is frozen into a `Trial`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from passhat.engine.arming import Armed, Arming
from passhat.engine.guard import Guard
from passhat.engine.where import where
from passhat.model.answer import Answer
from passhat.model.condition import Condition
from passhat.model.dice import Dice, TrialSeeds
from passhat.model.outcome import Outcome
from passhat.model.plain import plain
from passhat.model.task import Task
from passhat.model.trial import FaultEvent, Grade, ToolCall, Trial

_BUILTIN = frozenset((str, int, bool, type(None)))


class CellPlan:
    """What the trials of one cell share."""

    __slots__ = ("arming", "condition", "digest", "name", "perturbations", "position", "seeds", "task")

    def __init__(self, position: int, task: Task, digest: str, condition: Condition, *, seeds: TrialSeeds) -> None:
        """The cell of *task* under *condition*."""
        self.position = position
        self.task = task
        self.digest = digest
        self.condition = condition
        self.name = condition.name
        self.perturbations = condition.perturbations
        self.seeds = seeds
        self.arming: Arming | None = None


class Void(Exception):
    """The surroundings spoiled this trial; the text says how."""


class Making:
    """One trial on its way."""

    outcome: Outcome | None = None
    answer: Answer | None = None
    grade: Grade | None = None
    worded: str | None = None
    state: Any = None
    detail = ""
    tear_down = ""
    seconds = 0.0
    armed: Sequence[Armed] = ()
    trace: tuple[ToolCall, ...] = ()
    events: tuple[FaultEvent, ...] = ()

    def __init__(self, cell: CellPlan, index: int) -> None:
        """The trial of *cell* with this index, of which nothing is known yet."""
        self.cell = cell
        self.index = index
        self.seed = cell.seeds(index)

    def word(self) -> Any:  # noqa: ANN401 - a task's input is any JSON
        """The input that the agent gets: worded anew where the condition says so."""
        given = self.cell.task.input
        for position, perturbation in enumerate(self.cell.perturbations):
            dice = Dice(self.seed, perturbation.term.name, position)
            try:
                given = perturbation.perturb(str(given), dice)
            except Exception as error:
                raise Void(f"{perturbation.term} raised {where(error)}") from error
            if given is None:
                raise Void(f"{perturbation.term} found no valid variant of this input")
            self.worded = given
        return given

    def arm(self) -> Sequence[Armed]:
        """The faults that are planned for this trial."""
        if self.cell.arming is not None:
            self.armed = self.cell.arming.arm(self.index)
        return self.armed

    def end(self, outcome: Outcome, detail: str = "") -> None:
        """The trial has ended so, and for this reason."""
        self.outcome = outcome
        self.detail = detail

    def take(self, guard: Guard, *, blocking: bool) -> None:
        """Take over what the guard saw; an agent that left something un-awaited has not done its work."""
        self.trace = guard.trace
        self.events = guard.events
        if self.outcome is not None or self.answer is None:
            return
        output = self.answer.output
        if type(output) not in _BUILTIN and inspect.iscoroutine(output):
            output.close()
            self.answer = None
            self.end(Outcome.CRASH, "the agent returned a coroutine that nobody awaited")
        elif guard.unawaited and not blocking:
            self.end(Outcome.CRASH, f"the agent made {guard.unawaited} tool calls that it never awaited")

    def trial(self, *, started_at: float, printed: str) -> Trial:
        """The trial, frozen."""
        answer, cell, grade = self.answer, self.cell, self.grade
        if answer is not None and type(answer.output) not in _BUILTIN:
            answer = Answer(
                plain(answer.output),
                claims_success=answer.claims_success,
                handoff=answer.handoff,
                usage=answer.usage,
            )
        detail = f"{self.detail}; {self.tear_down}".strip("; ") if self.tear_down else self.detail
        return Trial(
            task_id=cell.task.id,
            task_digest=cell.digest,
            condition=cell.name,
            index=self.index,
            outcome=self.outcome or Outcome.VOID,
            seed=self.seed,
            score=grade.score if grade is not None else None,
            detail=detail,
            input=self.worded,
            answer=answer,
            grades=(grade,) if grade is not None else (),
            trace=self.trace,
            faults_planned=tuple([armed.name for armed in self.armed]) if self.armed else (),
            faults=self.events,
            state=self.state,
            printed=printed,
            started_at=started_at,
            seconds=self.seconds,
        )
