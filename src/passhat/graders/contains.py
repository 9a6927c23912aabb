"""The everyday grader: the answer mentions what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passhat.graders.base import SHOWN, Grader
from passhat.model.base import Json
from passhat.model.plain import described
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Contains(Grader):
    """Pass where the output, a text, contains the task's `expect`: upper and lower case are one unless `case=True`."""

    case: bool = False
    blocking = False

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """A task must expect a text, and not the empty one, which every answer contains."""
        if isinstance(expect, str) and expect.strip():
            return ()
        return (f"task {task_id!r}: contains() looks for the text in 'expect', which is {expect!r:.100}",)

    def grade(self, evidence: Evidence) -> Grade:
        """Look for the expected text."""
        output, expect = evidence.output, str(evidence.expect)
        if not isinstance(output, str):
            return Grade("contains", passed=False, reason=f"the output is not a text but a {type(output).__name__}")
        found = expect in output if self.case else expect.casefold() in output.casefold()
        reason = "" if found else f"{described(expect, SHOWN)} is not in {described(output, SHOWN)}"
        return Grade("contains", passed=found, reason=reason)
