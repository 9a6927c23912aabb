"""Rules over the figures that describe each task's outcomes in their order: `reliability.passhat_k >= 80`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.parts import nearest
from passhat.model.reliability import TARGETS
from passhat.model.summary import Row, Summary
from passhat.model.verdict import Finding
from passhat.rules.base import Claim, Rule, condition_among

_NAMED = 3
_RUNS = "reliability.runs"


@dataclass(frozen=True, slots=True)
class Target(Rule):
    """A figure of *every* task, such as `reliability.passhat_k`, lies at or above (`>=`) or below (`<=`) a line.

    It looks at what was observed and at nothing else: no interval, and no claim about the next run. The figures are
    whole per cents, so a line is one too; `reliability.runs` is a count.
    """

    form: ClassVar[str] = "reliability.passhat_k >= VALUE [under CONDITION]"

    target: str
    value: float
    sign: str = ">="
    condition: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise UsageError(f"there is no target {self.target!r}{nearest(self.target, TARGETS)}")
        if self.sign not in (">=", "<="):
            raise UsageError(f"{self.target}: a figure is held against a line with >= or <=, not {self.sign!r}")
        most = float("inf") if self.target == _RUNS else 100
        if isinstance(self.value, bool) or not 0 <= self.value <= most or self.value == float("inf"):
            allowed = "0 or more" if most > 100 else "from 0 to 100, in per cent"  # noqa: PLR2004 - per cent
            raise UsageError(f"{self.target} {self.sign} {self.value!r}: the line is {allowed}")

    @property
    def needs(self) -> tuple[str, ...]:
        return ("reliability",)

    def __str__(self) -> str:
        under = "" if self.condition is None else f" under {self.condition}"
        return f"{self.target} {self.sign} {self.value!r}{under}"

    @classmethod
    def read(cls, claim: Claim) -> Target | None:
        if not claim.name.startswith("reliability."):
            return None
        line = round(100 * claim.number, 9) if claim.per_cent else claim.number
        if claim.per_cent and claim.name == _RUNS:
            raise UsageError(f"{_RUNS} is a count, and no share of anything: write {line:g} where {line:g} is meant")
        return cls(claim.name, line, claim.sign, condition=claim.condition)

    def problems(self, trials: int, conditions: tuple[str, ...]) -> Sequence[str]:
        if self.condition is not None and condition_among(self.condition, conditions) is None:
            return [f"{self}: there is no condition {self.condition!r}{nearest(self.condition, conditions)}"]
        if self.target == _RUNS and self.sign == ">=" and self.value > trials:
            return [f"{self}: {trials} trials of each task are planned"]
        return []

    def judge(self, summary: Summary) -> Sequence[Finding]:
        conditions = summary.header.conditions
        one = None if self.condition is None else condition_among(self.condition, conditions)
        return [self._finding(summary, condition) for condition in (conditions if one is None else (one,))]

    def _finding(self, summary: Summary, condition: str) -> Finding:
        rows = [row for row in summary.task_rows(condition) if row.reliability is not None]
        tasks = len(summary.tally.tasks)
        broken = [row for row in rows if not self._holds(row)]
        unknown = tasks - len(rows)
        if unknown and not broken:  # one that breaks the line breaks it, whatever the others would show
            reason = f"{self.target} under {condition} is known of {len(rows)} of {tasks} tasks: {_why(summary)}"
            return Finding(rule=str(self), ok=None, reason=reason, condition=condition)
        seen = f"{self.target} under {condition} was observed {self.sign} {self.value:g}"
        rest = f"; of {unknown:,} it is not known" if unknown else ""
        reason = f"{seen} on {len(rows) - len(broken)} of {tasks} tasks{self._worst(broken)}{rest}"
        return Finding(rule=str(self), ok=not broken, reason=reason, condition=condition)

    def _figure(self, row: Row) -> int:
        assert row.reliability is not None  # noqa: S101 - only such rows get here
        return row.reliability.resolve_target(self.target)

    def _holds(self, row: Row) -> bool:
        return self._figure(row) >= self.value if self.sign == ">=" else self._figure(row) <= self.value

    def _worst(self, broken: Sequence[Row]) -> str:
        """The tasks that are furthest from the line."""
        if not broken:
            return ""
        furthest = sorted(broken, key=self._figure, reverse=self.sign == "<=")
        named = ", ".join(f"{row.task} ({self._figure(row)})" for row in furthest[:_NAMED])
        more = len(broken) - _NAMED
        return f", not on {named}{f' and {more:,} more' if more > 0 else ''}"


def _why(summary: Summary) -> str:
    return summary.left_out[0] if summary.left_out else "the others have no trial that counts, or it was not measured"
