"""The writer: what is reported as stored is safe, whatever happens next."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from passhat.engine.execute import Control
from passhat.engine.settings import Progress, Settings
from passhat.engine.thread import in_thread
from passhat.errors import StoreFailed
from passhat.model.protocols import TrialRow
from passhat.stores import SqliteStore
from tests.children import limited
from tests.engine.drive import execute, plan_of, suite_of

ROOT = Path(__file__).parents[2]

ENDLESS = """
import sys
from pathlib import Path
from passhat.engine.execute import Control
from passhat.engine.settings import Settings
from passhat.engine.thread import in_thread
from passhat.stores import SqliteStore
from tests.engine.drive import execute, plan_of, suite_of

async def agent(message, *, seed):
    if seed % 5 == 0:
        raise ValueError(seed)
    return "x" * (seed % 300)

def told(progress):
    print(progress.stored, flush=True)

suite = suite_of(tasks=3)
settings = Settings(trials=10**7, concurrency=8, progress=told)
plan = plan_of(suite, settings)
store = SqliteStore(Path(sys.argv[1]))
store.create(plan.header)
in_thread(lambda: execute(plan, suite, agent, settings, store=store), Control())
"""


@pytest.mark.parametrize("seed", range(3))
def test_reported_trials_survive_kill_9(seed: int, tmp_path: Path) -> None:
    """A process that is killed at any moment leaves at least what it had reported, and a tally that agrees."""
    path = tmp_path / "runs.db"
    lines = random.Random(seed).randint(1, 6)  # noqa: S311 - no secret
    reported = 0
    command = [sys.executable, "-c", ENDLESS, str(path)]
    with limited(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)) as child:
        assert child.stdout is not None
        for _ in range(lines):
            reported = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        for line in child.stdout:
            reported = int(line)

    store = SqliteStore(path, create=False)
    run = store.open()
    counts = run.trials.counts()
    stored = store.stored("run-1")
    read = sum(1 for _ in run.trials)
    store.close()

    assert reported > 0
    assert len(stored) == read >= reported
    columns = (counts.passed, counts.failed, counts.crashed, counts.timed_out, counts.void)
    assert sum(map(sum, columns)) == read


class Breaking(SqliteStore):
    """A store that fails at its third batch."""

    batches = 0
    error: Exception = OSError("the disk is full")

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep the first two batches."""
        self.batches += 1
        if self.batches > 2:
            raise self.error
        super().append(run_id, rows)


@pytest.mark.parametrize(
    "error", [OSError("the disk is full"), sqlite3.OperationalError("disk I/O error"), StoreFailed("the store is gone")]
)
def test_store_that_fails_ends_the_run(error: Exception, tmp_path: Path) -> None:
    """A store that fails in the middle is a `StoreFailed`; what was reported before is safe, and no more is claimed."""
    told: list[Progress] = []
    store = Breaking(tmp_path / "runs.db")
    store.error = error
    suite, settings = suite_of(), Settings(trials=10**6, concurrency=4, progress=told.append)
    plan = plan_of(suite, settings)
    store.create(plan.header)

    async def agent(message: str) -> str:
        return message

    with pytest.raises(StoreFailed, match=f"{error}; what run run-1 had stored is safe") as failed:
        in_thread(lambda: execute(plan, suite, agent, settings, store=store), Control())
    stored = len(store.stored("run-1"))
    store.close()

    assert [progress.stopping for progress in told] == [False, False]
    assert stored == told[-1].stored > 0
    assert failed.value.run_id == "run-1"


def test_run_that_is_lost_cannot_go_on(tmp_path: Path) -> None:
    """Where the run itself was deleted, nobody is told that it could go on."""
    store = Breaking(tmp_path / "runs.db")
    store.error = StoreFailed("the run was deleted", lost=True)
    suite, settings = suite_of(), Settings(trials=10**6, concurrency=4)
    plan = plan_of(suite, settings)
    store.create(plan.header)

    async def agent(message: str) -> str:
        return message

    with pytest.raises(StoreFailed, match=r"^the run was deleted$") as failed:
        in_thread(lambda: execute(plan, suite, agent, settings, store=store), Control())
    store.close()

    assert failed.value.run_id == ""


class Slow(SqliteStore):
    """A store that keeps its first batch waiting."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.free = threading.Event()

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Wait until it may."""
        self.free.wait()
        super().append(run_id, rows)


def test_slow_store_holds_the_trials_back(tmp_path: Path) -> None:
    """Where the store is behind, no more trials are begun than a few batches hold; then all are stored."""
    store = Slow(tmp_path / "runs.db")
    trials, begun, highest = 30_000, [0], []
    suite, settings = suite_of(), Settings(trials=trials, concurrency=8)
    plan = plan_of(suite, settings)
    store.create(plan.header)

    async def agent(message: str) -> str:
        begun[0] += 1
        return message

    async def watch() -> None:
        before = -1
        while before != begun[0]:  # until no trial has begun for many turns of the loop
            before = begun[0]
            for _ in range(2_000):
                await asyncio.sleep(0)
        highest.append(before)
        store.free.set()

    async def both() -> Progress:
        watching = asyncio.ensure_future(watch())
        progress = await execute(plan, suite, agent, settings, store=store)
        await watching
        return progress

    progress = in_thread(both, Control())
    store.close()

    assert 0 < highest[0] <= 4 * 2_000 + 8
    assert progress.stored == trials


def test_secrets_never_reach_the_file(tmp_path: Path) -> None:
    """A secret in an answer, a trace, a state, an error or a print is nowhere in the bytes of the store."""
    secret, key = 'p@ss "word"\\7', "sk-" + "a1b2c3d4" * 4

    class Vault:
        def __init__(self) -> None:
            self.tools = {"read": lambda name: {"secret": secret, "text": f"{name}: \n{key}"}}

        def snapshot(self) -> dict[str, str]:
            return {"kept": secret, "url": "postgres://bob:hunter22@db/x"}

    async def agent(message: str, tools: object) -> object:
        reply = await tools.read(name=secret)  # type: ignore[attr-defined]
        if "order 1 " in message:
            raise ValueError(f"could not use {secret} and {key}")
        return [reply, f"\n{key}\t{key}", {"nested": f'{{"password": "{secret}"}}'}]

    path = tmp_path / "runs.db"
    store = SqliteStore(path)
    suite, settings = suite_of(Vault, tasks=2), Settings(trials=2)
    plan = plan_of(suite, settings)
    store.create(plan.header)
    in_thread(lambda: execute(plan, suite, agent, settings, store=store, secrets=[secret]), Control())

    everything = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    trials = list(store.open().trials)
    store.close()

    assert {trial.outcome.letter for trial in trials} == {"P", "E"}
    assert b"[redacted]" in everything
    assert key.encode() not in everything
    assert b"hunter22" not in everything
    assert b"p@ss" not in everything
