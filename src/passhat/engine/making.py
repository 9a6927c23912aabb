"""A trial that is being made: what is known of it so far, in one place, until it is frozen into a `Trial`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from passhat.engine.arming import Armed, Arming
from passhat.engine.calls import NO_PACES
from passhat.engine.guard import Guard
from passhat.engine.ledger import Ledger
from passhat.engine.pace import Paces, needs_pace
from passhat.engine.printing import Printed
from passhat.engine.unfinished import unfinished
from passhat.engine.where import where
from passhat.engine.worlds import NO_WORLD
from passhat.errors import OutOfReach
from passhat.model.answer import Answer, problem_of
from passhat.model.condition import Condition
from passhat.model.dice import Dice, TrialSeeds
from passhat.model.grammar import PLACEBO
from passhat.model.outcome import Outcome
from passhat.model.pace import Pace
from passhat.model.plain import plain
from passhat.model.talk import Turn
from passhat.model.task import Task
from passhat.model.trial import Grade, ToolCall, Trial

_VOID = Outcome.VOID
_BUILTIN = frozenset((str, int, bool, type(None)))


class CellPlan:
    """What the trials of one cell share."""

    __slots__ = ("arming", "condition", "digest", "name", "paces", "perturbations", "position", "seeds", "task")

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
        self.paces: Paces | None = None


class Void(Exception):
    """The surroundings spoiled this trial; the text says how, and *outage* says that it may be tried again."""

    def __init__(self, problem: str, outage: OutOfReach | None = None) -> None:
        super().__init__(problem)
        self.outage = outage


class Making:
    """One trial on its way."""

    outcome: Outcome | None = None
    answer: Answer | None = None
    grade: Grade | None = None
    worded: str | None = None
    state: Any = None
    state_before: Any = None
    detail = ""
    notes: tuple[str, ...] = ()
    guard: Guard | None = None
    opened = NO_WORLD
    printed: Printed | None = None
    outage: OutOfReach | None = None
    seconds = 0.0
    armed: Sequence[Armed] = ()
    paces: Mapping[str, Pace] = NO_PACES
    trace: tuple[ToolCall, ...] = ()
    ledger: Ledger | None = None
    turns: tuple[Turn, ...] = ()
    user_seconds = 0.0
    user_speaks = False

    def __init__(self, cell: CellPlan, index: int, started_at: float) -> None:
        """The trial of *cell* with this index, of which nothing is known yet."""
        self.started_at = started_at
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
            if self.cell.paces is not None and any(needs_pace(one.injection) for one in self.armed):
                self.paces = self.cell.paces.now()
        return self.armed

    def end(self, outcome: Outcome, detail: str = "") -> None:
        """The trial has ended so, and for this reason."""
        self.outcome = outcome
        self.detail = detail

    def take(self, guard: Guard, *, blocking: bool) -> None:
        """Take over what the guard saw; an agent that left something un-awaited has not done its work."""
        self.ledger = guard.ledger
        self.trace = self.ledger.trace
        if self.outcome is not None or self.answer is None:
            return
        output = self.answer.output
        if type(output) not in _BUILTIN and (forgotten := unfinished(output)):
            self.answer = None
            self.end(Outcome.CRASH, f"the agent returned {forgotten}")
        elif wrong := problem_of(self.answer):
            self.answer = Answer(output)
            self.end(Outcome.CRASH, f"the agent gave an Answer that is none: {wrong}")
        elif guard.unawaited and not blocking:
            calls = "1 tool call" if guard.unawaited == 1 else f"{guard.unawaited:,} tool calls"
            self.end(Outcome.CRASH, f"the agent made {calls} that it never awaited")

    def note(self, problem: str) -> None:
        """Something else went wrong, which does not change how the trial ended."""
        if problem:
            self.notes += (problem,)

    def trial(self) -> Trial:
        """The trial, frozen."""
        answer, cell, grade = self.answer, self.cell, self.grade
        if answer is not None and type(answer.output) not in _BUILTIN:
            answer = Answer(
                plain(answer.output),
                claims_success=answer.claims_success,
                handoff=answer.handoff,
                usage=answer.usage,
            )
        detail = "; ".join(filter(None, (self.detail, *self.notes))) if self.notes else self.detail
        return Trial(
            task_id=cell.task.id,
            task_digest=cell.digest,
            condition=cell.name,
            index=self.index,
            outcome=self.outcome or _VOID,
            seed=self.seed,
            detail=detail,
            answer=answer,
            grades=(grade,) if grade is not None else (),
            turns=self.turns,
            started_at=self.started_at,
            seconds=self.seconds,
            **self._rest(),
        )

    def _rest(self) -> dict[str, Any]:
        """What most trials don't have; a field that is left out costs nothing."""
        rest: dict[str, Any] = {}
        if self.trace:
            rest["trace"] = self.trace
        if planned := tuple([armed.name for armed in self.armed if armed.name != PLACEBO]):
            rest["faults_planned"] = planned
        if self.paces:
            rest["paces"] = self.paces
        if self.ledger is not None and (self.trace or self.ledger.events):
            rest["faults"] = self.ledger.events
            rest["calls_left_out"] = self.ledger.calls_left_out
            rest["faults_left_out"] = self.ledger.faults_left_out
        if self.worded is not None:
            rest["input"] = self.worded
        if self.state is not None:
            rest["state"] = self.state
        if self.state_before is not None and planned:
            rest["state_before"] = self.state_before
        if self.grade is not None and self.grade.score is not None:
            rest["score"] = self.grade.score
        if self.printed is not None:
            rest["printed"] = str(self.printed)
        return rest
