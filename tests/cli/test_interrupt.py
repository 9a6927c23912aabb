"""Ctrl-C while a run is under way: what has ended is stored, and the command says how to go on."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.children import LIMIT, hearing

FILE = """
import os
import signal
from pathlib import Path

from passhat import Suite, Task, graders

suite = Suite(tasks=[Task(f"t{i}", "say hello", expect="hello") for i in range(3)], grader=graders.contains())


def agent(message, tools):
    if not Path("stopped").exists():
        Path("stopped").write_text("once")
        os.kill(os.getpid(), signal.SIGINT)
    return "hello"
"""


def passhat(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line in *folder*."""
    command = hearing("-m", "passhat", *words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.mark.parametrize("resume", [(), ("--resume",), ("--resume=",)])
def test_interrupted_run_says_how_to_go_on(resume: tuple[str, ...], tmp_path: Path) -> None:
    """Exit 130, the trials that are stored, and the command that runs the rest, whose --resume is the new one."""
    (tmp_path / "own.py").write_text(FILE)
    words = ["run", "own.py", "--agent", "own.py", "-n", "400", "--concurrency", "1"]
    done = passhat(tmp_path, *words)
    if resume:
        (tmp_path / "stopped").unlink()
        latest = ("--resume", "latest") if resume == ("--resume",) else ("--resume=latest",)
        done = passhat(tmp_path, *words, *latest)

    assert done.returncode == 130, done.stderr
    assert re.search(r"run \w+ was stopped: [\d,]+ of 1,200 trials are stored", done.stderr)
    (again,) = re.findall(r"go on with: passhat (.+)", done.stderr)
    assert again.split()[:-1] == [*words, "--resume"]
    assert passhat(tmp_path, *again.split()).returncode == 0


def test_interrupt_while_loading_is_like_any_other(tmp_path: Path) -> None:
    """Ctrl-C before the command line is loaded shows no traceback, and ends with the same code."""
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")

    done = passhat(tmp_path, "--help")

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "passhat: stopped\n")
