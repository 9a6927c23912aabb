"""The command line where standard output or standard error was closed, as with `>&-`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from passhat.stores import SqliteStore
from tests.children import LIMIT
from tests.cli.said import Said

WRITES = """
import os
from passhat import Suite, Task, graders

suite = Suite(tasks=[Task("a", "a", expect="a")], grader=graders.equals())


def agent(message):
    for number in (1, 2):
        os.write(number, b"this is no database" * 1_000)
    return message
"""
RUN = "run writes.py --agent writes.py -n 3"


def shell(command: str) -> Said:
    """What becomes of `passhat COMMAND` in a shell."""
    line = f"{sys.executable} -m passhat {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=LIMIT)
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(autouse=True)
def writes(folder: Path) -> None:
    """An agent that writes to the numbers of standard output and standard error."""
    (folder / "writes.py").write_text(WRITES)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"])
def test_closed_streams_change_nothing(closed: str, folder: Path) -> None:
    """A run is made whole and ends with its own code, and what is written to the closed stream is in no file."""
    ran, shown = shell(f"{RUN} {closed}"), shell(f"runs -q {closed}")

    store = SqliteStore(folder / "passhat.db", create=False)
    trials = [trial.outcome for trial in store.open().trials]
    store.close()
    assert (ran.code, shown.code, trials) == (0, 0, ["PASS"] * 3)
    assert ("verdict  none" in ran.out) is (" >&-" not in f" {closed}")
    assert b"this is no database" not in (folder / "passhat.db").read_bytes()


def test_error_with_nowhere_to_go_keeps_its_code() -> None:
    """A wrong command line ends with 2 where nobody can be told."""
    assert shell("nonsense 2>&-") == Said(2, "", "")
