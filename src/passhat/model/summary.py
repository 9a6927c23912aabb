"""What was measured: estimates with all that makes a number honest, in rows of scope × condition."""

from __future__ import annotations

from enum import StrEnum

from passhat.model.base import Noun
from passhat.model.reliability import ReliabilitySummary
from passhat.model.run import Header, Tally


class Speaks(StrEnum):
    """What an interval is about: this one task, just these tasks, or tasks like these."""

    THIS_TASK = "this task"
    THESE_TASKS = "these tasks"
    TASKS_LIKE_THESE = "tasks like these"


class Voids(StrEnum):
    """What void trials count as: nothing, or failures."""

    EXCLUDE = "exclude"
    FAIL = "fail"


class Estimate(Noun, kw_only=True):
    """A number with its interval, denominator and method; or no number, and the reason.

    `n` and `c` are the trials behind it and the passes among them. Where trials are void, `if_voids_failed` and
    `if_voids_passed` bound it, and `if_voids_excluded` is what it is where void trials count for nothing.
    `examples` are the first trials, by task and index, of those that a rule against them names.
    `approximate`: the interval may cover less often than its level says, so no rule uses it.
    """

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    n: int = 0
    c: int = 0
    k: int = 1
    tasks: int = 1
    blocks: int = 0
    method: str = ""
    speaks_of: Speaks = Speaks.THIS_TASK
    reason: str = ""
    if_voids_failed: float | None = None
    if_voids_passed: float | None = None
    if_voids_excluded: float | None = None
    approximate: bool = False
    examples: tuple[tuple[str, int], ...] = ()


class Row(Noun, kw_only=True):
    """The estimates of one scope, the suite or one task, under one condition.

    A suite's metric may be estimated twice, for these tasks and for tasks like these: the one that was asked for
    stands first. `reliability` describes a task's outcomes in their order.
    """

    condition: str
    task: str | None = None
    estimates: tuple[Estimate, ...] = ()
    reliability: ReliabilitySummary | None = None

    def get(self, metric: str, speaks_of: Speaks | None = None) -> Estimate | None:
        """The estimate of a metric such as ``pass^5``: the first, or the one that speaks of this."""
        return next(
            (one for one in self.estimates if one.metric == metric and speaks_of in (None, one.speaks_of)),
            None,
        )


class Summary(Noun, kw_only=True):
    """What rules and reports read. `k` is the run's own k, for columns that show one; `strips` are outcome letters.

    `speaks_of` is the question that was asked, `voids` what void trials counted as. `asked` names the metrics that
    somebody asked for besides the usual ones, and `left_out` says what was not measured, and why.
    """

    header: Header
    k: int
    tally: Tally
    rows: tuple[Row, ...]
    strips: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    speaks_of: Speaks = Speaks.THESE_TASKS
    voids: Voids = Voids.EXCLUDE
    asked: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def suite_row(self, condition: str) -> Row | None:
        """The suite's estimates under one condition."""
        return next((row for row in self.rows if row.task is None and row.condition == condition), None)

    def task_rows(self, condition: str) -> tuple[Row, ...]:
        """The tasks' estimates under one condition, in the suite's order."""
        return tuple(row for row in self.rows if row.task is not None and row.condition == condition)
