"""What a trial costs: a no-op async agent, the equals grader, every trial durably stored.

The floor is the least that could do it: workers that await the same agent, and one SQLite `executemany` a batch, of
rows as long as ours. Nothing of it is drawn, graded, guarded, timed, masked or counted.
"""

from __future__ import annotations

import asyncio
import sqlite3
from functools import partial
from pathlib import Path

from benchmarks.base import cpu, folder, noop, report, resident, run

TASKS, TRIALS, WORKERS = 1_000, 100, 64
MORE = 1_000  # trials a task for a million
TURNS = 5
BODY = '{"seed":3923569698177025,"answer":{"output":"yes"},"grades":[{"grader":"equals","passed":true}]}'


def floor(path: Path) -> None:
    """Workers and a table, without anything that makes it trustworthy."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute(
        "CREATE TABLE trial (id INTEGER PRIMARY KEY, cell INTEGER, idx INTEGER, outcome TEXT, exposed INTEGER,"
        " started_at REAL, seconds REAL, body TEXT)"
    )
    rows: list[tuple[object, ...]] = []
    addresses = iter(range(TASKS * TRIALS))

    def flush() -> None:
        database.execute("BEGIN")
        database.executemany("INSERT INTO trial VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        database.execute("COMMIT")
        rows.clear()

    async def worker() -> None:
        for address in addresses:
            output = await noop("Say yes.")
            outcome = "PASS" if output == "yes" else "FAIL"
            rows.append((address, address % TASKS, address // TASKS, outcome, 0, 1.7e9, 1e-5, BODY))
            if len(rows) >= 1_000:
                flush()

    async def whole() -> None:
        await asyncio.gather(*(worker() for _ in range(WORKERS)))

    asyncio.run(whole())
    assert database.execute("SELECT count(*) FROM trial").fetchone() == (TASKS * TRIALS,)
    database.close()


def main() -> None:
    """Measure both, in turn, several times each, and keep the best: what is slower was disturbed."""
    ours, floors = [], []
    with folder() as place:
        for turn in range(TURNS):
            floors.append(cpu(partial(floor, place / f"floor{turn}.db")))
            path = place / f"ours{turn}.db"
            ours.append(cpu(partial(run, noop, tasks=TASKS, trials=TRIALS, concurrency=WORKERS, path=path)))
    each = 1e6 / (TASKS * TRIALS)
    report(
        "cost of a trial",
        min(ours) * each,
        "µs of CPU",
        floor=min(floors) * each,
        goal="ratio ≤ 10, aim for 6",
    )
    with folder() as place:
        run(noop, tasks=TASKS, trials=10, concurrency=WORKERS, path=place / "small.db")
        small = resident()
        run(noop, tasks=TASKS, trials=MORE, concurrency=WORKERS, path=place / "large.db")
        report("memory at a million trials", resident(), "MB", floor=small, goal="20 MB more than at 10,000 at most",
               more=round(resident() - small, 2))  # fmt: skip


if __name__ == "__main__":
    main()
