"""What rules about faults have in common: each holds one share against a line, under every condition with a fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from passhat.model.grammar import plans_a_fault
from passhat.model.parts import nearest
from passhat.model.summary import Estimate, Summary
from passhat.model.verdict import Finding
from passhat.rules.base import Rule, condition_among


@dataclass(frozen=True, slots=True)
class Faulted(Rule):
    """A rule about the share called `metric`, under each condition that plans a fault, or under one.

    A run without such a condition shows nothing of faults, and so the rule is open there.
    """

    metric: ClassVar[str] = ""

    condition: str | None = field(default=None, kw_only=True)

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.metric,)

    @property
    def under(self) -> str:
        """The end of the rule's text."""
        return "" if self.condition is None else f" under {self.condition}"

    def problems(self, trials: int, conditions: tuple[str, ...]) -> Sequence[str]:
        del trials
        if self.condition is not None and condition_among(self.condition, conditions) is None:
            return [f"{self}: there is no condition {self.condition!r}{nearest(self.condition, conditions)}"]
        return []

    def judge(self, summary: Summary) -> Sequence[Finding]:
        one = None if self.condition is None else condition_among(self.condition, summary.header.conditions)
        asked = _faulty(summary) if one is None else (one,)
        if asked:
            return [self._finding(summary, condition) for condition in asked]
        reason = f"{self.metric} is not known: no condition of this run plans a fault"
        return [Finding(rule=str(self), ok=None, reason=reason)]

    def held_against(self, estimate: Estimate, condition: str) -> Finding:
        """What the rule finds where the share is known: `c` of `n` trials."""
        raise TypeError(f"{type(self).__name__} holds no share against a line: it overrides held_against")

    def _finding(self, summary: Summary, condition: str) -> Finding:
        row = summary.suite_row(condition)
        estimate = row.get(self.metric) if row else None
        if estimate is not None and estimate.value is not None:
            return self.held_against(estimate, condition)
        why = f"is not known: {estimate.reason}" if estimate else f"was not measured: ask for {self.metric!r}"
        return Finding(rule=str(self), ok=None, reason=f"{self.metric} under {condition} {why}", condition=condition)


def _faulty(summary: Summary) -> tuple[str, ...]:
    """The conditions that plan a fault, or under which one fired all the same."""
    tally = summary.tally
    fired = {
        condition
        for position, condition in enumerate(tally.conditions)
        if any(tally.exposed[cell] for cell in tally.of(position))
    }
    return tuple(one for one in summary.header.conditions if one in fired or plans_a_fault(one))
