"""A SQLite store in trouble, a full disk and a lock that nobody gives back: one sentence, and nothing lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import passhat
from passhat import Suite, Task, graders
from passhat.errors import StoreFailed, StoreUnusable, UsageError
from passhat.stores import SqliteStore
from passhat.stores._sqlite_file import connect, why
from tests.stores.shelves import header, row

SUITE = Suite(name="tiny", tasks=[Task("greet", "Say hello.", expect="hello")], grader=graders.contains())
ROOM = 10**6


def agent(_message: str) -> str:
    """An answer that takes room."""
    return f"hello {'x' * 2_000}"


def room(store: SqliteStore, pages: int) -> None:
    """Let the file grow to so many pages and no further: SQLite says the same then as of a full disk."""
    store._db.execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001 - the setting is a connection's own


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else is in the middle of writing, and does not end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def impatient(store: SqliteStore) -> SqliteStore:
    """The store, which waits for a lock no longer than it has to."""
    store._db.execute("PRAGMA busy_timeout = 1")  # noqa: SLF001 - 30 seconds otherwise
    return store


def test_full_disk_keeps_what_there_was(tmp_path: Path) -> None:
    """A batch for which there is no room is refused whole; once there is room it is stored."""
    batch = [row(cell, index, text="x" * 2_000) for cell in range(6) for index in range(1, 10)]
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        store.create(header())
        store.append("run-1", [row(0, 0)])
        room(store, 20)
        with pytest.raises(StoreFailed, match=r"runs\.db failed: its disk is full: make room, and go on"):
            store.append("run-1", batch)
        before = store.stored("run-1"), store.open().trials.counts().passed[0]
        room(store, ROOM)
        store.append("run-1", batch)

        assert before == ([(0, 0)], 1)
        assert len(store.stored("run-1")) == 55


def test_run_on_a_full_disk_goes_on_later(tmp_path: Path) -> None:
    """The run ends with the sentence and its id, and goes on where it was once there is room."""
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        room(store, 60)
        with pytest.raises(StoreFailed, match=r"its disk is full.*; what run \w+ had stored is safe") as caught:
            passhat.run(SUITE, agent, trials=200, store=store)
        stored = len(store.stored(caught.value.run_id))
        room(store, ROOM)
        run = passhat.run(SUITE, agent, trials=200, store=store, resume=caught.value.run_id)

        assert stored < 200
        assert run.trials.counts().passed == (200,)


def test_disk_that_is_full_at_the_start(tmp_path: Path) -> None:
    """A file for which there is no room at all is the same sentence."""
    assert why(OSError(28, "No space left on device")) == "its disk is full: make room, and go on"
    with closing(connect(tmp_path / "runs.db", create=True, write=True)) as db:
        db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError) as caught:
            db.execute("CREATE TABLE run (id)")

    assert why(caught.value) == "its disk is full: make room, and go on"


def test_store_that_is_locked_says_so(tmp_path: Path) -> None:
    """Whoever cannot write because another does not end gets one sentence; reading goes on, and nothing is lost."""
    with closing(impatient(SqliteStore(tmp_path / "runs.db"))) as store:
        store.create(header())
        store.append("run-1", [row(0, 0)])
        with locked(tmp_path / "runs.db"):
            writes: list[Callable[[], None]] = [
                lambda: store.append("run-1", [row(0, 1)]),
                lambda: store.create(header("run-2")),
                lambda: store.delete("run-1"),
            ]
            for write in writes:
                with pytest.raises(StoreFailed, match=r"somebody else keeps it locked, for 30 seconds now: let that"):
                    write()
            read = [trial.index for trial in store.open().trials]
        store.append("run-1", [row(0, 1)])

        assert read == [0]
        assert store.stored("run-1") == [(0, 0), (0, 1)]


def test_run_whose_store_is_locked_goes_on_later(tmp_path: Path) -> None:
    """A run ends with the sentence and its id, and goes on once the store is free."""
    path = tmp_path / "runs.db"
    with closing(impatient(SqliteStore(path))) as store:
        holder = closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        with holder as other:

            def locks(message: str) -> str:
                if not other.in_transaction:
                    other.execute("BEGIN IMMEDIATE")
                return agent(message)

            with pytest.raises(StoreFailed, match="keeps it locked") as caught:
                passhat.run(SUITE, locks, label="greeter", trials=20, store=store, concurrency=1)
        run = passhat.run(SUITE, agent, label="greeter", trials=20, store=store, resume=caught.value.run_id)

        assert run.trials.counts().passed == (20,)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("zzz", "there is no run 'zzz' in "),
        ("run-", "'run-' is the beginning of 2 runs in "),
        ("", "a run is named by its id, the beginning of it, or 'latest'"),
    ],
)
def test_run_that_is_not_meant_is_not_gone_on_with(asked: str, sentence: str, tmp_path: Path) -> None:
    """To go on with a run that is none, or may be two, is one sentence, and no trial is made."""
    asked_for: list[str] = []
    with closing(SqliteStore(tmp_path / "runs.db")) as store:
        store.create(header("run-1"))
        store.create(header("run-2"))

        with pytest.raises((UsageError, StoreUnusable), match=sentence):
            passhat.run(SUITE, asked_for.append, trials=3, store=store, resume=asked)

    assert asked_for == []
