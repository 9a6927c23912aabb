"""The invariant that nothing is done twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from msgspec.structs import replace

from passhat.graders.base import Grader, names_problems, refuse, tool_problems
from passhat.model.ledger import Declared, as_run, effects_of, entries_of
from passhat.model.plain import clipped
from passhat.model.trial import Evidence, Grade, ToolCall


@dataclass(frozen=True, slots=True)
class AtMostOnce(Grader):
    """Pass where upstream did no call of *tool* twice. Calls are one where their arguments are, or those named in *by*.

    *tool* may be a pattern such as `refund*`. Calls that carry the same value in one of *keys* are done once.
    """

    tool: str
    by: Sequence[str] = field(default=(), kw_only=True)
    keys: Sequence[str] = field(default=("idempotency_key",), kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what is no tool's name, and texts where names are listed."""
        refuse(
            *tool_problems("at_most_once", self.tool),
            *names_problems("at_most_once", by=self.by, keys=self.keys),
        )

    @property
    def names_tools(self) -> Sequence[str]:
        """The tools that are looked at."""
        return (self.tool,)

    def grade(self, evidence: Evidence) -> Grade:
        """Count what was done."""
        calls = [self._trimmed(call) for call in as_run(evidence.trace) if fnmatchcase(call.tool, self.tool)]
        counted = effects_of(entries_of(calls, evidence.faults, declared=Declared(keys=tuple(self.keys))))
        twice = [
            f"{clipped(operation, 200)} was done {times} times" for operation, times in counted.items() if times > 1
        ]
        return Grade("at_most_once", passed=not twice, reason="; ".join(twice))

    def _trimmed(self, call: ToolCall) -> ToolCall:
        """The call with the arguments that tell it from others; whoever asks for it here means it as a write."""
        told = {name: value for name, value in call.arguments.items() if not self.by or name in {*self.by, *self.keys}}
        return replace(call, arguments=told, write=True)
