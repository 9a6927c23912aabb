"""The tables of the SQLite store, as numbered migrations: a new one is added at the end, an old one never changes.

`trial` is narrow and `body` holds the rest, so that outcomes are read without the answers; `tally` counts the trials
of each cell and is written in the same transaction. A trial's id is its address, and grows in the order of the plan:

    id = run × 2^40 + index × (cells of the run) + cell

The views `trials` and `counts` spell everything out for a person.
"""

from __future__ import annotations

APPLICATION_ID = 0x70617373  # "pass", so that `file` and we can tell our own databases
RUN_BITS = 40

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        suite TEXT NOT NULL,
        agent TEXT NOT NULL,
        agent_version TEXT NOT NULL,
        grader TEXT NOT NULL,
        trials INTEGER NOT NULL,          -- planned trials of each cell
        seed INTEGER NOT NULL,
        source TEXT NOT NULL,
        started_at REAL NOT NULL,         -- seconds since 1970, UTC
        design_digest TEXT NOT NULL,
        run_digest TEXT NOT NULL,
        cells INTEGER NOT NULL,
        provenance TEXT NOT NULL          -- JSON
    );
    CREATE TABLE task (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,         -- digest of the whole body
        name TEXT NOT NULL,
        body TEXT NOT NULL                -- JSON: id, input, expect, tags, metadata
    );
    CREATE TABLE run_task (
        run INTEGER NOT NULL REFERENCES run,
        position INTEGER NOT NULL,
        task INTEGER NOT NULL REFERENCES task,
        PRIMARY KEY (run, position)
    ) WITHOUT ROWID;
    CREATE TABLE run_condition (
        run INTEGER NOT NULL REFERENCES run,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (run, position)
    ) WITHOUT ROWID;
    CREATE TABLE trial (
        id INTEGER PRIMARY KEY,           -- see 'address' above
        run INTEGER NOT NULL REFERENCES run,
        cell INTEGER NOT NULL,            -- task position × conditions + condition position
        idx INTEGER NOT NULL,             -- which of the cell's trials, from 0
        outcome TEXT NOT NULL CHECK (outcome IN ('PASS', 'FAIL', 'CRASH', 'TIMEOUT', 'VOID')),
        exposed INTEGER NOT NULL,         -- 1 where a planned fault fired
        started_at REAL NOT NULL,
        seconds REAL NOT NULL
    );
    CREATE TABLE body (
        id INTEGER PRIMARY KEY REFERENCES trial,
        body TEXT NOT NULL                -- JSON: answer, grades, tool trace, faults, …
    );
    CREATE TABLE tally (
        run INTEGER NOT NULL REFERENCES run,
        cell INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        exposed INTEGER NOT NULL,
        trials INTEGER NOT NULL,
        PRIMARY KEY (run, cell, outcome, exposed)
    ) WITHOUT ROWID;
    CREATE VIEW trials AS
        SELECT run.name AS run, task.name AS task, run_condition.name AS condition, trial.idx AS trial,
               trial.outcome, trial.exposed, datetime(trial.started_at, 'unixepoch') AS started_at, trial.seconds,
               body.body
        FROM trial
        JOIN run ON run.id = trial.run
        JOIN (SELECT run, count(*) AS n FROM run_condition GROUP BY run) AS conditions ON conditions.run = run.id
        JOIN run_condition ON run_condition.run = run.id AND run_condition.position = trial.cell % conditions.n
        JOIN run_task ON run_task.run = run.id AND run_task.position = trial.cell / conditions.n
        JOIN task ON task.id = run_task.task
        JOIN body ON body.id = trial.id;
    CREATE VIEW counts AS
        SELECT run.name AS run, task.name AS task, run_condition.name AS condition, tally.outcome, tally.exposed,
               tally.trials
        FROM tally
        JOIN run ON run.id = tally.run
        JOIN (SELECT run, count(*) AS n FROM run_condition GROUP BY run) AS conditions ON conditions.run = run.id
        JOIN run_condition ON run_condition.run = run.id AND run_condition.position = tally.cell % conditions.n
        JOIN run_task ON run_task.run = run.id AND run_task.position = tally.cell / conditions.n
        JOIN task ON task.id = run_task.task;
    """,
)
