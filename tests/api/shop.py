"""A small suite and its agents, for the tests of the whole program."""

from __future__ import annotations

import asyncio
from typing import Any

from passhat import graders
from passhat.model.task import Suite, Task


def suite(tasks: int = 2, **changes: Any) -> Suite:  # noqa: ANN401 - the fields of a suite
    """A suite whose tasks expect what they ask."""
    asked = [Task(f"task-{number}", f"say {number}", expect=f"say {number}") for number in range(tasks)]
    return Suite(**{"tasks": asked, "grader": graders.equals(), "name": "shop", **changes})


async def echo(message: str) -> str:
    """An async agent that says what it was asked."""
    await asyncio.sleep(0)
    return message


def echo_blocking(message: str) -> str:
    """The same agent, blocking."""
    return message
