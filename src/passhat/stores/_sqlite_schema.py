"""The tables of the SQLite store, as numbered migrations: a new one is added at the end, an old one never changes.

`cell` has a row for each task under each condition, with its trials counted by outcome; it is written in the same
transaction as the trials, so counts never need a trial to be read. A trial's id is its address, and grows in the order
of the plan, so that new trials always go to the end of the table:

    id = run × 2^40 + index × (cells of the run) + (position of the cell in the run)

The ids of a run and its cells are given once: who still writes to a run that was deleted must not meet another there.

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
    CREATE TABLE run_condition (
        run INTEGER NOT NULL REFERENCES run,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (run, position)
    ) WITHOUT ROWID;
    CREATE TABLE cell (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run,
        position INTEGER NOT NULL,        -- task position × conditions + condition position
        task INTEGER NOT NULL REFERENCES task,
        condition TEXT NOT NULL,
        passed INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        crashed INTEGER NOT NULL DEFAULT 0,
        timed_out INTEGER NOT NULL DEFAULT 0,
        void INTEGER NOT NULL DEFAULT 0,
        exposed INTEGER NOT NULL DEFAULT 0, -- trials in which a planned fault fired
        UNIQUE (run, position)
    );
    CREATE TABLE trial (
        id INTEGER PRIMARY KEY,           -- its address, see above
        cell INTEGER NOT NULL REFERENCES cell,
        idx INTEGER NOT NULL,             -- which of the cell's trials, from 0
        outcome TEXT NOT NULL,            -- PASS, FAIL, CRASH, TIMEOUT or VOID
        exposed INTEGER NOT NULL,         -- 1 where a planned fault fired
        started_at REAL NOT NULL,
        seconds REAL NOT NULL,
        body TEXT NOT NULL                -- JSON: answer, grades, tool trace, faults, …
    );
    CREATE VIEW trials AS
        SELECT run.name AS run, task.name AS task, cell.condition, trial.idx AS trial, trial.outcome, trial.exposed,
               datetime(trial.started_at, 'unixepoch') AS started_at, trial.seconds, trial.body
        FROM trial JOIN cell ON cell.id = trial.cell JOIN task ON task.id = cell.task JOIN run ON run.id = cell.run;
    CREATE VIEW counts AS
        SELECT run.name AS run, task.name AS task, cell.condition, cell.passed, cell.failed, cell.crashed,
               cell.timed_out, cell.void, cell.exposed
        FROM cell JOIN task ON task.id = cell.task JOIN run ON run.id = cell.run;
    """,
    """
    ALTER TABLE run ADD COLUMN same_seed INTEGER NOT NULL DEFAULT 0; -- 1 where all trials of a task had one seed
    """,
    """
    CREATE TABLE next_id (                -- one row: the first ids that no run ever had, deleted ones neither
        run INTEGER NOT NULL,
        cell INTEGER NOT NULL
    );
    INSERT INTO next_id
        SELECT (SELECT coalesce(max(id), 0) + 1 FROM run), (SELECT coalesce(max(id), 0) + 1 FROM cell);
    """,
    """
    ALTER TABLE run ADD COLUMN declared TEXT NOT NULL DEFAULT '{}'; -- JSON: what the suite says of its tools
    """,
)
