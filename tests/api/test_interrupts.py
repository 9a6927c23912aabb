"""Ctrl-C once lets the running trials end, twice drops them; what had ended is stored either way."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import passhat
from tests.children import LIMIT, deaf, hearing, limited

ROOT = Path(__file__).parents[2]

PROGRAM = """
import asyncio, sys, threading
import passhat
from passhat.errors import Interrupted
from tests.api.shop import suite

begun = 0
lock = threading.Lock()

def count():
    global begun
    with lock:
        begun += 1
        if begun == 8:
            print("busy", flush=True)
        return begun

async def awaiting(message):
    if count() > 4:
        while not done.is_set():
            await asyncio.sleep(0.01)
    return message

def blocking(message):
    if count() > 4:
        done.wait()
    return message

done = threading.Event()
agent = {"awaiting": awaiting, "blocking": blocking}[sys.argv[2]]

def release():
    for line in sys.stdin:
        done.set()

def say(progress):
    global said
    if progress.stopping and not said:
        said = True
        print("stopping", flush=True)

said = False
threading.Thread(target=release, daemon=True).start()
try:
    passhat.run(suite(), agent, trials=1000, concurrency=4, store=sys.argv[1], timeout=600, progress=say)
except Interrupted as error:
    print(error.run_id, error.stored, error.planned, flush=True)
"""


def _begin(path: Path, agent: str, *, command: Callable[..., list[str]] = hearing) -> subprocess.Popen[str]:
    """A program that has four trials stored and four that wait."""
    child = limited(
        subprocess.Popen(
            command("-c", PROGRAM, str(path), agent),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "busy\n"
    return child


def _interrupt(child: subprocess.Popen[str]) -> None:
    """One Ctrl-C, and the program has taken note of it."""
    child.send_signal(signal.SIGINT)
    assert child.stdout is not None
    assert child.stdout.readline() == "stopping\n"


@pytest.mark.parametrize("agent", ["awaiting", "blocking"])
def test_first_interrupt_drains(agent: str, tmp_path: Path) -> None:
    """After one Ctrl-C the running trials end and are stored, no other begins, and `Interrupted` says how many."""
    with _begin(tmp_path / "runs.db", agent) as child:
        _interrupt(child)
        said, errors = child.communicate("go on\n", timeout=LIMIT)

    run = passhat.open_store(tmp_path / "runs.db").open()
    run_id, stored, planned = said.split()
    assert (run_id, planned, errors, child.returncode) == (run.header.id, "2000", "", 0)
    assert sum(run.trials.counts().passed) == int(stored) == 8


@pytest.mark.parametrize("agent", ["awaiting", "blocking"])
def test_second_interrupt_drops_what_runs(agent: str, tmp_path: Path) -> None:
    """After two the running trials are dropped, and what had ended before is stored."""
    with _begin(tmp_path / "runs.db", agent) as child:
        _interrupt(child)
        child.send_signal(signal.SIGINT)
        said, errors = child.communicate(timeout=LIMIT)

    run = passhat.open_store(tmp_path / "runs.db").open()
    assert sum(run.trials.counts().passed) == 4
    assert (said.split()[1:], errors, child.returncode) == (["4", "2000"], "", 0)


def test_ignored_interrupt_stays_ignored(tmp_path: Path) -> None:
    """Where SIGINT was ignored from the start, as in a script's background, it stays so: every trial is made."""
    with _begin(tmp_path / "runs.db", "blocking", command=deaf) as child:
        child.send_signal(signal.SIGINT)
        child.send_signal(signal.SIGINT)
        said, errors = child.communicate("go on\n", timeout=LIMIT)

    run = passhat.open_store(tmp_path / "runs.db").open()
    assert (said, errors, child.returncode) == ("", "", 0)
    assert sum(run.trials.counts().passed) == 2000
