"""Counting 10^7 stored trials by task and condition, in time and memory.

The store is filled through its own `append`; the floor is SQLite counting the rows of the trial table in one go.
"""

from __future__ import annotations

import sqlite3
import time

from benchmarks.base import folder, report, resident
from passhat.model.protocols import TrialRow
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.stores import SqliteStore

TASKS, CONDITIONS, TRIALS = 1_000, 2, 5_000
BODY = b'{"seed":3923569698177025,"answer":{"output":"yes"},"grades":[{"grader":"equals","passed":true}]}'
OUTCOMES = ("PASS", "PASS", "PASS", "FAIL", "PASS", "TIMEOUT", "PASS", "CRASH", "PASS", "VOID")


def fill(store: SqliteStore) -> None:
    """Store ten million trials."""
    header = Header(
        id="bench",
        suite="bench",
        agent="nobody",
        tasks=tuple(Task(f"task-{number}", "Say yes.") for number in range(TASKS)),
        conditions=("clean", "rate_limit(rate=0.2)"),
        grader="equals()",
        trials=TRIALS,
    )
    store.create(header)
    cells = TASKS * CONDITIONS
    for index in range(TRIALS):
        rows = [
            TrialRow(cell, index, OUTCOMES[(cell + index) % 10], cell % 2 == 1, 1.7e9, 1e-3, BODY)
            for cell in range(cells)
        ]
        store.append("bench", rows)


def main() -> None:
    """Fill, then open anew and count."""
    with folder() as place:
        path = place / "large.db"
        filling = SqliteStore(path)
        fill(filling)
        filling.close()
        before = resident()
        begun = time.perf_counter()
        store = SqliteStore(path, create=False)
        tally = store.open("latest").trials.counts()
        taken = time.perf_counter() - begun
        held = resident() - before
        counted = sum(
            sum(column) for column in (tally.passed, tally.failed, tally.crashed, tally.timed_out, tally.void)
        )
        assert counted == TASKS * CONDITIONS * TRIALS, counted
        begun = time.perf_counter()
        assert sqlite3.connect(path).execute("SELECT count(*) FROM trial").fetchone() == (counted,)
        floor = time.perf_counter() - begun
        report(
            "counts of 10^7 stored trials",
            taken,
            "s",
            floor=floor,
            goal="≤ 2 s, ≤ 150 MB",
            more_memory_mb=round(held, 1),
            memory_mb=round(resident(), 1),
        )
        store.close()


if __name__ == "__main__":
    main()
