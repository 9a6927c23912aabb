"""A store in a PostgreSQL database, which several machines may read and write at the same time.

A batch is one transaction that holds the lock on its run's row. So of two who append the same address one is refused,
and whoever lost the connection in the middle of a commit finds out what became of it: the lock comes after the old
transaction has ended, and then either all of the batch is there, word by word, or nothing of it is.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from passhat.errors import PasshatError, StoreFailed, StoreUnusable, UsageError
from passhat.model.digest import digest
from passhat.model.outcome import Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Listing, Run
from passhat.stores import _postgres_url
from passhat.stores._postgres_line import Line
from passhat.stores._postgres_opening import lock, made_sure, upgrade
from passhat.stores._postgres_reading import PostgresTrials, header_of
from passhat.stores.base import (
    COLUMNS,
    already_there,
    deleted,
    deleted_meanwhile,
    extended_already,
    pick,
    taken_already,
)

if TYPE_CHECKING:
    from passhat.stores._postgres_line import Connection

_COLUMN = {outcome.value: position for position, outcome in enumerate(Outcome)}
_FIELDS = "idx, cell, outcome, exposed, started_at, seconds, body"
_COPY = f"COPY passhat.trial (run, {_FIELDS}) FROM STDIN"
_COUNT = (
    f"UPDATE passhat.cell SET {', '.join(f'{name} = cell.{name} + new.{name}' for name in COLUMNS)}"  # noqa: S608 - ours
    f" FROM unnest(%s::integer[]{', %s::bigint[]' * len(COLUMNS)}) AS new (position, {', '.join(COLUMNS)})"
    " WHERE cell.run = %s AND cell.position = new.position"
)
_HELD = (
    f"SELECT {_FIELDS.replace('body', 'body::text')} FROM passhat.trial"  # noqa: S608 - our own text
    " JOIN unnest(%s::bigint[], %s::integer[]) AS asked (idx, cell) USING (idx, cell) WHERE run = %s"
)


class PostgresStore:
    """Runs and trials in the schema `passhat` of one database, named as `USER:PASSWORD@HOST:PORT/DATABASE`.

    `create=False` is for reading: a database without that schema is an error; `write=True` lets it be written all the
    same. *clock* and *sleep* are those by which a server that went away in the middle is waited for, a minute at most.
    """

    def __init__(
        self,
        place: str,
        *,
        create: bool = True,
        write: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Open the store, and make its tables where they may be made."""
        self._line = Line(_postgres_url.read(place), write=write or create, clock=clock, sleep=sleep)
        self._closing = weakref.finalize(self, self._line.close)
        self._place = str(self._line.address)
        self._known: dict[str, int] = {}
        try:
            with self._line.said(StoreUnusable):
                self._line.do(lambda db, _: made_sure(db, self._place, create=create, write=write or create))
        except PasshatError:
            self._closing()
            raise

    def create(self, header: Header) -> None:
        """Begin a run."""

        def begin(db: Connection, again: bool) -> int:  # noqa: FBT001 - what every action is told
            lock(db)
            upgrade(db)  # tables that an older passhat made
            found = db.execute("SELECT id FROM passhat.run WHERE name = %s", (header.id,)).fetchone()
            if found is None:
                return _insert(db, header)
            if again and header_of(db, found[0]) == header:
                return int(found[0])
            raise already_there(header.id, self._place)

        self._refuse_reading()
        with self._line.said(StoreFailed):
            self._known[header.id] = self._line.do(begin)

    def extend(self, header: Header) -> None:
        """Plan more trials of a run."""
        run = self._located(header.id)

        def more(db: Connection, again: bool) -> None:  # noqa: FBT001 - what every action is told
            db.execute("SELECT 1 FROM passhat.run WHERE id = %s FOR UPDATE", (run,))
            known = header_of(db, run)
            if known is None:
                raise deleted_meanwhile(header.id, self._place)
            if again and (known.trials, known.provenance) == (header.trials, header.provenance):
                return
            if known.trials != sum(header.blocks[:-1]):
                raise extended_already(header.id, self._place)
            body = replace(known, trials=header.trials, provenance=header.provenance, tasks=())
            db.execute("UPDATE passhat.run SET header = %s WHERE id = %s", (msgspec.json.encode(body).decode(), run))

        self._refuse_reading()
        with self._line.said(StoreFailed):
            self._line.do(more)

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep *rows*, all or none; once this returns the server has them on its disk."""
        run = self._known.get(run_id) or self._located(run_id)

        def add(db: Connection, again: bool) -> None:  # noqa: FBT001 - what every action is told
            query = "SELECT 1 FROM passhat.run WHERE id = %s FOR UPDATE"
            if db.execute(query, (run,)).fetchone() is None:
                raise deleted_meanwhile(run_id, self._place)
            if again and _held(db, run, rows):
                return
            with db.cursor().copy(_COPY) as copy:
                for row in rows:
                    copy.write_row((run, *_columns(row)))
            db.execute(_COUNT, (*_counted(rows), run))

        self._refuse_reading()
        with self._line.said(StoreFailed):
            from psycopg.errors import UniqueViolation

            try:
                self._line.do(add)
            except UniqueViolation as error:
                raise taken_already(run_id, self._place) from error

    def runs(self) -> Sequence[Listing]:
        """All runs, the newest first."""
        found = self._read(
            "SELECT header::text, (SELECT count(*) FROM passhat.run_task WHERE run_task.run = run.id),"
            " (SELECT sum(passed + failed + crashed + timed_out + void)::bigint FROM passhat.cell"
            "  WHERE cell.run = run.id) FROM passhat.run ORDER BY id DESC"
        )
        with self._line.said(StoreUnusable):
            return [_listing(msgspec.json.decode(header, type=Header), *counts) for header, *counts in found]

    def open(self, run: str = "latest") -> Run:
        """The run that *run* means: an id, the beginning of just one, or 'latest'."""
        names = [name for (name,) in self._read("SELECT name FROM passhat.run ORDER BY id DESC")]
        number = self._located(pick(run, names, self._place))
        with self._line.said(StoreUnusable):
            header = self._line.do(lambda db, _: header_of(db, number))
        if header is None:
            raise deleted(self._place)
        return Run(header, PostgresTrials(self, self._line, number, header))

    def stored(self, run_id: str) -> Sequence[tuple[int, int]]:
        """The addresses (cell, index) of the trials that a run has already."""
        return self._read("SELECT cell, idx FROM passhat.trial WHERE run = %s", (self._located(run_id),))

    def delete(self, run_id: str) -> None:
        """Delete a run, its trials, and the tasks that no other run has."""
        run = self._located(run_id)

        def remove(db: Connection, _again: bool) -> None:  # noqa: FBT001 - what every action is told
            lock(db)
            db.execute("SELECT 1 FROM passhat.run WHERE id = %s FOR UPDATE", (run,))
            for table in ("trial", "cell", "run_task"):
                db.execute(f"DELETE FROM passhat.{table} WHERE run = %s", (run,))  # noqa: S608 - our own text
            db.execute("DELETE FROM passhat.run WHERE id = %s", (run,))
            db.execute("DELETE FROM passhat.task WHERE NOT EXISTS (SELECT FROM passhat.run_task WHERE task = key)")

        self._refuse_reading()
        with self._line.said(StoreFailed):
            self._line.do(remove)
        self._known.pop(run_id, None)

    def close(self) -> None:
        """Close the connection."""
        self._closing()

    def _located(self, run_id: str) -> int:
        found = self._read("SELECT id FROM passhat.run WHERE name = %s", (run_id,))
        if not found:
            raise UsageError(f"there is no run {run_id!r} in {self._place}")
        self._known[run_id] = found[0][0]
        return self._known[run_id]

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._line.said(StoreUnusable):
            return self._line.do(lambda db, _: db.execute(query, values).fetchall())

    def _refuse_reading(self) -> None:
        if not self._line.writes:
            raise StoreUnusable(f"the store {self._place} was opened for reading: open it with write=True")


def _insert(db: Connection, header: Header) -> int:
    """Write a run that there was not yet; whoever does holds the lock."""
    bodies = {digest(msgspec.Raw(body)): body.decode() for body in map(msgspec.json.encode, header.tasks)}
    keys = [digest(msgspec.Raw(msgspec.json.encode(task))) for task in header.tasks]
    (run,) = db.execute(
        "INSERT INTO passhat.run (name, suite, agent, started_at, design_digest, run_digest, header)"
        " VALUES (%s, %s, %s, to_timestamp(%s), %s, %s, %s) RETURNING id",
        (
            header.id, _shown(header.suite), _shown(header.agent), header.started_at, header.design_digest,
            header.run_digest, msgspec.json.encode(replace(header, tasks=())).decode(),
        ),
    ).fetchone() or (0,)  # fmt: skip
    with db.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO passhat.task (key, body) VALUES (%s, %s) ON CONFLICT DO NOTHING", list(bodies.items())
        )
        with cursor.copy("COPY passhat.run_task (run, position, task) FROM STDIN") as copy:
            for position, key in enumerate(keys):
                copy.write_row((run, position, key))
        with cursor.copy("COPY passhat.cell (run, position, task, condition) FROM STDIN") as copy:
            names = ((task.id, condition) for task in header.tasks for condition in header.conditions)
            for position, (task, condition) in enumerate(names):
                copy.write_row((run, position, _shown(task), _shown(condition)))
    return int(run)


def _held(db: Connection, run: int, rows: Sequence[TrialRow]) -> bool:
    """True where the database holds these very *rows*: they were committed, and only the answer was lost.

    Where it holds other trials at these addresses, adding them will be refused.
    """
    asked = ([row.index for row in rows], [row.cell for row in rows], run)
    return sorted(db.execute(_HELD, asked).fetchall()) == sorted(map(_columns, rows))


def _columns(row: TrialRow) -> tuple[Any, ...]:
    return (row.index, row.cell, row.outcome, row.exposed, row.started_at, row.seconds, row.body.decode())


def _counted(rows: Sequence[TrialRow]) -> Sequence[list[int]]:
    """The cells of *rows*, and for each of them what is to be added to its columns."""
    counts: dict[int, list[int]] = {}
    for row in rows:
        count = counts.setdefault(row.cell, [0] * len(COLUMNS))
        count[_COLUMN[row.outcome]] += 1
        count[-1] += row.exposed
    return [list(counts), *([count[at] for count in counts.values()] for at in range(len(COLUMNS)))]


def _listing(header: Header, tasks: int, stored: int | None) -> Listing:
    return Listing(
        id=header.id,
        suite=header.suite,
        agent=header.agent,
        started_at=header.started_at,
        stored=stored or 0,
        planned=tasks * len(header.conditions) * header.trials,
    )


def _shown(text: str) -> str:
    """A name as people see it in the tables, whose texts have no character 0."""
    return text.replace("\0", "\ufffd")
