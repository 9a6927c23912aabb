"""The strictest grader: the answer is what was expected."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.graders.base import Grader
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Equals(Grader):
    """Pass where the output equals the task's `expect`. Text is compared without white space at its ends."""

    def grade(self, evidence: Evidence) -> Grade:
        """Compare the two values."""
        output, expect = evidence.output, evidence.expect
        if isinstance(output, str) and isinstance(expect, str):
            output, expect = output.strip(), expect.strip()
        same = type(output) is type(expect) or (not isinstance(output, bool) and not isinstance(expect, bool))
        if same and output == expect:
            return _EQUAL
        return Grade("equals", passed=False, reason=f"expected {expect!r:.200}, got {output!r:.200}")


_EQUAL = Grade("equals", passed=True)
