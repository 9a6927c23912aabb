"""A summary laid out for readers: a block a condition, a line a task, the worst where there are many.

No text is made here and nothing is measured: estimates come from the summary, counts from its tally.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passhat.model.grammar import CLEAN, plans_a_fault
from passhat.model.outcome import Outcome
from passhat.model.run import Trials
from passhat.model.summary import Estimate, Row, Speaks, Summary, Voids
from passhat.model.trial import Trial

MOST = 40
WORST = 20
EXAMPLES = 3
_SHOWN_KS = (1, 2, 3, 5)
_FEW = 6


@dataclass(frozen=True, slots=True)
class Counts:
    """The denominators: trials that passed, that count, that are void, that met a fault, and all of them.

    Void trials are among those that count where they count as failures.
    """

    passed: int
    counting: int
    void: int
    exposed: int
    trials: int

    @property
    def voids_fail(self) -> bool:
        """True where void trials count as failures."""
        return self.void > 0 and self.counting == self.trials


@dataclass(frozen=True, slots=True)
class Line:
    """A task under a condition. `cut` says that there are more trials than letters in the strip."""

    task: str
    strip: str
    cut: bool
    counts: Counts
    rate: Estimate | None
    hat: Estimate | None


@dataclass(frozen=True, slots=True)
class Block:
    """A condition: the lines that are shown, how many are not, and the suite's estimates."""

    condition: str
    lines: tuple[Line, ...]
    left_out: int
    counts: Counts
    suite: Row
    k: int

    @property
    def clean(self) -> bool:
        """True for the condition that the others are compared to."""
        return self.condition == CLEAN

    @property
    def tasks(self) -> int:
        """All tasks, the ones that are not shown too."""
        return len(self.lines) + self.left_out

    @property
    def at_1(self) -> Estimate | None:
        """The share of single runs that pass."""
        return self.suite.get("pass@1")

    @property
    def hat(self) -> Estimate | None:
        """pass^k at the run's own k."""
        return self.suite.get(f"pass^{self.k}")

    @property
    def at_k(self) -> Estimate | None:
        """pass@k at the run's own k."""
        return self.suite.get(f"pass@{self.k}")

    @property
    def other(self) -> Estimate | None:
        """pass^k with the interval that answers the other question, of these tasks or of tasks like these."""
        asked = self.hat
        found = (one for one in self.suite.estimates if asked and one.metric == asked.metric)
        return next((one for one in found if asked and one.speaks_of is not asked.speaks_of), None)

    def over_k(self, symbol: str = "pass^") -> tuple[Estimate, ...]:
        """pass^k (or pass@k) along k, where it is known: all, or the first, the run's own, round ones and the last."""
        asked = self.at_1.speaks_of if self.at_1 else Speaks.THESE_TASKS
        along = (one for one in self.suite.estimates if one.metric.startswith(symbol) and one.speaks_of is asked)
        found = sorted((one for one in along if one.value is not None), key=lambda one: one.k)
        if len(found) <= _FEW:
            return tuple(found)
        kept = {*_SHOWN_KS, self.k, found[-1].k, *(10**power for power in range(1, 7))}
        return tuple(one for one in found if one.k in kept)

    @property
    def plans_fault(self) -> bool:
        """True where the condition plans a fault, or a fault was met all the same: only then is that counted."""
        return plans_a_fault(self.condition) or self.counts.exposed > 0


def clean_of(shown: Sequence[Block]) -> Block | None:
    """The clean condition among others, which they are compared to."""
    return next((block for block in shown if block.clean), None) if len(shown) > 1 else None


@dataclass(frozen=True, slots=True)
class Example:
    """A trial that did not pass, and the line that it stands for."""

    condition: str
    trial: Trial

    @property
    def why(self) -> str:
        """The trial's own words, or its graders'."""
        graded = (grade.reason for grade in self.trial.grades if not grade.passed and grade.reason)
        return self.trial.detail or next(graded, "no reason was given")


def blocks(summary: Summary, *, every_task: bool = False) -> tuple[Block, ...]:
    """The blocks of *summary*, in the order of its conditions."""
    rows = {(row.condition, row.task): row for row in summary.rows}
    tally = summary.tally
    tasks = tuple(range(len(tally.tasks))) if every_task or len(tally.tasks) <= MOST else _worst(summary)
    return tuple(_block(summary, rows, position, tasks) for position in range(len(tally.conditions)))


def examples(shown: tuple[Block, ...], trials: Trials) -> Iterator[Example]:
    """For the worst lines of each block, the first trial that did not pass."""
    for block in shown:
        found = 0
        for line in sorted(block.lines, key=lambda line: _share(line.counts)):
            trial = _first_not_passed(line, block.condition, trials) if found < EXAMPLES else None
            if trial is not None:
                found += 1
                yield Example(block.condition, trial)


def _first_not_passed(line: Line, condition: str, trials: Trials) -> Trial | None:
    for index, letter in enumerate(line.strip):
        if letter not in (Outcome.PASS.letter, Outcome.VOID.letter):
            trial = trials.get(line.task, condition, index)
            return trial if trial and trial.outcome.counts and trial.outcome is not Outcome.PASS else None
    return None


def _worst(summary: Summary) -> tuple[int, ...]:
    """The same tasks for every condition, so that they can be compared: those with the lowest rate under any."""
    tally = summary.tally
    conditions = range(len(tally.conditions))

    def shares(task: int) -> list[float]:
        return sorted(_share(_counts(summary, tally.cell(task, condition))) for condition in conditions)

    return tuple(sorted(range(len(tally.tasks)), key=lambda task: (shares(task), task))[:WORST])


def _block(summary: Summary, rows: dict[tuple[str, str | None], Row], position: int, tasks: tuple[int, ...]) -> Block:
    tally, condition = summary.tally, summary.tally.conditions[position]
    names = [(tally.tasks[task], tally.cell(task, position)) for task in tasks]
    lines = tuple(_line(summary, name, cell, rows.get((condition, name))) for name, cell in names)
    total = _total(summary, tally.of(position))
    suite = rows.get((condition, None)) or Row(condition=condition)
    return Block(condition, lines, len(tally.tasks) - len(tasks), total, suite, summary.k)


def _line(summary: Summary, task: str, cell: int, row: Row | None) -> Line:
    counts = _counts(summary, cell)
    strip = summary.strips[cell] if cell < len(summary.strips) else ""
    rate, hat = (row.get("pass^1"), row.get(f"pass^{summary.k}")) if row else (None, None)
    return Line(task, strip, len(strip) < counts.trials, counts, rate, hat)


def _total(summary: Summary, cells: range) -> Counts:
    found = [_counts(summary, cell) for cell in cells]
    return Counts(
        passed=sum(one.passed for one in found),
        counting=sum(one.counting for one in found),
        void=sum(one.void for one in found),
        exposed=sum(one.exposed for one in found),
        trials=sum(one.trials for one in found),
    )


def _counts(summary: Summary, cell: int) -> Counts:
    tally = summary.tally
    valid, void = tally.valid(cell), tally.void[cell]
    return Counts(
        passed=tally.passed[cell],
        counting=valid + void if summary.voids is Voids.FAIL else valid,
        void=void,
        exposed=tally.exposed[cell],
        trials=valid + void,
    )


def _share(counts: Counts) -> float:
    """What the worst are sorted by; a task without any evidence is worse than one that always failed."""
    return counts.passed / counts.counting if counts.counting else -1.0
