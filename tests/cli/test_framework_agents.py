"""A framework's agent is named on the command line like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.said import Passhat

CLERKS = """
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from passhat import Suite, Task, graders

clerk = Agent(TestModel(custom_output_text="refunded 7"), name="the clerk")


@clerk.tool_plain
def refund(order: int) -> str:
    return f"refunded {order}"


suite = Suite(tasks=[Task("a", "Refund order 7", expect="refunded 7")], grader=graders.contains())
"""


@pytest.fixture(autouse=True)
def clerks(folder: Path) -> None:
    """A file with an agent of a framework."""
    (folder / "clerks.py").write_text(CLERKS)


def test_agent_is_named_in_its_file(passhat: Passhat) -> None:
    """`--agent file.py:NAME` takes the object as it is, under faults, too."""
    said = passhat("run", "clerks.py", "--agent", "clerks.py:clerk", "-n", "3", "--under", "rate_limit")

    assert said.code == 0, said
    assert "the clerk" in said.out


def test_agent_is_suggested(passhat: Passhat) -> None:
    """A name that is mistyped leads to the agent, though nobody can call it."""
    said = passhat("run", "clerks.py", "--agent", "clerks.py:clark", "-n", "3")

    assert said.refused("clerks.py has no 'clark': did you mean clerk?")
