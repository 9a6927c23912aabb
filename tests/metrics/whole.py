"""Runs for tests, from whole trials: no engine and no store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.model.outcome import Outcome
from passhat.model.run import Header, Run, Tally
from passhat.model.task import Task
from passhat.model.trial import Trial


class WholeTrials:
    """The trials of a run, as they are given."""

    def __init__(self, trials: Sequence[Trial], conditions: tuple[str, ...]) -> None:
        self._trials = sorted(trials, key=lambda trial: trial.index)
        self._conditions = conditions
        self._tasks = tuple(dict.fromkeys(trial.task_id for trial in trials))

    def counts(self) -> Tally:
        """The outcomes, counted."""
        passed, failed, crashed, timed_out, void = (
            tuple(sum(one.outcome is outcome for one in cell) for cell in self._cells()) for outcome in Outcome
        )
        exposed = tuple(sum(one.exposed for one in cell) for cell in self._cells())
        return Tally(self._tasks, self._conditions, passed, failed, crashed, timed_out, void, exposed)

    def strips(self, first: int) -> tuple[str, ...]:
        """The letters of each cell."""
        return tuple("".join(one.outcome.letter for one in cell)[:first] for cell in self._cells())

    def _cells(self) -> list[list[Trial]]:
        return [
            [one for one in self._trials if (one.task_id, one.condition) == (task, condition)]
            for task in self._tasks
            for condition in self._conditions
        ]

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, by index."""
        return iter(self._trials)

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial."""
        address = (task_id, condition, index)
        return next((one for one in self._trials if (one.task_id, one.condition, one.index) == address), None)


def whole(*trials: Trial) -> Run:
    """A run of these trials."""
    conditions = tuple(dict.fromkeys(trial.condition for trial in trials))
    header = Header(
        id="r1",
        suite="shop",
        agent="agent",
        tasks=tuple(Task(task, "do it") for task in dict.fromkeys(trial.task_id for trial in trials)),
        conditions=conditions,
        grader="equals()",
        trials=1 + max(trial.index for trial in trials),
    )
    return Run(header, WholeTrials(trials, conditions))
