"""The one writer of a run: collects trials into batches, masks secrets, and hands them to the store.

A batch goes when it is full or when its first trial has waited long enough, whichever is first, so many trials share
one commit and few are at risk. The store is written on a thread of its own; only what it has returned from is
reported as stored.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Protocol

from passhat.errors import PasshatError, StoreFailed
from passhat.model.body import masked_rows, row_of
from passhat.model.protocols import TrialRow
from passhat.model.redact import Redactor
from passhat.model.trial import Trial

BATCH = 2_000
WAIT = 0.05
_IN_FLIGHT = 3

Batch = list[TrialRow]


class Sink(Protocol):
    """Where trials go: a store, or whoever else takes their rows."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None: ...


class Recorder:
    """Takes trials on the event loop; they are safe once `on_stored` has been told so."""

    def __init__(self, store: Sink, run_id: str, redactor: Redactor, on_stored: Callable[[Counter[str]], None]) -> None:
        """A recorder for one run; *on_stored* gets the outcomes of each batch that is safe."""
        self._store = store
        self._run_id = run_id
        self._redactor = redactor
        self._on_stored = on_stored
        self._loop = asyncio.get_running_loop()
        self._batch: Batch = []
        self._timer: asyncio.TimerHandle | None = None
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._in_flight = 0
        self._room = asyncio.Event()
        self._room.set()
        self._ended = asyncio.Event()
        self.failure: PasshatError | None = None
        self.on_failure: Callable[[], None] | None = None
        threading.Thread(target=self._write, name="passhat-writer", daemon=True).start()

    def put(self, cell: int, trial: Trial) -> None:
        """Take one trial. It is encoded here, while it is at hand, and not held any longer."""
        batch = self._batch
        batch.append(row_of(cell, trial))
        if len(batch) >= BATCH:
            self._send()
        elif len(batch) == 1:
            self._timer = self._loop.call_later(WAIT, self._send)

    @property
    def full(self) -> bool:
        """True where the store is behind, and the trials had better wait (`room`)."""
        return self._in_flight >= _IN_FLIGHT

    async def room(self) -> None:
        """Wait until the store has caught up."""
        self._room.clear()
        await self._room.wait()

    async def close(self) -> None:
        """Store what is left, and end the writer; raises where the store failed."""
        self._send()
        self._queue.put(None)
        await self._ended.wait()
        if self.failure is not None:
            raise self.failure

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._batch:
            self._queue.put(self._batch)
            self._batch = []
            self._in_flight += 1

    def _write(self) -> None:
        """The writer's thread. After a failure it takes batches and drops them: nothing of them was reported."""
        failed = False
        while (batch := self._queue.get()) is not None:
            try:
                if not failed:
                    self._store.append(self._run_id, masked_rows(batch, self._redactor))
                    self._loop.call_soon_threadsafe(self._stored, Counter([row.outcome for row in batch]))
            except Exception as error:  # noqa: BLE001 - a fence: a store may fail in any way
                failed = True
                self._loop.call_soon_threadsafe(self._failed, error)
        self._loop.call_soon_threadsafe(self._ended.set)

    def _stored(self, outcomes: Counter[str]) -> None:
        self._in_flight -= 1
        self._room.set()
        self._on_stored(outcomes)

    def _failed(self, error: Exception) -> None:
        self.failure = self._told(error)
        self.failure.__cause__ = error
        self._in_flight = 0
        self._room.set()
        if self.on_failure is not None:
            self.on_failure()

    def _told(self, error: Exception) -> StoreFailed:
        """The failure in words: which run it was, and that it can go on unless it is lost."""
        said = str(error) if isinstance(error, StoreFailed) else f"the store failed: {error}"
        if isinstance(error, StoreFailed) and error.lost:
            return error
        return StoreFailed(f"{said}; what run {self._run_id} had stored is safe", run_id=self._run_id)
