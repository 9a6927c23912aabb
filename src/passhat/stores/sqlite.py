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
from passhat.model.body import decode_trial
from passhat.model.digest import digest
from passhat.model.outcome import LETTERS, Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Listing, Run, Tally
from passhat.model.task import Task
from passhat.model.trial import Trial
from passhat.stores._sqlite_file import check_ours, connect, migrate, version, why
from passhat.stores._sqlite_schema import RUN_BITS
from passhat.stores.base import pick

_BODY = "SELECT cell - ?, idx, outcome, exposed, started_at, seconds, body FROM trial"
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

    `write=True` refuses a file that may only be read, also where none is to be created.
    """

    def __init__(self, path: str | Path, *, create: bool = True, write: bool = False) -> None:
        """Open the store at *path*, and make it where it may be made."""
        self._path = Path(path)
        self._lock = threading.Lock()
        self._runs: dict[str, tuple[int, int, int]] = {}
        try:
            if not create and not self._path.exists():
                raise StoreUnusable(
                    f"there is no store at {path}: 'passhat run' makes one, '--store PATH' names another"
                )
            self._db = connect(self._path, create=create, write=write or create)
            self._closing = weakref.finalize(self, self._db.close)
            check_ours(self._db, self._path, create=create)
            if create:
                migrate(self._db)
        except (OSError, sqlite3.Error) as error:
            if hasattr(self, "_closing"):
                self._closing()
            raise StoreUnusable(f"the store {path} cannot be opened: {why(error)}") from error

    def create(self, header: Header) -> None:
        """Begin a run."""
        with self._transaction():
            run = self._insert_run(header)
            self._db.executemany(
                "INSERT INTO run_condition VALUES (?, ?, ?)",
                ((run, position, name) for position, name in enumerate(header.conditions)),
            )
            keys = [_task_key(task) for task in header.tasks]
            self._db.executemany(
                "INSERT OR IGNORE INTO task (key, name, body) VALUES (?, ?, ?)",
                ((key, task.id, body) for (key, body), task in zip(keys, header.tasks, strict=True)),
            )
            width = len(header.conditions)
            self._db.executemany(
                "INSERT INTO cell (run, position, task, condition) SELECT ?, ?, id, ? FROM task WHERE key = ?",
                (
                    (run, position * width + place, condition, key)
                    for position, (key, _) in enumerate(keys)
                    for place, condition in enumerate(header.conditions)
                ),
            )

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep *rows*, all or none; once this returns they survive the death of the process."""
        run, cells, first = self._located(run_id)
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
            self._many("INSERT INTO trial VALUES {rows}", trials)
            self._many(_COUNT, list(counts.values()))

    def runs(self) -> Sequence[Listing]:
        """All runs, the newest first."""
        rows = self._read(
            "SELECT name, suite, agent, started_at, cells * trials,"
            " (SELECT sum(passed + failed + crashed + timed_out + void) FROM cell WHERE cell.run = run.id)"
            " FROM run ORDER BY id DESC"
        )
        return [
            Listing(id=name, suite=suite, agent=agent, started_at=started, planned=planned, stored=stored)
            for name, suite, agent, started, planned, stored in rows
        ]

    def open(self, run: str = "latest") -> Run:
        """The run that *run* means: an id, the beginning of just one, or 'latest'."""
        name = pick(run, [row[0] for row in self._read("SELECT name FROM run ORDER BY id DESC")], str(self._path))
        key, _, first = self._located(name)
        header = self._header(key)
        return Run(header, SqliteTrials(self, key, first, header))

    def stored(self, run_id: str) -> Sequence[tuple[int, int]]:
        """The addresses (cell, index) of the trials that a run has already."""
        run, _, first = self._located(run_id)
        return self._read("SELECT cell - ?, idx FROM trial WHERE id BETWEEN ? AND ?", (first, *_span(run)))

    def delete(self, run_id: str) -> None:
        """Delete a run, its trials, and the tasks that no other run has; the bytes are overwritten."""
        run, _, _ = self._located(run_id)
        self._execute("PRAGMA secure_delete = ON")
        with self._transaction():
            self._db.execute("DELETE FROM trial WHERE id BETWEEN ? AND ?", _span(run))
            self._db.execute("DELETE FROM cell WHERE run = ?", (run,))
            self._db.execute("DELETE FROM run_condition WHERE run = ?", (run,))
            self._db.execute("DELETE FROM run WHERE id = ?", (run,))
            self._db.execute("DELETE FROM task WHERE id NOT IN (SELECT task FROM cell)")
        self._runs.pop(run_id, None)
        self._execute("PRAGMA wal_checkpoint(TRUNCATE)")

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

    def _insert_run(self, header: Header) -> int:
        cells = len(header.tasks) * len(header.conditions)
        cursor = self._db.execute(
            "INSERT INTO run VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                header.id, header.suite, header.agent, header.agent_version, header.grader, header.trials, header.seed,
                header.source, header.started_at, header.design_digest, header.run_digest, cells,
                msgspec.json.encode(header.provenance).decode(), header.same_seed,
            ),
        )  # fmt: skip
        return int(cursor.lastrowid or 0)

    def _header(self, run: int) -> Header:
        (row,) = self._read(
            "SELECT name, suite, agent, agent_version, grader, trials, seed, source, started_at, provenance"
            " FROM run WHERE id = ?",
            (run,),
        )
        # A file of the first schema that is only read keeps its tables, which don't have this column.
        same_seed = version(self._db) > 1 and self._read("SELECT same_seed FROM run WHERE id = ?", (run,)) == [(1,)]
        tasks = self._read(
            "SELECT body FROM cell JOIN task ON task.id = cell.task WHERE run = ?"
            " AND position % (SELECT count(*) FROM run_condition WHERE run_condition.run = cell.run) = 0"
            " ORDER BY position",
            (run,),
        )
        conditions = self._read("SELECT name FROM run_condition WHERE run = ? ORDER BY position", (run,))
        read = msgspec.json.Decoder(Task)
        return Header(
            id=row[0], suite=row[1], agent=row[2], agent_version=row[3], grader=row[4], trials=row[5], seed=row[6],
            source=row[7], started_at=row[8], provenance=msgspec.json.decode(row[9]), same_seed=same_seed,
            tasks=tuple(read.decode(body) for (body,) in tasks),
            conditions=tuple(name for (name,) in conditions),
        )  # fmt: skip

    def _located(self, run_id: str) -> tuple[int, int, int]:
        """The row id of a run, how many cells it has, and the row id of the first of them."""
        if run_id not in self._runs:
            found = self._read(
                "SELECT run.id, cells, cell.id FROM run JOIN cell ON run = run.id AND position = 0 WHERE name = ?",
                (run_id,),
            )
            if not found:
                raise UsageError(f"there is no run {run_id!r} in {self._path}")
            self._runs[run_id] = found[0]
        return self._runs[run_id]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                self._rollback()
                raise StoreFailed(f"the store {self._path} holds such a run or trial already: {error}") from error
            except sqlite3.Error as error:
                self._rollback()
                raise StoreFailed(f"the store {self._path} failed: {why(error)}") from error
            except BaseException:
                self._rollback()
                raise

    def _rollback(self) -> None:
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        return list(self.rows(query, values))

    def _execute(self, statement: str) -> None:
        with self._lock:
            self._db.execute(statement)

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a query, read as they are asked for."""
        try:
            with self._lock:
                cursor = self._db.execute(query, values)
            yield from cursor
        except sqlite3.Error as error:
            raise StoreFailed(f"the store {self._path} cannot be read: {why(error)}") from error


class SqliteTrials:
    """The trials of one run in the file."""

    __slots__ = ("_first", "_header", "_run", "_store")

    def __init__(self, store: SqliteStore, run: int, first: int, header: Header) -> None:
        """The trials of the run with this row id, whose first cell has the row id *first*."""
        self._store = store
        self._run = run
        self._first = first
        self._header = header

    def counts(self) -> Tally:
        """The outcomes, from the cells alone."""
        query = "SELECT passed, failed, crashed, timed_out, void, exposed FROM cell WHERE run = ? ORDER BY position"
        columns = list(zip(*self._store.rows(query, (self._run,)), strict=True))
        return Tally(tuple(task.id for task in self._header.tasks), self._header.conditions, *columns)

    def strips(self, first: int) -> tuple[str, ...]:
        """The letters of each cell's first outcomes."""
        cells = len(self._header.tasks) * len(self._header.conditions)
        letters = {outcome.value: letter for outcome, letter in LETTERS.items()}
        found: list[list[str]] = [[] for _ in range(cells)]
        low, _ = _span(self._run)
        query = "SELECT cell, outcome FROM trial WHERE id >= ? AND id < ? ORDER BY id"
        for cell, outcome in self._store.rows(query, (low, low + first * cells)):
            found[cell - self._first].append(letters[outcome])
        return tuple("".join(strip) for strip in found)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, by index and then by cell."""
        query = f"{_BODY} WHERE id BETWEEN ? AND ? ORDER BY id"
        for row in self._store.rows(query, (self._first, *_span(self._run))):
            yield decode_trial(self._header, _row(*row))

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial, if it is stored."""
        names = [task.id for task in self._header.tasks]
        if task_id not in names or condition not in self._header.conditions:
            return None
        cell = names.index(task_id) * len(self._header.conditions) + self._header.conditions.index(condition)
        low, high = _span(self._run)
        key = low + index * len(names) * len(self._header.conditions) + cell
        if not low <= key <= high:
            return None
        for row in self._store.rows(f"{_BODY} WHERE id = ?", (self._first, key)):
            return decode_trial(self._header, _row(*row))
        return None


def _task_key(task: Task) -> tuple[str, str]:
    """The digest of a task's whole body, and the body."""
    body = msgspec.json.encode(task)
    return digest(msgspec.Raw(body)), body.decode()


def _row(*columns: Any) -> TrialRow:  # noqa: ANN401 - the columns of `_BODY`
    cell, index, outcome, exposed, started_at, seconds, body = columns
    return TrialRow(cell, index, outcome, bool(exposed), started_at, seconds, body.encode())


def _span(run: int) -> tuple[int, int]:
    """The first and the last id that a trial of this run may have."""
    return run << RUN_BITS, ((run + 1) << RUN_BITS) - 1
