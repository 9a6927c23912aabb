"""The default store: one SQLite file, which only its owner may read, and which `sqlite3` opens.

Everything of a batch is one transaction in the write-ahead log, so what `append` returned from survives the death of
the process. The tables are described in `_sqlite_schema`.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from passhat.errors import StoreFailed, StoreUnusable, UsageError
from passhat.model.digest import digest
from passhat.model.outcome import Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Listing, Run
from passhat.model.task import Task
from passhat.stores._sqlite_file import check_ours, connect, is_damage, migrate, readable, upgrade, version, why
from passhat.stores._sqlite_reading import Reader, SqliteTrials, span
from passhat.stores._sqlite_schema import RUN_BITS
from passhat.stores.base import already_there, deleted_meanwhile, extended_already, pick, taken_already

_COLUMN = {outcome.value: position for position, outcome in enumerate(Outcome)}
_COUNT = (
    "UPDATE cell SET passed = passed + new.column1, failed = failed + new.column2, crashed = crashed + new.column3,"
    " timed_out = timed_out + new.column4, void = void + new.column5, exposed = exposed + new.column6"
    " FROM (VALUES {rows}) AS new WHERE id = new.column7"
)
# Python lets other threads in at each statement: with one statement a row, the writer and the event loop would spend
# more time handing over to each other than writing.
_ROWS = 1_000


class SqliteStore:
    """Runs and trials in one file. `create=False` is for reading: a file that isn't there is an error.

    With `write=True` a file that is there can be written too, and one that may not be is refused at once.
    """

    def __init__(self, path: str | Path, *, create: bool = True, write: bool = False) -> None:
        """Open the store at *path*, and make it where it may be made."""
        self._path = Path(path)
        self._writes = write or create
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, int, int]] = {}
        try:
            if not create and not self._path.exists():
                raise StoreUnusable(
                    f"there is no store at {path}: 'passhat run' makes one, '--store PATH' names another"
                )
            self._db = connect(self._path, create=create, write=self._writes)
            self._closing = weakref.finalize(self, self._db.close)
            check_ours(self._db, self._path, create=create)
            if create:
                migrate(self._db)
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:  # the last is a complaint of SQLite's, garbled
            if hasattr(self, "_closing"):
                self._closing()
            raise StoreUnusable(f"the store {path} cannot be opened: {why(error)}") from error

    def create(self, header: Header) -> None:
        """Begin a run."""
        width = len(header.conditions)
        with self._transaction():
            upgrade(self._db)  # a file that was made by an older passhat
            if self._db.execute("SELECT 1 FROM run WHERE name = ?", (header.id,)).fetchone():
                raise already_there(header.id, str(self._path))
            run, first = self._new_ids(len(header.tasks) * width)
            self._insert_run(run, header)
            self._db.executemany(
                "INSERT INTO run_condition VALUES (?, ?, ?)",
                ((run, position, name) for position, name in enumerate(header.conditions)),
            )
            keys = [_task_key(task) for task in header.tasks]
            self._db.executemany(
                "INSERT OR IGNORE INTO task (key, name, body) VALUES (?, ?, ?)",
                ((key, task.id, body) for (key, body), task in zip(keys, header.tasks, strict=True)),
            )
            self._db.executemany(
                "INSERT INTO cell (id, run, position, task, condition) SELECT ?, ?, ?, id, ? FROM task WHERE key = ?",
                (
                    (first + position * width + place, run, position * width + place, condition, key)
                    for position, (key, _) in enumerate(keys)
                    for place, condition in enumerate(header.conditions)
                ),
            )
        self._known[header.id] = (run, len(header.tasks) * width, first)

    def extend(self, header: Header) -> None:
        """Plan more trials of a run."""
        run, _, _ = self._located(header.id)
        provenance = msgspec.json.encode(header.provenance).decode()
        with self._transaction():
            changed = self._db.execute(
                "UPDATE run SET trials = ?, provenance = ? WHERE id = ? AND trials = ?",
                (header.trials, provenance, run, sum(header.blocks[:-1])),
            )
            if not changed.rowcount:
                raise extended_already(header.id, str(self._path))

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep *rows*, all or none; once this returns they survive the death of the process."""
        run, cells, first = self._known.get(run_id) or self._located(run_id)
        base = run << RUN_BITS
        counts: dict[int, list[int]] = {}
        trials = []
        for row in rows:
            cell = first + row.cell
            trials.append(
                (
                    base + row.index * cells + row.cell,
                    cell,
                    row.index,
                    row.outcome,
                    row.exposed,
                    row.started_at,
                    row.seconds,
                    row.body.decode(),
                )
            )
            count = counts.get(cell)
            if count is None:
                count = counts[cell] = [0, 0, 0, 0, 0, 0, cell]
            count[_COLUMN[row.outcome]] += 1
            count[5] += row.exposed
        with self._transaction():
            if not self._db.execute("SELECT 1 FROM run WHERE id = ? AND name = ?", (run, run_id)).fetchone():
                raise deleted_meanwhile(run_id, str(self._path))
            try:
                self._many("INSERT INTO trial VALUES {rows}", trials)
            except sqlite3.IntegrityError as error:
                raise taken_already(run_id, str(self._path)) from error
            self._many(_COUNT, list(counts.values()))

    def runs(self) -> Sequence[Listing]:
        """All runs, the newest first."""
        rows = self._read(
            "SELECT name, suite, agent, started_at, cells * trials,"
            " (SELECT sum(passed + failed + crashed + timed_out + void) FROM cell WHERE cell.run = run.id)"
            " FROM run ORDER BY id DESC"
        )
        fields = ("id", "suite", "agent", "started_at", "planned", "stored")
        with readable(self._path):
            return msgspec.convert([dict(zip(fields, row, strict=True)) for row in rows], list[Listing])

    def open(self, run: str = "latest") -> Run:
        """The run that *run* means: an id, the beginning of just one, or 'latest'."""
        name = pick(
            run, [str(name) for (name,) in self._read("SELECT name FROM run ORDER BY id DESC")], str(self._path)
        )
        key, _, first = self._located(name)
        reader = Reader(self._path, self._rows, version(self._db))
        header = reader.header(key)
        return Run(header, SqliteTrials(reader, key, first, header))

    def stored(self, run_id: str) -> Sequence[tuple[int, int]]:
        """The addresses (cell, index) of the trials that a run has already."""
        run, _, first = self._located(run_id)
        return self._read("SELECT cell - ?, idx FROM trial WHERE id BETWEEN ? AND ?", (first, *span(run)))

    def delete(self, run_id: str) -> None:
        """Delete a run, its trials, and the tasks that no other run has; the bytes are overwritten."""
        run, _, _ = self._located(run_id)
        self._execute("PRAGMA secure_delete = ON")
        with self._transaction():
            self._db.execute("DELETE FROM trial WHERE id BETWEEN ? AND ?", span(run))
            self._db.execute("DELETE FROM cell WHERE run = ?", (run,))
            self._db.execute("DELETE FROM run_condition WHERE run = ?", (run,))
            self._db.execute("DELETE FROM run WHERE id = ?", (run,))
            self._db.execute("DELETE FROM task WHERE id NOT IN (SELECT task FROM cell)")
        self._known.pop(run_id, None)
        self._execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def damage(self) -> Sequence[str]:
        """What in the file is not as it was written, in sentences; nothing is changed. It reads all of the file."""
        said = [str(line) for (line,) in self._read("PRAGMA integrity_check(5)")]
        found = [f"SQLite says of it: {line}" for line in said if line != "ok"]
        ((counted,),) = self._read("SELECT total(passed + failed + crashed + timed_out + void) FROM cell")
        ((there,),) = self._read("SELECT count(*) FROM trial")
        if counted != there:
            found.append(f"it counts {int(counted):,} trials, and holds {there:,}: take a copy from before")
        return found

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._closing()

    def _many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out *statement* for all rows, many in one go."""
        for begin in range(0, len(rows), _ROWS):
            some = rows[begin : begin + _ROWS]
            one = f"({', '.join('?' * len(some[0]))})"
            values = list(chain.from_iterable(some))
            self._db.execute(statement.replace("{rows}", ", ".join([one] * len(some))), values)

    def _new_ids(self, cells: int) -> tuple[int, int]:
        """An id for a run, and the first of the ids of its *cells*: none that was ever given before."""
        run, first = self._db.execute("SELECT run, cell FROM next_id").fetchone()
        self._db.execute("UPDATE next_id SET run = ?, cell = ?", (run + 1, first + cells))
        return run, first

    def _insert_run(self, run: int, header: Header) -> None:
        cells = len(header.tasks) * len(header.conditions)
        self._db.execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run, header.id, header.suite, header.agent, header.agent_version, header.grader, header.trials,
                header.seed, header.source, header.started_at, header.design_digest, header.run_digest, cells,
                msgspec.json.encode(header.provenance).decode(), header.same_seed,
                msgspec.json.encode(header.declared).decode(),
            ),
        )  # fmt: skip

    def _located(self, run_id: str) -> tuple[int, int, int]:
        """The row id of a run, how many cells it has, and the row id of the first of them."""
        found = self._read(
            "SELECT run.id, cells, cell.id FROM run JOIN cell ON run = run.id AND position = 0 WHERE name = ?",
            (run_id,),
        )
        if not found:
            raise UsageError(f"there is no run {run_id!r} in {self._path}")
        self._known[run_id] = found[0]
        return self._known[run_id]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if not self._writes:
            raise StoreUnusable(f"the store {self._path} was opened for reading: open it with write=True")
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._rollback()
                kind = StoreUnusable if is_damage(error) else StoreFailed
                raise kind(f"the store {self._path} failed: {why(error)}") from error
            except BaseException:
                self._rollback()
                raise

    def _rollback(self) -> None:
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        return list(self._rows(query, values))

    def _execute(self, statement: str) -> None:
        with self._lock, readable(self._path):
            self._db.execute(statement)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a query, read as they are asked for."""
        with readable(self._path):
            with self._lock:
                cursor = self._db.execute(query, values)
            yield from chain(cursor)  # not the cursor itself: it would be closed with whoever reads no further


def _task_key(task: Task) -> tuple[str, str]:
    """The digest of a task's whole body, and the body."""
    body = msgspec.json.encode(task)
    return digest(msgspec.Raw(body)), body.decode()
