"""What the tests of the command line share: a folder with a small suite, and the command line to use there."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passhat.cli import call
from tests.cli.said import Passhat, Said

SUITE = """
from passhat import Suite, Task, graders

class World:
    def __init__(self):
        self.tools = {"say": lambda word: word}


suite = Suite(
    world=World,
    name="letters",
    tasks=[Task("a", "say a", expect="a"), Task("b", "say b", expect="b")],
    grader=graders.contains(),
)


def agent(message, tools):
    return message[-1]


def wrong(message):
    return "none"


def half(message):
    return "a"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a suite in it; what is imported from there is forgotten again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "suite.py").write_text(SUITE)
    path, known = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - known:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def passhat(folder: Path, capsys: pytest.CaptureFixture[str]) -> Passhat:
    """The command line, used in the folder; it gives the exit code and what was said."""

    def use(*words: str) -> Said:
        capsys.readouterr()
        code = call(words)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return use
