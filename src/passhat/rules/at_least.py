"""The everyday rule: pass^k (or pass@k) is at least so much, shown with 95 % confidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.numbers import counted
from passhat.model.parts import nearest
from passhat.model.summary import Speaks, Summary
from passhat.model.verdict import Finding
from passhat.rules._bound import on_bounds
from passhat.rules.base import Claim, Rule, condition_among

_METRIC = re.compile(r"pass[@^]([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class AtLeast(Rule):
    """The suite's *metric*, such as `pass^5`, is at least *value*, under every condition or under one.

    It holds where the lower one-sided 95 % bound reaches the value, is broken where the upper one stays below
    it, and is not to be told in between.
    """

    form: ClassVar[str] = "pass^K >= VALUE [under CONDITION]"

    metric: str
    value: float
    condition: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not _METRIC.fullmatch(self.metric):
            raise UsageError(f"at_least judges pass^K and pass@K, such as pass^5, and not {self.metric!r}")
        if isinstance(self.value, bool) or not 0 < self.value < 1:
            why = "the value is above 0 and below 1 (no count of trials can show a 1)"
            raise UsageError(f"{self.metric} >= {self.value!r}: {why}")

    def __str__(self) -> str:
        under = "" if self.condition is None else f" under {self.condition}"
        return f"{self.metric} >= {self.value!r}{under}"

    @classmethod
    def read(cls, claim: Claim) -> AtLeast | None:
        if claim.sign != ">=" or not _METRIC.fullmatch(claim.name):
            return None
        return cls(claim.name, claim.number, condition=claim.condition)

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.metric,)

    @property
    def k(self) -> int:
        """The k of the metric."""
        return int(self.metric[len("pass^") :])

    def problems(self, trials: int, conditions: tuple[str, ...]) -> Sequence[str]:
        found = []
        if self.k > trials:
            found.append(f"{self}: {self.metric} needs {self.k} trials of each task, and {trials} are planned")
        if self.condition is not None and condition_among(self.condition, conditions) is None:
            found.append(f"{self}: there is no condition {self.condition!r}{nearest(self.condition, conditions)}")
        return found

    def judge(self, summary: Summary) -> Sequence[Finding]:
        one = None if self.condition is None else condition_among(self.condition, summary.header.conditions)
        asked = summary.header.conditions if one is None else (one,)
        return [self._finding(summary, condition) for condition in asked]

    def _finding(self, summary: Summary, condition: str) -> Finding:
        row = summary.suite_row(condition)
        estimate = row.get(self.metric, Speaks.THESE_TASKS) if row else None
        if estimate is None:
            reason = f"{self.metric} under {condition} was not measured: measure with k={self.k}"
            return Finding(rule=str(self), ok=None, reason=reason, condition=condition)
        if estimate.value is None:
            reason = f"{self.metric} under {condition} is not known: {estimate.reason}"
            return Finding(rule=str(self), ok=None, reason=reason, condition=condition)
        return on_bounds(
            self.value,
            share=estimate.value,
            size=estimate.blocks,
            rule=str(self),
            metric=self.metric,
            condition=condition,
            trials=counted(estimate.n, "trial"),
        )
