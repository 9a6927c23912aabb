"""The rule about the trials themselves: where there are signs that they depend on each other, no verdict stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.model.independence import DRIFT, IDENTICAL, signs
from passhat.model.summary import Summary
from passhat.model.verdict import Finding
from passhat.rules.base import Claim, Rule


@dataclass(frozen=True, slots=True)
class RequireIndependent(Rule):
    """No task has identical trials alone, and outcomes do not drift over the run; else the evidence is broken.

    An agent that leaves nothing to chance repeats itself, too. It needs no more than one trial of each task under a
    condition, and this rule is not for it.
    """

    form: ClassVar[str] = "independent"

    @property
    def needs(self) -> tuple[str, ...]:
        return IDENTICAL, DRIFT

    def __str__(self) -> str:
        return self.form

    @classmethod
    def read(cls, claim: Claim) -> RequireIndependent | None:
        if (claim.name, claim.sign, claim.condition) != (cls.form, "", None):
            return None
        return cls()

    def judge(self, summary: Summary) -> Sequence[Finding]:
        found = [
            self._open(f"under {sign.condition} {sign.told}", sign.condition, broken=True)
            for sign in signs(summary.tally, summary.rows)
        ]
        found += [
            self._open(f"{metric} under {condition} {why}", condition)
            for condition in summary.header.conditions
            for metric in self.needs
            if (why := _unknown(summary, condition, metric))
        ]
        if found:
            return found
        reason = "no task has identical trials alone, and under no condition do outcomes rise or fall over the run"
        return (Finding(rule=str(self), ok=True, reason=reason),)

    def _open(self, reason: str, condition: str, *, broken: bool = False) -> Finding:
        return Finding(rule=str(self), ok=None, reason=reason, condition=condition, broken_evidence=broken)


def _unknown(summary: Summary, condition: str, metric: str) -> str:
    """Why nobody knows the number; empty where it is known."""
    row = summary.suite_row(condition)
    estimate = row.get(metric) if row else None
    if estimate is None:
        return f"was not measured: ask for {metric!r}"
    return f"is not known: {estimate.reason}" if estimate.value is None else ""
