"""The contract of a grader: it judges the evidence of one trial, and may be async where it asks a service.

A sync one is called on a thread, one trial after the other, so that it may wait; one that only computes says
`blocking = False`, and is spared the way there.

A grader says pass or fail. Where it cannot tell, it raises, and the trial is VOID: a grader's failure is never the
agent's. What it needs of a task it can check before anything runs (`problems`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from passhat.errors import UsageError
from passhat.model import callables
from passhat.model.base import Json
from passhat.model.parts import part_name, part_term
from passhat.model.trial import Evidence, Grade

SHOWN = 200  # so much of a value stands in a grade's reason


@dataclass(frozen=True, slots=True)
class Grader:
    """Judges one trial. Its identity names it and its parameters: runs with another grader are not compared."""

    @property
    def name(self) -> str:
        """The name of this kind of grader."""
        return part_name(type(self))

    @property
    def identity(self) -> str:
        """The grader as text."""
        return str(part_term(self))

    @property
    def names_tools(self) -> Sequence[str]:
        """The tools that it looks at, by name or pattern: a world that has none of them is refused."""
        return ()

    @property
    def blocking(self) -> bool:
        """True where `grade` may take its time: then it is called on a thread, False on the event loop."""
        return not callables.is_async(self.grade)

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """What is wrong with a task, as far as this grader needs it; one sentence a problem."""
        del task_id, expect
        return ()

    def grade(self, evidence: Evidence) -> Grade | Awaitable[Grade]:
        """The grade of one trial."""
        raise TypeError(f"{type(self).__name__} is a contract: a grader overrides grade")


def tool_problems(grader: str, *tools: object) -> list[str]:
    """What is wrong with the tools that a grader is told to look at."""
    return [
        f"{grader}: a tool is named by a text such as 'refund', or a pattern such as 'refund*', not {tool!r:.80}"
        for tool in tools
        if not isinstance(tool, str) or not tool.strip()
    ]


def names_problems(grader: str, **lists: object) -> list[str]:
    """What is wrong with lists of names: a text alone would be read letter by letter."""
    return [
        f"{grader}: {what} is a list of names, not {names!r:.80}"
        for what, names in lists.items()
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) and name for name in names)
    ]


def refuse(*problems: str) -> None:
    """Raise all of *problems*, if there are any."""
    if problems:
        raise UsageError(*problems)
