"""The contract of a metric, and what it is given.

A metric reads counts (or, where it says so, ordered outcomes or whole trials) and gives rows of estimates. It
stores nothing, draws nothing at random and judges nothing. `_measure` applies metrics to a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.parts import part_name
from passhat.model.run import Header, Tally, Trials
from passhat.model.summary import Row, Speaks, Voids
from passhat.stats.arrays import Array


class Needs(StrEnum):
    """What a metric reads: counts alone, the outcomes in their order, or the trials (slow to read)."""

    TALLY = "tally"
    OUTCOMES = "outcomes"
    TRIALS = "trials"


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """The counts under one condition, in arrays by task: the trials of each outcome, and `n`, the denominator.

    `n` holds the valid trials, and the void ones too where those count as failures; `valid` holds the valid ones
    always. `position` is the condition's place among the run's.
    """

    condition: str
    position: int
    tasks: tuple[str, ...]
    n: Array
    valid: Array
    counts: Mapping[Outcome, Array]

    @property
    def c(self) -> Array:
        """The passes."""
        return self.counts[Outcome.PASS]

    @property
    def void(self) -> Array:
        """The void trials."""
        return self.counts[Outcome.VOID]

    @property
    def all(self) -> Array:
        """All trials, valid and void."""
        return self.valid + self.void


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a metric is given: the run, its counts by condition, and how they are to be read.

    `own_k` is the run's own k; `ks` are those that every row shows: 1, the own one, and those that were asked for.
    `strips` are whole where a metric needs the outcomes in their order. `trials` is for metrics that need more than
    counts. `method` is the kind of interval that was asked for; None for the usual ones.
    """

    header: Header
    tally: Tally
    trials: Trials
    arms: tuple[Arm, ...]
    own_k: int
    ks: tuple[int, ...]
    level: float
    strips: tuple[str, ...] = ()
    speaks_of: Speaks = Speaks.THESE_TASKS
    voids: Voids = Voids.EXCLUDE
    method: str | None = None

    def declared(self, given: Declared | None) -> Declared:
        """What is said of the tools: as *given*, else as the run itself has it."""
        return self.header.declared if given is None else given

    def outcomes(self, arm: Arm) -> list[list[bool]]:
        """For each task, whether each trial that counts passed, in the order of the trials."""
        return [self.outcomes_of(arm, position) for position in range(len(arm.tasks))]

    def outcomes_of(self, arm: Arm, position: int) -> list[bool]:
        """The same of the task at this place."""
        strip = self.strips[position * len(self.tally.conditions) + arm.position]
        void = Outcome.VOID.letter if self.voids is Voids.EXCLUDE else ""
        return [letter == Outcome.PASS.letter for letter in strip if letter != void]


@dataclass(frozen=True, slots=True)
class Metric:
    """Says something of a run, in rows for the suite and for its tasks.

    `usual` metrics are measured where nothing else is said; the others where somebody asks for them by name.
    """

    needs: ClassVar[Needs] = Needs.TALLY
    usual: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """The name of this kind of metric."""
        return part_name(type(self))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its estimates, with `K` where a number stands."""
        return (self.name,)

    def k_of(self, name: str) -> int | None:
        """The k of the estimate of this name, 1 where it has none; None where it is not this metric's."""
        return 1 if name in self.names else None

    def concerns(self, conditions: Sequence[str]) -> bool:
        """True where a usual metric has something to say of a run under these conditions."""
        del conditions
        return True

    def measure(self, reading: Reading) -> Iterable[Row]:
        """The rows: of the suite (task None) and of its tasks, under each condition."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric overrides measure")


def numbers(names: Sequence[str], name: str) -> tuple[int, ...] | None:
    """The whole numbers that stand in *name* where one of *names* has capital letters of its own, such as `pass^K`.

    >>> numbers(("pass^K", "at_least_J_of_K"), "at_least_2_of_3")
    (2, 3)
    """
    import re

    for form in names:
        pattern = re.sub(r"[JK]", "([1-9][0-9]*)", re.escape(form))
        found = re.fullmatch(pattern, name)
        if found:
            return tuple(int(each) for each in found.groups())
    return None
