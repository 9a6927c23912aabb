"""`passhat init`: the example that it writes runs as it says, ends in a verdict, and takes no file's place."""

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.said import Passhat, Said


def followed(passhat: Passhat, monkeypatch: pytest.MonkeyPatch, *words: str) -> Said:
    """What comes of `passhat init` with these words, and of all that it says to type next."""
    said = passhat("init", *words, "--json")
    assert (said.code, said.err) == (0, "")
    *before, last = (shlex.split(line) for line in json.loads(said.out)["next"])
    for program, place in before:
        assert program == "cd"
        monkeypatch.chdir(place)
    assert last[0] == "passhat"
    return passhat(*last[1:], "-q")


def test_python_example_ends_in_a_verdict(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be typed after `passhat init FOLDER` runs, and finds the agent's weakness."""
    said = followed(passhat, monkeypatch, "a folder/try")

    assert said.code == 1
    assert said.out.splitlines()[0] == "FAIL"
    assert "under rate_limit(rate=0.3)" in said.out


def test_command_example_ends_in_a_verdict(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be typed after `passhat init --command FOLDER` runs without Python, and finds the weakness."""
    said = followed(passhat, monkeypatch, "--command", "try")

    assert said.code == 1
    assert said.out.splitlines()[0] == "FAIL"
    assert "under typos(0.1)" in said.out


def test_command_example_can_be_mended(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the agent's file says would help, the same line ends with PASS."""
    assert passhat("init", "--command", "try").code == 0
    monkeypatch.chdir("try")
    agent = Path("agent.sh")
    agent.write_text(agent.read_text().replace("*capital*", "*"))

    said = passhat("run", "-q")

    assert (said.code, said.out) == (0, "PASS\n")


def test_python_example_can_be_mended(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the agent's file says would help, the same line ends with PASS."""
    line = json.loads(passhat("init", "try", "--json").out)["next"][-1]
    monkeypatch.chdir("try")
    agent = Path("agent.py")
    agent.write_text(agent.read_text().replace("TRIES = 2", "TRIES = 9"))

    said = passhat(*shlex.split(line)[1:], "-q")

    assert (said.code, said.out) == (0, "PASS\n")


def test_init_says_what_to_type(passhat: Passhat) -> None:
    """The screen names each file and each line to type; in the current folder there is no other to go to."""
    said = passhat("init", "try")

    assert said.code == 0
    assert said.out.startswith("wrote try/agent.py\nwrote try/suite.py\n\nnow type:\n  cd try\n  passhat run ")
    assert passhat("init", "-q", "other").out == "other/agent.py\nother/suite.py\n"


def test_init_writes_over_nothing(folder: Path, passhat: Passhat) -> None:
    """A file that is there stays as it is, and none is written beside it."""
    before = (folder / "suite.py").read_text()

    assert passhat("init").refused("init: suite.py is there already")
    assert (folder / "suite.py").read_text() == before
    assert not (folder / "agent.py").exists()


def test_init_where_nothing_can_be_written(folder: Path, passhat: Passhat) -> None:
    """A folder that is a file is one clear sentence."""
    assert passhat("init", "suite.py/below").refused("cannot be written")
