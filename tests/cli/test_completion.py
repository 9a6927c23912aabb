"""Completion in a shell: click's own machinery is asked what it would offer, as a shell asks it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from passhat.cli import COMMANDS
from passhat.cli import passhat as group
from tests.children import LIMIT
from tests.cli.said import Passhat


@pytest.fixture
def run_id(passhat: Passhat) -> str:
    """The id of a run that is stored."""
    assert passhat("run", "suite.py", "--agent", "suite.py:agent", "-n", "1", "-q").code == 0
    return passhat("runs", "-q").out.strip()


def offered(*words: str) -> list[str]:
    """What is offered for the last of *words*, which is not yet typed to its end."""
    completing = ShellComplete(group, {}, "passhat", "_PASSHAT_COMPLETE")
    return [item.value for item in completing.get_completions(list(words[:-1]), words[-1])]


def test_commands_are_offered(folder: Path) -> None:
    """Every command is, and of those that begin alike the ones that fit."""
    assert offered("") == list(COMMANDS)
    assert offered("re") == ["report", "replay"]


def test_options_are_offered(folder: Path) -> None:
    """A command's options are, and the texts that one takes."""
    assert "--under" in offered("run", "--u")
    assert offered("run", "--time", "v") == ["virtual"]


@pytest.mark.parametrize("command", ["report", "export", "states", "rm", "replay", "minimize", "compare"])
def test_runs_are_offered(command: str, run_id: str) -> None:
    """Where a run is to be named its id is offered, and the word for the newest."""
    assert offered(command, "") == [run_id, "latest"]
    assert offered(command, run_id[:3]) == [run_id]


def test_runs_are_those_of_the_store(passhat: Passhat) -> None:
    """Another store's runs are offered where it is named."""
    other = ("--store", "other.db", "-q")
    assert passhat("run", "suite.py", "--agent", "suite.py:agent", "-n", "1", *other).code == 0
    run_id = passhat("runs", *other).out.strip()

    assert offered("report", "") == []
    assert offered("report", "--store", "other.db", "") == [run_id, "latest"]


def test_tasks_are_offered(run_id: str) -> None:
    """Behind a run its tasks are, and without one those of the latest."""
    assert offered("replay", run_id, "") == ["a", "b"]
    assert offered("show", "") == ["a", "b", run_id, "latest"]
    assert offered("show", run_id, "") == ["a", "b"]
    assert offered("diff", "latest", "b") == ["b"]
    assert offered("show", run_id, "a", "") == []


@pytest.mark.parametrize("store", ["suite.py", "none.db", "postgresql://me@127.0.0.1:9/x"])
def test_nothing_is_offered_where_nothing_can_be_read(store: str, folder: Path) -> None:
    """A store that is none, or a server, is met with silence."""
    assert offered("report", "--store", store, "") == []
    assert offered("show", "--store", store, "") == []


def test_shell_offers_files(folder: Path) -> None:
    """Where a file is meant, the shell looks for it."""
    found = ShellComplete(group, {}, "passhat", "_PASSHAT_COMPLETE").get_completions(["run"], "su")

    assert [(item.value, item.type) for item in found] == [("su", "file")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_for_a_shell(shell: str, folder: Path) -> None:
    """The documented line gets a script from the program itself."""
    environment = os.environ | {"_PASSHAT_COMPLETE": f"{shell}_source"}

    done = subprocess.run(
        [sys.executable, "-m", "passhat"], env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )

    assert done.returncode == 0
    assert f"_PASSHAT_COMPLETE={shell}_complete" in done.stdout


def test_completing_a_command_loads_nothing_heavy(folder: Path) -> None:
    """Whoever presses a key waits for click alone."""
    code = (
        "import sys; from click.shell_completion import ShellComplete; from passhat.cli import passhat as group; "
        "ShellComplete(group, {}, 'passhat', '_').get_completions([], 're'); "
        "print(sorted({'numpy', 'scipy', 'rich', 'msgspec'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)

    assert done.stdout == "[]\n"
