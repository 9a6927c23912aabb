"""`--time virtual`: the waiting is skipped, what is shown says so, and who cannot have it is told with all else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.said import Passhat

SLEEPY = """
import asyncio

from passhat import Suite, Task, graders

suite = Suite(name="letters", tasks=[Task("a", "say a", expect="a")], grader=graders.contains())


async def agent(message):
    await asyncio.sleep(3600)
    return message


async def quick(message):
    return message


def blocking(message):
    return message
"""


@pytest.fixture(autouse=True)
def sleepy(folder: Path) -> None:
    """A suite, and agents of all kinds."""
    (folder / "sleepy.py").write_text(SLEEPY)


def test_hours_are_skipped_and_shown_as_virtual(passhat: Passhat) -> None:
    """Trials of an hour each are made at once, and `show` says beside the hour that it was virtual."""
    words = ("run", "sleepy.py", "--agent", "sleepy.py", "-n", "3", "--timeout", "9000", "--time", "virtual")
    made = passhat(*words)
    shown = passhat("show", "a")

    assert made.code == 0, made.err
    assert "of virtual time" in shown.out


def test_real_seconds_are_just_seconds(passhat: Passhat) -> None:
    """Where time was real nothing is said of it."""
    passhat("run", "sleepy.py", "--agent", "sleepy.py:quick", "-n", "3")

    assert "virtual" not in passhat("show", "a").out


def test_agent_that_blocks_is_refused_with_all_else(passhat: Passhat) -> None:
    """The agent's problem stands among the others."""
    words = ("run", "sleepy.py", "--agent", "sleepy.py:blocking", "-n", "0", "--time", "virtual")

    assert passhat(*words).refused("trials:", "blocks its thread")


def test_agent_that_is_not_there_is_not_called_blocking(passhat: Passhat) -> None:
    """Of an agent that could not be loaded nothing more is said."""
    assert passhat("run", "sleepy.py", "-n", "0", "--time", "virtual").refused("trials:", "agent: there is none")
