"""A store that lives as long as the Python object: for tests and notebooks, where nothing is to be left on disk.

It keeps rows as they come, each in its encoded form, and so gives back what any other store would: a value that JSON
cannot hold is as changed here as in a file.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from passhat.errors import StoreUnusable, UsageError
from passhat.model.body import decode_trial
from passhat.model.outcome import LETTERS, Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Listing, Run, Tally
from passhat.model.trial import Trial
from passhat.stores.base import (
    COLUMNS,
    already_there,
    cell_of,
    deleted,
    deleted_meanwhile,
    extended_already,
    pick,
    taken_already,
    tally,
)

_PLACE = "memory"
_COLUMN = {outcome.value: position for position, outcome in enumerate(Outcome)}


class MemoryStore:
    """Runs and trials in memory. Each is a new one, and empty: to read what was run, use the object that was written.

    `MemoryStore()` in Python; `memory://` where a store is named by a text, and whatever follows is only a label.
    """

    def __init__(self, place: str = "", *, create: bool = True, write: bool = False) -> None:
        """A new store; *create* and *write* are those of every store, and reading alone would find nothing."""
        if not create:
            raise StoreUnusable(
                "a memory store ends with the program that wrote it, so there is nothing to read: name a file with "
                "'--store PATH', or hand the MemoryStore itself from 'run' to what reads it"
            )
        self._place = f"{_PLACE}://{place}"
        self._lock = threading.Lock()
        self._runs: dict[str, MemoryTrials] = {}
        self._deleted: set[str] = set()

    def create(self, header: Header) -> None:
        """Begin a run."""
        with self._lock:
            if header.id in self._runs:
                raise already_there(header.id, self._place)
            self._runs[header.id] = MemoryTrials(header, self._lock, self._place)
            self._deleted.discard(header.id)

    def extend(self, header: Header) -> None:
        """Plan more trials of a run."""
        with self._lock:
            trials = self._located(header.id)
            if trials.header.trials != sum(header.blocks[:-1]):
                raise extended_already(header.id, self._place)
            trials.header = replace(trials.header, trials=header.trials, provenance=header.provenance)

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Keep *rows*, all or none."""
        with self._lock:
            if run_id in self._deleted:
                raise deleted_meanwhile(run_id, self._place)
            if not self._located(run_id).take(rows):
                raise taken_already(run_id, self._place)

    def runs(self) -> Sequence[Listing]:
        """All runs, the newest first."""
        with self._lock:
            return [
                Listing(
                    id=name,
                    suite=trials.header.suite,
                    agent=trials.header.agent,
                    started_at=trials.header.started_at,
                    stored=len(trials.rows),
                    planned=trials.header.planned,
                )
                for name, trials in reversed(self._runs.items())
            ]

    def open(self, run: str = "latest") -> Run:
        """The run that *run* means: an id, the beginning of just one, or 'latest'."""
        with self._lock:
            trials = self._runs[pick(run, list(reversed(self._runs)), self._place)]
        return Run(trials.header, trials)

    def stored(self, run_id: str) -> Sequence[tuple[int, int]]:
        """The addresses (cell, index) of the trials that a run has already."""
        with self._lock:
            return [(cell, index) for index, cell in self._located(run_id).rows]

    def delete(self, run_id: str) -> None:
        """Delete a run; whoever still reads it is told."""
        with self._lock:
            self._located(run_id).forget()
            del self._runs[run_id]
            self._deleted.add(run_id)

    def close(self) -> None:
        """Nothing has to be closed: what is stored stays until nobody holds the store, or a run of it."""

    def _located(self, run_id: str) -> MemoryTrials:
        if run_id not in self._runs:
            raise UsageError(f"there is no run {run_id!r} in {self._place}")
        return self._runs[run_id]


class MemoryTrials:
    """The trials of one run in memory, by index and then by cell."""

    __slots__ = ("_counts", "_gone", "_lock", "_place", "header", "rows")

    def __init__(self, header: Header, lock: threading.Lock, place: str) -> None:
        """No trial yet of the run with this header; *lock* is the store's."""
        self.header = header
        self.rows: dict[tuple[int, int], TrialRow] = {}
        self._lock = lock
        self._place = place
        self._gone = False
        cells = len(header.tasks) * len(header.conditions)
        self._counts = [[0] * cells for _ in COLUMNS]

    def take(self, rows: Sequence[TrialRow]) -> bool:
        """Keep *rows*, or none of them and say False where one is there already; the caller holds the lock."""
        new = {(row.index, row.cell): row for row in rows}
        if len(new) < len(rows) or new.keys() & self.rows.keys():
            return False
        self.rows |= new
        for row in rows:
            self._counts[_COLUMN[row.outcome]][row.cell] += 1
            self._counts[-1][row.cell] += row.exposed
        return True

    def forget(self) -> None:
        """Drop every trial; the caller holds the lock."""
        self.rows = {}
        self._gone = True

    def counts(self) -> Tally:
        """The outcomes, as they were counted when they came."""
        with self._lock:
            self._refuse_gone()
            return tally(self.header, [tuple(column) for column in self._counts])

    def strips(self, first: int) -> tuple[str, ...]:
        """The letters of each cell's first outcomes."""
        strips: list[list[str]] = [[] for _ in self._counts[-1]]
        for row in self._in_order():
            if row.index >= first:
                break
            strips[row.cell].append(LETTERS[Outcome(row.outcome)])
        return tuple("".join(strip) for strip in strips)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial, decoded as it is asked for."""
        for row in self._in_order():
            yield decode_trial(self.header, row)

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """One trial, if it is stored."""
        cell = cell_of(self.header, task_id, condition)
        row = None if cell is None else self.rows.get((index, cell))
        return None if row is None else decode_trial(self.header, row)

    def _in_order(self) -> list[TrialRow]:
        with self._lock:
            self._refuse_gone()
            return [self.rows[key] for key in sorted(self.rows)]

    def _refuse_gone(self) -> None:
        if self._gone:
            raise deleted(self._place)
