"""Runs as tasks × trials: how many are worth so many independent ones, and what those that there are, are worth.

Trials of one task are alike. N of each task are worth as many independent runs as there are, divided by the design
effect 1 + (N - 1)·icc. What this file hands out is in whole tasks and whole trials: an answer and the cells of its
tables are rounded in this one place.
"""

from __future__ import annotations

from typing import NamedTuple

from passhat.errors import UsageError
from passhat.sizing.answer import Cell, Table
from passhat.sizing.question import Question
from passhat.sizing.words import counted, percent
from passhat.stats.scalars import whole_up

_SPLITS_SHOWN = 8
_MOST_TO_SPLIT = 1_000_000


class Fit(NamedTuple):
    """So many *runs*, worth so many independent ones; as *tasks* × *trials* where one of these was named."""

    runs: int
    worth: float
    tasks: int | None = None
    trials: int | None = None

    @property
    def values(self) -> dict[str, Cell]:
        """The numbers for a program."""
        shape = {} if self.tasks is None else {"tasks": self.tasks, "trials": self.trials}
        return {"runs": self.runs, "independent_runs": self.worth, **shape}


def fitted(alone: float, question: Question) -> Fit:
    """The least whole tasks × trials that are worth *alone* independent runs."""
    if question.trials is not None:
        trials = question.trials
        tasks = whole_up(alone * _effect(trials, question) / trials)
    elif question.tasks is not None:
        tasks, trials = question.tasks, _trials(question.tasks, alone, question)
    else:
        return Fit(whole_up(alone), whole_up(alone))
    return Fit(tasks * trials, tasks * trials / _effect(trials, question), tasks, trials)


def fitted_or_none(alone: float, question: Question) -> int | None:
    """The runs of `fitted`, with nothing where the tasks are too few: the cell of a table."""
    try:
        return fitted(alone, question).runs
    except UsageError:
        return None


def effective(question: Question) -> int:
    """How many independent runs the runs are worth that there are, rounded down."""
    worth = int(question.total / _effect(question.trials or 1, question) + 1e-9)
    if worth < 1:
        raise UsageError(f"{counted(question.total, 'run')} are worth less than one independent run at this icc")
    return worth


def shaped(fit: Fit, question: Question) -> list[tuple[str, str]]:
    """The row that shows the runs as tasks × trials, and what they are worth."""
    if fit.tasks is None or fit.trials is None:
        return []
    shape = f"{counted(fit.tasks, 'task')} × {counted(fit.trials, 'trial')} = {counted(fit.runs, 'run')}"
    if not question.icc:
        return [("Shape", shape)]
    worth = f"{fit.worth:,.1f}".removesuffix(".0")
    runs = "run" if worth == "1" else "runs"
    return [("Shape", f"{shape}, worth {worth} independent {runs} at an icc of {question.icc:g}")]


def worthy(worth: int, question: Question) -> list[tuple[str, str]]:
    """The row that says what correlated runs are worth."""
    if worth == question.total:
        return []
    effect = _effect(question.trials or 1, question)
    why = f"the design effect 1 + (trials - 1)·icc is {effect:.3g}"
    return [("Worth", f"{counted(worth, 'independent run')}, rounded down: {why}")]


def alike(question: Question) -> str:
    """What is taken for granted of how runs hang together; nothing where neither a shape nor a correlation was said."""
    shape = question.tasks is not None or question.trials is not None
    if question.icc is None:
        return "Trials of one task are independent; where they are not, say so: --icc." if shape else ""
    if shape:
        return f"Trials of one task are as alike as an icc of {question.icc:g} says, and tasks are independent."
    each = f"The runs are one trial of each of {counted(question.total, 'task')}"
    return f"{each}, which the icc does not touch; more trials of fewer tasks show less (--trials)."


def split_table(question: Question, *, rate: float) -> list[Table]:
    """How to split the runs between tasks and trials, where their correlation is known and nothing else."""
    if question.icc is None or question.trials is not None or question.tasks is not None:
        return []
    from passhat.stats.designs import splits

    if question.total > _MOST_TO_SPLIT:
        return []
    found = splits(question.total, question.icc, rate=rate)
    step = max(1, len(found) // _SPLITS_SHOWN)
    shown = [one for one in found if one.trials in (1, 2, 3, 5, 10, 20, 50, 100)] or list(found[::step])
    rows = tuple((one.tasks, one.trials, one.runs, one.se) for one in shown)
    title = f"One standard error, by how {question.total:,} runs are split (icc {question.icc:g}, rate {percent(rate)})"
    return [Table(title, ("tasks", "trials", "runs", "error"), rows)]


def _effect(trials: int, question: Question) -> float:
    """How many runs are worth one independent run."""
    return 1 + (trials - 1) * (question.icc or 0.0)


def _trials(tasks: int, alone: float, question: Question) -> int:
    """How many trials of each of the tasks it takes; refused where no number is enough."""
    from passhat.stats.designs import trials_for

    between = question.icc or 0.0
    trials = trials_for(tasks, alone, between)
    if trials is None:
        most = tasks / between
        raise UsageError(
            f"{counted(tasks, 'task')} are never worth more than {most:,.1f} independent runs at an icc of "
            f"{between:g}, and {alone:,.0f} are needed: take {whole_up(alone * between + 1e-6):,} tasks or more"
        )
    return trials
