"""The invariant that a tool is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from passhat.graders.base import Grader, refuse, tool_problems
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Never(Grader):
    """Pass where no call of *tool* was made: trying to is enough to fail. It may be a pattern such as `delete_*`."""

    tool: str

    def __post_init__(self) -> None:
        """Refuse what is no tool's name."""
        refuse(*tool_problems("never", self.tool))

    @property
    def names_tools(self) -> Sequence[str]:
        """The tools that are looked at."""
        return (self.tool,)

    def grade(self, evidence: Evidence) -> Grade:
        """Look for a call."""
        steps = [f"step {call.step}: {call.tool}" for call in evidence.trace if fnmatchcase(call.tool, self.tool)]
        return Grade("never", passed=not steps, reason=f"it was called at {', '.join(steps[:5])}" if steps else "")
