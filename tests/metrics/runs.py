"""Runs for tests, from outcome letters: no engine and no store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from passhat.model.outcome import LETTERS, Outcome
from passhat.model.run import Header, Run, Tally
from passhat.model.task import Task
from passhat.model.trial import Trial

OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}
CLEAN = "clean"
FAULT = "rate_limit(rate=0.2)"
WORDING = "typos(0.05)"


class ListTrials:
    """The trials of a run, as strips of letters: by condition, then by task."""

    def __init__(self, strips: Mapping[str, Sequence[str]], *, exposed: Mapping[str, int]) -> None:
        self._conditions = tuple(strips)
        self._tasks = tuple(f"task-{i}" for i in range(len(next(iter(strips.values()), ()))))
        self._strips = [strips[name][i] for i in range(len(self._tasks)) for name in self._conditions]
        self._exposed = exposed

    @property
    def tasks(self) -> tuple[str, ...]:
        """The ids of the tasks."""
        return self._tasks

    def counts(self) -> Tally:
        """The letters, counted; a condition's exposed trials all stand at its first task."""
        exposed = [0] * len(self._strips)
        for position, name in enumerate(self._conditions):
            if self._tasks:
                exposed[position] = self._exposed.get(name, 0)
        passed, failed, crashed, timed_out, void = (
            tuple(strip.count(LETTERS[outcome]) for strip in self._strips) for outcome in Outcome
        )
        return Tally(
            tasks=self._tasks,
            conditions=self._conditions,
            passed=passed,
            failed=failed,
            crashed=crashed,
            timed_out=timed_out,
            void=void,
            exposed=tuple(exposed),
        )

    def strips(self, first: int) -> tuple[str, ...]:
        """The first letters of each cell."""
        return tuple(strip[:first] for strip in self._strips)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial."""
        return self._all()

    def _all(self) -> Iterator[Trial]:
        for cell, strip in enumerate(self._strips):
            task, condition = divmod(cell, len(self._conditions))
            for index, letter in enumerate(strip):
                yield Trial(
                    task_id=self._tasks[task],
                    task_digest="",
                    condition=self._conditions[condition],
                    index=index,
                    outcome=OUTCOMES[letter],
                    detail="the shop was shut" if letter == "V" else "",
                )

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial."""
        address = (task_id, condition, index)
        return next((one for one in self._all() if (one.task_id, one.condition, one.index) == address), None)


def run_of(
    strips: Mapping[str, Sequence[str]],
    *,
    trials: int | None = None,
    exposed: Mapping[str, int] | None = None,
) -> Run:
    """A run in which each condition has one strip a task, such as ``PPFPE``."""
    view = ListTrials(strips, exposed=exposed or {})
    longest = max((len(strip) for each in strips.values() for strip in each), default=1)
    header = Header(
        id="r1",
        suite="shop",
        agent="agent",
        tasks=tuple(Task(task, "do it") for task in view.tasks),
        conditions=tuple(strips),
        grader="equals()",
        trials=longest if trials is None else trials,
    )
    return Run(header, view)


def strip(passed: int, failed: int, *, void: int = 0) -> str:
    """A strip of this many passes, failures and void trials."""
    return "P" * passed + "F" * failed + "V" * void
