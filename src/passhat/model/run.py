"""A run: its header, and a view of its trials that counts before it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from passhat.model.base import Json, Noun
from passhat.model.digest import digest
from passhat.model.operations import NOTHING_DECLARED, Declared
from passhat.model.outcome import Outcome
from passhat.model.task import Task
from passhat.model.trial import Trial

OWN = "passhat"  # the source of a run that was made here, and not imported


class Cell(Noun):
    """A task under a condition, by their positions in the run: the unit of pass^k."""

    task: int
    condition: int


class Header(Noun, kw_only=True):
    """What was planned, for whom and by whom. `trials` is N, the planned trials of each cell.

    `same_seed`: all trials of a task had one seed, so they are not independent, and carry no verdict.
    `declared` is what the suite says of its tools: every reading of the run goes by it, unless it is given another.
    """

    id: str
    suite: str
    agent: str
    tasks: tuple[Task, ...]
    conditions: tuple[str, ...]
    grader: str
    trials: int
    seed: int = 0
    same_seed: bool = False
    agent_version: str = ""
    source: str = OWN
    started_at: float = 0.0
    provenance: Mapping[str, Json] = {}
    declared: Declared = NOTHING_DECLARED

    @property
    def planned(self) -> int:
        """All trials that were planned."""
        return len(self.tasks) * len(self.conditions) * self.trials

    @property
    def blocks(self) -> tuple[int, ...]:
        """How many trials of each cell were planned at a time: all at once, or more of them with each top-up."""
        told = self.provenance.get("blocks")
        blocks = (
            tuple(one for one in told if isinstance(one, int) and one > 0) if isinstance(told, list | tuple) else ()
        )
        return blocks if sum(blocks) == self.trials else (self.trials,)

    @property
    def design_digest(self) -> str:
        """Equal where two runs may be compared: the same tasks, conditions and grader; not N, and not the agent."""
        return digest((sorted((task.id, task.digest) for task in self.tasks), sorted(self.conditions), self.grader))

    @property
    def run_digest(self) -> str:
        """Equal where one run may go on as the other: the same design, declarations, seed, agent and agent version."""
        one = ("same seed",) if self.same_seed else ()
        declared = () if self.declared == NOTHING_DECLARED else (self.declared,)
        return digest((self.design_digest, self.seed, self.agent, self.agent_version, *one, *declared))


class Listing(Noun, kw_only=True):
    """A run as a list of runs shows it."""

    id: str
    suite: str
    agent: str
    started_at: float
    stored: int
    planned: int


class Tally(Noun):
    """The outcomes of every cell, counted, in columns: cell i is task i // C under condition i % C.

    `exposed` counts the trials in which a planned fault fired.
    """

    tasks: tuple[str, ...]
    conditions: tuple[str, ...]
    passed: tuple[int, ...]
    failed: tuple[int, ...]
    crashed: tuple[int, ...]
    timed_out: tuple[int, ...]
    void: tuple[int, ...]
    exposed: tuple[int, ...]

    def cell(self, task: int, condition: int) -> int:
        """The position of a cell in the columns."""
        return task * len(self.conditions) + condition

    def column(self, outcome: Outcome) -> tuple[int, ...]:
        """The counts of one outcome."""
        columns = {
            Outcome.PASS: self.passed,
            Outcome.FAIL: self.failed,
            Outcome.CRASH: self.crashed,
            Outcome.TIMEOUT: self.timed_out,
            Outcome.VOID: self.void,
        }
        return columns[outcome]

    def valid(self, cell: int) -> int:
        """The denominator of a cell: its trials without the void ones."""
        return self.passed[cell] + self.failed[cell] + self.crashed[cell] + self.timed_out[cell]

    def of(self, condition: int) -> range:
        """The cells under one condition, by task."""
        return range(condition, len(self.passed), len(self.conditions))

    def total(self, outcome: Outcome) -> int:
        """All trials with this outcome."""
        return sum(self.column(outcome))


class Trials(Protocol):
    """The trials of one run. Columns and strips are in the order of cells; trials come by index, then by cell."""

    def counts(self) -> Tally:
        """The outcomes, counted without reading a trial."""

    def strips(self, first: int) -> tuple[str, ...]:
        """For each cell the letters of its first outcomes, such as ``PPFPE``."""

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, one after the other, read as it is asked for."""

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial."""


class Run(Noun):
    """A header and its trials."""

    header: Header
    trials: Trials
