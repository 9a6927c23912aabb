"""The invariant of order: one thing is done before another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from passhat.graders.base import Grader, refuse, tool_problems
from passhat.model.ledger import as_run, entries_of
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Before(Grader):
    """Pass where upstream did no call of *then* before one of *first*: look before you pay.

    Both may be patterns. A call that upstream refused did nothing. A trial without *then* passes.
    """

    first: str
    then: str

    def __post_init__(self) -> None:
        """Refuse what is no tool's name."""
        refuse(*tool_problems("before", self.first, self.then))

    @property
    def names_tools(self) -> Sequence[str]:
        """The tools that are looked at."""
        return (self.first, self.then)

    def grade(self, evidence: Evidence) -> Grade:
        """Look for the first of either."""
        for entry in entries_of(as_run(evidence.trace), evidence.faults):
            if not entry.effects:
                continue
            if fnmatchcase(entry.tool, self.first):
                break
            if fnmatchcase(entry.tool, self.then):
                reason = f"step {entry.step}: {entry.tool} was done before any {self.first}"
                return Grade("before", passed=False, reason=reason)
        return Grade("before", passed=True)
