"""What is read from the file of the SQLite store: headers, counts from the cells alone, trials by their address.

Nothing here writes. SQLite has no checksums, so what a row holds is not trusted to be what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from passhat.model.body import decode_trial
from passhat.model.outcome import LETTERS
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Tally
from passhat.model.task import Task
from passhat.model.trial import Trial
from passhat.stores._sqlite_file import readable
from passhat.stores._sqlite_schema import RUN_BITS
from passhat.stores.base import COLUMNS, cell_of, deleted, tally

Query = Callable[[str, Sequence[Any]], Iterator[Any]]
_HEADER = "name, suite, agent, agent_version, grader, trials, seed, source, started_at, provenance"
_LATER = (("same_seed", 2, "0"), ("declared", 4, "'{}'"))  # the schema they came with, and what they were before
_TASKS = (
    "SELECT body FROM cell JOIN task ON task.id = cell.task WHERE run = ?"
    " AND position % (SELECT count(*) FROM run_condition WHERE run_condition.run = cell.run) = 0"
    " ORDER BY position"
)
_BODY = "SELECT cell - ?, idx, outcome, exposed, started_at, seconds, body FROM trial"


class Reader:
    """Asks one file; *rows* gives the rows of a query, *schema* is how many migrations have made the tables."""

    __slots__ = ("path", "rows", "schema")

    def __init__(self, path: Path, rows: Query, schema: int) -> None:
        """A reader of the file at *path*."""
        self.path = path
        self.rows = rows
        self.schema = schema

    def header(self, run: int) -> Header:
        """The header of the run with this row id."""
        columns = ", ".join((_HEADER, *(name if self.schema >= since else old for name, since, old in _LATER)))
        with readable(self.path):
            found = list(self.rows(f"SELECT {columns} FROM run WHERE id = ?", (run,)))  # noqa: S608 - our own text
            if not found:
                raise deleted(str(self.path))
            conditions = self.rows("SELECT name FROM run_condition WHERE run = ? ORDER BY position", (run,))
            read = msgspec.json.Decoder(Task)
            name, suite, agent, version, grader, trials, seed, source, started_at, *more = found[0]
            provenance, same_seed, declared = more
            header = {
                "id": name, "suite": suite, "agent": agent, "agent_version": version, "grader": grader,
                "trials": trials, "seed": seed, "source": source, "started_at": started_at,
                "provenance": msgspec.json.decode(provenance), "same_seed": bool(same_seed),
                "declared": msgspec.json.decode(declared),
                "conditions": [condition for (condition,) in conditions],
                "tasks": [read.decode(body) for (body,) in self.rows(_TASKS, (run,))],
            }  # fmt: skip
            return msgspec.convert(header, Header)


class SqliteTrials:
    """The trials of one run in the file."""

    __slots__ = ("_first", "_header", "_path", "_rows", "_run")

    def __init__(self, reader: Reader, run: int, first: int, header: Header) -> None:
        """The trials of the run with this row id, whose first cell has the row id *first*."""
        self._path = reader.path
        self._rows = reader.rows
        self._run = run
        self._first = first
        self._header = header

    def counts(self) -> Tally:
        """The outcomes, from the cells alone."""
        query = f"SELECT {', '.join(COLUMNS)} FROM cell WHERE run = ? ORDER BY position"  # noqa: S608 - our own text
        with readable(self._path):
            columns = list(zip(*self._rows(query, (self._run,)), strict=True))
            if not columns:
                raise deleted(str(self._path))
            return tally(self._header, columns)

    def strips(self, first: int) -> tuple[str, ...]:
        """The letters of each cell's first outcomes."""
        cells = len(self._header.tasks) * len(self._header.conditions)
        letters = {outcome.value: letter for outcome, letter in LETTERS.items()}
        found: list[list[str]] = [[] for _ in range(cells)]
        low, _ = span(self._run)
        query = "SELECT cell, outcome FROM trial WHERE id >= ? AND id < ? ORDER BY id"
        with readable(self._path):
            for cell, outcome in self._rows(query, (low, low + first * cells)):
                found[cell - self._first].append(letters[outcome])
        return tuple("".join(strip) for strip in found)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, by index and then by cell."""
        query = f"{_BODY} WHERE id BETWEEN ? AND ? ORDER BY id"
        for row in self._rows(query, (self._first, *span(self._run))):
            yield self._trial(row)

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial, if it is stored."""
        cell = cell_of(self._header, task_id, condition)
        if cell is None:
            return None
        low, high = span(self._run)
        key = low + index * len(self._header.tasks) * len(self._header.conditions) + cell
        if not low <= key <= high:
            return None
        for row in self._rows(f"{_BODY} WHERE id = ?", (self._first, key)):
            return self._trial(row)
        return None

    def _trial(self, columns: Sequence[Any]) -> Trial:
        with readable(self._path):
            cell, index, outcome, exposed, started_at, seconds, body = columns
            row = TrialRow(cell, index, outcome, bool(exposed), started_at, seconds, str.encode(body))
            return decode_trial(self._header, row)


def span(run: int) -> tuple[int, int]:
    """The first and the last id that a trial of this run may have."""
    return run << RUN_BITS, ((run + 1) << RUN_BITS) - 1
