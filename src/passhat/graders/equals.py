"""The strictest grader: the answer is what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passhat.graders.base import SHOWN, Grader
from passhat.model.base import Json
from passhat.model.plain import described
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Equals(Grader):
    """Pass where the output equals the task's `expect`. Text is compared without white space at its ends."""

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """A task must expect something: without it every agent would be wrong."""
        if expect is not None:
            return ()
        return (f"task {task_id!r}: equals() compares with 'expect', and the task has none",)

    def grade(self, evidence: Evidence) -> Grade:
        """Compare the two values."""
        output, expect = evidence.output, evidence.expect
        if isinstance(output, str) and isinstance(expect, str):
            output, expect = output.strip(), expect.strip()
        same = type(output) is type(expect) or (not isinstance(output, bool) and not isinstance(expect, bool))
        if same and output == expect:
            return _EQUAL
        reason = f"expected {described(expect, SHOWN)}, got {described(output, SHOWN)}"
        return Grade("equals", passed=False, reason=reason)


_EQUAL = Grade("equals", passed=True)
