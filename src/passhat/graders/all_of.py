"""Several graders as one: an end state, and the invariants that hold on the way there."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from passhat.graders.base import Grader, refuse
from passhat.model import protocols
from passhat.model.base import Json
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class AllOf(Grader):
    """Pass where every one of *graders* passes. The score is the share of them that do."""

    graders: Sequence[protocols.Grader]

    def __post_init__(self) -> None:
        """Refuse what is no list of graders."""
        listed = isinstance(self.graders, list | tuple) and len(self.graders) > 0
        refuse(*([] if listed else [f"all_of: graders is a list of graders, not {self.graders!r:.80}"]))

    @property
    def identity(self) -> str:
        """The identities of all."""
        return f"all_of({', '.join(grader.identity for grader in self.graders)})"

    @property
    def names_tools(self) -> Sequence[str]:
        """The tools that any of them looks at."""
        return tuple(tool for grader in self.graders for tool in getattr(grader, "names_tools", ()))

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """What any of them finds wrong with the task."""
        return [problem for grader in self.graders for problem in grader.problems(task_id, expect)]

    async def grade(self, evidence: Evidence) -> Grade:
        """Ask each, one after the other."""
        grades = []
        for grader in self.graders:
            said = grader.grade(evidence)
            grades.append(await said if inspect.isawaitable(said) else said)
        failed = [f"{grade.grader}: {grade.reason}".rstrip(": ") for grade in grades if not grade.passed]
        share = 1 - len(failed) / len(grades)
        return Grade("all_of", passed=not failed, score=share, reason="; ".join(failed))
