"""The tables of the PostgreSQL store, as numbered migrations: a new one is added at the end, an old one never changes.

They stand in a schema of their own, `passhat`, so that the database may hold other things. `cell` has a row for each
task under each condition, with its trials counted by outcome; it is written in the same transaction as the trials, so
counts never need a trial to be read. A trial's key is its address. The index stands before the cell in it, which is the
order of the plan: new trials go to the end of a run, and reading them in order sorts nothing.

`json` and not `jsonb`, because it gives back the text that it was given. PostgreSQL's `text` has no character 0, so the
names for people have U+FFFD there; what a reader gets comes from the JSON, which has an escape for it.

A trial refers to its run by number alone: checking that for every row would cost a third of the time, and whoever
appends or deletes holds the lock on the run's row.
"""

from __future__ import annotations

LOCK = 0x7061737368617400  # held by whoever makes tables or runs, or deletes a run

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE passhat.schema_version (version integer NOT NULL);
    CREATE TABLE passhat.run (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- given once, so that no run ever meets another's trials
        name text NOT NULL UNIQUE,
        suite text NOT NULL,
        agent text NOT NULL,
        started_at timestamptz NOT NULL,
        design_digest text NOT NULL,
        run_digest text NOT NULL,
        header json NOT NULL               -- all that was planned, but for the tasks
    );
    CREATE TABLE passhat.task (
        key text PRIMARY KEY,              -- digest of the whole body
        body json NOT NULL                 -- id, input, expect, tags, metadata
    );
    CREATE TABLE passhat.run_task (
        run bigint NOT NULL REFERENCES passhat.run,
        position integer NOT NULL,
        task text NOT NULL REFERENCES passhat.task,
        PRIMARY KEY (run, position)
    );
    CREATE INDEX run_task_task ON passhat.run_task (task);
    CREATE TABLE passhat.cell (
        run bigint NOT NULL REFERENCES passhat.run,
        position integer NOT NULL,         -- task position × conditions + condition position
        task text NOT NULL,
        condition text NOT NULL,
        passed bigint NOT NULL DEFAULT 0,
        failed bigint NOT NULL DEFAULT 0,
        crashed bigint NOT NULL DEFAULT 0,
        timed_out bigint NOT NULL DEFAULT 0,
        void bigint NOT NULL DEFAULT 0,
        exposed bigint NOT NULL DEFAULT 0, -- trials in which a planned fault fired
        PRIMARY KEY (run, position)
    );
    CREATE TABLE passhat.trial (
        run bigint NOT NULL,
        idx bigint NOT NULL,               -- which of the cell's trials, from 0
        cell integer NOT NULL,             -- the cell's position
        outcome text NOT NULL,             -- PASS, FAIL, CRASH, TIMEOUT or VOID
        exposed boolean NOT NULL,          -- true where a planned fault fired
        started_at double precision NOT NULL, -- seconds since 1970, UTC
        seconds double precision NOT NULL,
        body json NOT NULL,                -- answer, grades, tool trace, faults, …
        PRIMARY KEY (run, idx, cell)
    );
    CREATE VIEW passhat.trials AS
        SELECT run.name AS run, cell.task, cell.condition, trial.idx AS trial, trial.outcome, trial.exposed,
               to_timestamp(trial.started_at) AS started_at, trial.seconds, trial.body
        FROM passhat.trial
        JOIN passhat.run ON run.id = trial.run
        JOIN passhat.cell ON cell.run = trial.run AND cell.position = trial.cell;
    CREATE VIEW passhat.counts AS
        SELECT run.name AS run, cell.task, cell.condition, cell.passed, cell.failed, cell.crashed, cell.timed_out,
               cell.void, cell.exposed
        FROM passhat.cell JOIN passhat.run ON run.id = cell.run;
    INSERT INTO passhat.schema_version VALUES (1);
    """,
)
