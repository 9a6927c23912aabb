"""What is read from the PostgreSQL store: headers, counts from the cells alone, trials by their address.

Many trials are read page by page, each page a short transaction that begins behind the last trial of the one before.
So memory stays flat, nothing is held open on the server, and a server that goes away in the middle does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from passhat.errors import StoreUnusable
from passhat.model.body import decode_trial
from passhat.model.outcome import LETTERS
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Tally
from passhat.model.task import Task
from passhat.model.trial import Trial
from passhat.stores.base import COLUMNS, cell_of, deleted, tally

if TYPE_CHECKING:
    from passhat.stores._postgres_line import Connection, Line
    from passhat.stores.postgres import PostgresStore

_PAGE = 200  # of bodies, which may be long
_LONG_PAGE = 20_000  # of columns alone
_MOST = 2**62
_TRIAL = "cell, idx, outcome, exposed, started_at, seconds, body::text"
_LETTERS = {outcome.value: letter for outcome, letter in LETTERS.items()}


def header_of(db: Connection, run: int) -> Header | None:
    """The header of the run with this number."""
    found = db.execute("SELECT header::text FROM passhat.run WHERE id = %s", (run,)).fetchone()
    if found is None:
        return None
    tasks = db.execute(
        "SELECT body::text FROM passhat.run_task JOIN passhat.task ON task.key = run_task.task"
        " WHERE run = %s ORDER BY position",
        (run,),
    )
    read = msgspec.json.Decoder(Task)
    header = msgspec.json.decode(found[0], type=Header)
    return msgspec.structs.replace(header, tasks=tuple(read.decode(body) for (body,) in tasks))


class PostgresTrials:
    """The trials of one run in the database."""

    __slots__ = ("_header", "_line", "_run", "_store")

    def __init__(self, store: PostgresStore, line: Line, run: int, header: Header) -> None:
        """The trials of the run with this number; *store* is held, because it closes the line when it goes."""
        self._store = store
        self._line = line
        self._run = run
        self._header = header

    def counts(self) -> Tally:
        """The outcomes, from the cells alone."""
        query = f"SELECT {', '.join(COLUMNS)} FROM passhat.cell WHERE run = %s ORDER BY position"  # noqa: S608 - ours
        cells = self._rows(query, (self._run,))
        if not cells:
            raise deleted(str(self._line.address))
        with self._line.said(StoreUnusable):
            return tally(self._header, tuple(zip(*cells, strict=True)))

    def strips(self, first: int) -> tuple[str, ...]:
        """The letters of each cell's first outcomes."""
        found: list[list[str]] = [[] for _ in range(len(self._header.tasks) * len(self._header.conditions))]
        with self._line.said(StoreUnusable):
            for cell, _, outcome in self._paged("cell, idx, outcome", _LONG_PAGE, below=min(first, _MOST)):
                found[cell].append(_LETTERS[outcome])
        return tuple("".join(strip) for strip in found)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, by index and then by cell."""
        yield from map(self._trial, self._paged(_TRIAL, _PAGE))
        if not self._rows("SELECT 1 FROM passhat.run WHERE id = %s", (self._run,)):
            raise deleted(str(self._line.address))

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial, if it is stored."""
        cell = cell_of(self._header, task_id, condition)
        if cell is None or not 0 <= index < _MOST:
            return None
        query = f"SELECT {_TRIAL} FROM passhat.trial WHERE run = %s AND idx = %s AND cell = %s"  # noqa: S608 - ours
        return next(map(self._trial, self._rows(query, (self._run, index, cell))), None)

    def _paged(self, columns: str, size: int, *, below: int = _MOST) -> Iterator[Any]:
        """The rows of the trials with an index below this, in order; the first columns are `cell` and `idx`."""
        last = (-1, -1)
        query = (
            f"SELECT {columns} FROM passhat.trial WHERE run = %s AND (idx, cell) > (%s, %s) AND idx < %s"  # noqa: S608 - our own text
            f" ORDER BY idx, cell LIMIT {size}"
        )
        while page := self._rows(query, (self._run, *last, below)):
            yield from page
            last = (page[-1][1], page[-1][0])

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        with self._line.said(StoreUnusable):
            return self._line.do(lambda db, _: db.execute(query, values).fetchall())

    def _trial(self, columns: Sequence[Any]) -> Trial:
        with self._line.said(StoreUnusable):
            cell, index, outcome, exposed, started_at, seconds, body = columns
            return decode_trial(
                self._header, TrialRow(cell, index, outcome, exposed, started_at, seconds, str.encode(body))
            )
