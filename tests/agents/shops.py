"""A small shop for agents outside of this process, and the tasks that they are given."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from passhat import Suite, Task
from passhat.errors import ToolError
from passhat.graders import predicate
from passhat.model.trial import Evidence


class Shop:
    """One order that can be refunded, and looked at."""

    reads = ("look",)

    def __init__(self) -> None:
        self.refunded: list[int] = []

    @property
    def tools(self) -> Mapping[str, Callable[..., Any]]:
        """What an agent may do here."""
        return {"refund": self.refund, "look": self.look, "fail": self.fail, "read": self.read}

    def refund(self, order: int, note: str = "") -> dict[str, Any]:
        """Give the money for an order back.

        It is not asked twice.
        """
        del note
        self.refunded.append(order)
        return {"refunded": order, "currency": "€"}

    def look(self) -> list[int]:
        """The orders that were refunded."""
        return self.refunded

    async def read(self, lines: int) -> AsyncIterator[str]:
        """The log, line by line."""
        for line in range(lines):
            yield f"{line};"

    def fail(self) -> None:
        """Say no."""
        raise ToolError("closed", "503 The shop is closed", retry_after=2)

    def snapshot(self) -> list[int]:
        """What was refunded."""
        return self.refunded


def anything(evidence: Evidence) -> bool:
    """Pass whatever was answered."""
    del evidence
    return True


def suite(*inputs: Any, world: type[Shop] | None = None) -> Suite:  # noqa: ANN401 - a task's input is any JSON
    """A suite with these inputs, one task each."""
    tasks = [Task(f"task-{place}", given) for place, given in enumerate(inputs or ("hello",))]
    return Suite(tasks=tasks, world=world, grader=predicate(anything))
