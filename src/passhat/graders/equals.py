"""The strictest grader: the answer is what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from passhat.graders.base import SHOWN, Grader
from passhat.model.base import Json
from passhat.model.plain import described
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Equals(Grader):
    """Pass where the output equals the task's `expect`. Text is compared without white space at its ends."""

    blocking = False

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """A task must expect something: without it every agent would be wrong."""
        if expect is not None:
            return ()
        return (f"task {task_id!r}: equals() compares with 'expect', and the task has none",)

    def grade(self, evidence: Evidence) -> Grade:
        """Compare the two values."""
        output, expect = evidence.output, evidence.expect
        raised = ""
        try:
            if _equal(output, expect):
                return _EQUAL
        except Exception as error:  # noqa: BLE001 - a fence: an answer that cannot be compared is not what was expected
            raised = f", which raises {type(error).__name__} when it is compared"
        reason = f"expected {described(expect, SHOWN)}, got {described(output, SHOWN)}{raised}"
        return Grade("equals", passed=False, reason=reason)


def _equal(output: Any, expect: Any) -> bool:  # noqa: ANN401 - an agent returns what it likes
    if isinstance(output, str) and isinstance(expect, str):
        return output.strip() == expect.strip()
    if type(output) is not type(expect) and (isinstance(output, bool) or isinstance(expect, bool)):
        return False
    return bool(output == expect)


_EQUAL = Grade("equals", passed=True)
