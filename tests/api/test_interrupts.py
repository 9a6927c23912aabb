"""Ctrl-C once lets the running trials end, twice drops them; what had ended is stored either way."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import passhat

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

threading.Thread(target=release, daemon=True).start()
try:
    passhat.run(suite(), agent, trials=1000, concurrency=4, store=sys.argv[1], timeout=600)
except Interrupted as error:
    print(error.run_id, error.stored, error.planned, flush=True)
"""


def _begin(path: Path, agent: str) -> subprocess.Popen[str]:
    """A program that has four trials stored and four that wait."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, path, agent],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "busy\n"
    return child


@pytest.mark.parametrize("agent", ["awaiting", "blocking"])
def test_first_interrupt_drains(agent: str, tmp_path: Path) -> None:
    """After one Ctrl-C the running trials end and are stored, no other begins, and `Interrupted` says how many."""
    with _begin(tmp_path / "runs.db", agent) as child:
        child.send_signal(signal.SIGINT)
        said, errors = child.communicate("go on\n", timeout=30)

    run = passhat.open_store(tmp_path / "runs.db", create=False).open()
    run_id, stored, planned = said.split()
    assert (run_id, planned, errors, child.returncode) == (run.header.id, "2000", "", 0)
    assert sum(run.trials.counts().passed) == int(stored) == 8


@pytest.mark.parametrize("agent", ["awaiting", "blocking"])
def test_second_interrupt_drops_what_runs(agent: str, tmp_path: Path) -> None:
    """After two the running trials are dropped at once, and what had ended before is stored."""
    with _begin(tmp_path / "runs.db", agent) as child:
        child.send_signal(signal.SIGINT)
        while child.poll() is None:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(0.2)
            except subprocess.TimeoutExpired:
                continue
        assert child.stdout is not None
        assert child.stderr is not None
        said, errors = child.stdout.read(), child.stderr.read()

    run = passhat.open_store(tmp_path / "runs.db", create=False).open()
    assert sum(run.trials.counts().passed) == 4
    assert "Traceback" not in errors or "KeyboardInterrupt" in errors
    assert said.split()[1:] in ([], ["4", "2000"])
