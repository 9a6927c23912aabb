"""A store that was made once loads for ever: one stored run for each schema that was ever released."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from passhat.model.body import row_of
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from passhat.stores import SqliteStore
from passhat.stores._sqlite_schema import MIGRATIONS
from tests.golden import make_store
from tests.golden.make_store import HEADER, SCHEMA_1, SCHEMA_3, TRIALS

FOLDER = Path(make_store.__file__).parent
# The files themselves: none is ever made again, so that what is tested is what was written then.
DIGESTS = (
    "dd17b10a795c9134d21e82a858ea40c2cad0921845e593c7d540ba0150c5b74f",
    "274425d44dec8d5a8104130036b6e52c235d1124ad6b24c32712299b8803c736",
    "7fb96cce541c7d3d6b74489f79ba4eba6cf3328dc8cf8b27b47266bf7a918bad",
    "e6163707d456a346f0d662165f49e805220e1e2935c63020b75475c07c1f0e50",
)
SCHEMAS = range(1, len(DIGESTS) + 1)


@pytest.fixture(params=SCHEMAS)
def schema(request: pytest.FixtureRequest) -> int:
    """The number of a schema."""
    return int(request.param)


@pytest.fixture
def kept(schema: int, tmp_path: Path) -> Path:
    """A copy, because SQLite writes beside what it reads."""
    return Path(shutil.copy(FOLDER / f"store_v{schema}.db", tmp_path / "runs.db"))


def test_every_schema_has_a_store() -> None:
    """There is a checked-in store of each schema."""
    assert len(DIGESTS) == len(MIGRATIONS)


def test_golden_store_is_the_one_that_was_made(schema: int) -> None:
    """Nobody made a checked-in store again."""
    file = FOLDER / f"store_v{schema}.db"

    assert hashlib.sha256(file.read_bytes()).hexdigest() == DIGESTS[schema - 1]


@pytest.mark.parametrize("create", [True, False], ids=["to write", "to read"])
def test_store_of_every_schema_loads(create: bool, schema: int, kept: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """The header, the counts, the strips and every trial are read as they were written."""
    store = SqliteStore(kept, create=create)
    run = store.open("a1b2")
    trials, tally, strips = tuple(run.trials), run.trials.counts(), run.trials.strips(3)
    listed, stored = store.runs(), store.stored("a1b2c3d4")
    store.close()

    assert run.header == (SCHEMA_1, SCHEMA_3, SCHEMA_3, HEADER)[schema - 1]
    assert trials == tuple(map(_as_read, TRIALS))
    assert [tally.total(outcome) for outcome in Outcome] == [1, 2, 3, 3, 2]
    assert tally.exposed == (0, 3, 0, 2)
    assert strips == ("PFE", "FET", "ETV", "TV")
    assert (listed[0].stored, len(stored)) == (len(TRIALS), len(TRIALS))


def test_reading_leaves_the_schema_alone(schema: int, kept: Path) -> None:
    """A store that is only read is not brought up to date: it may be one that nobody may write."""
    store = SqliteStore(kept, create=False)
    store.open("a1b2")
    store.close()

    with sqlite3.connect(kept) as plain:
        (version,) = plain.execute("PRAGMA user_version").fetchone()
    plain.close()
    assert version == schema


def test_run_of_every_schema_can_go_on(kept: Path) -> None:
    """The trial that the stored run lacks can be added."""
    store = SqliteStore(kept, create=False, write=True)
    done = set(store.stored("a1b2c3d4"))
    store.append("a1b2c3d4", [row_of(3, replace(TRIALS[-1], index=2))])
    whole = store.runs()[0]
    store.close()

    assert {(cell, index) for cell in range(4) for index in range(3)} - done == {(3, 2)}
    assert whole.stored == whole.planned


def test_run_can_be_added_to_every_schema(kept: Path) -> None:
    """A store that was opened for writing takes a new run, whatever made it."""
    store = SqliteStore(kept, create=False, write=True)
    store.create(replace(HEADER, id="new"))
    listed, old, new = [one.id for one in store.runs()], store.open("a1b2"), store.open("new")
    counts = [sum(run.trials.counts().passed) for run in (old, new)]
    store.close()

    assert listed == ["new", "a1b2c3d4"]
    assert counts == [1, 0]


def test_identity_of_schema_1_is_kept() -> None:
    """Digests are in the file: a run that was made then is still compared with one that is made now."""
    assert (SCHEMA_1.design_digest, SCHEMA_1.run_digest, SCHEMA_1.tasks[0].digest) == IDENTITY


def _as_read(trial: Trial) -> Trial:
    """The trial with the input that the agent was given, which is stored only where it was worded anew."""
    inputs = {task.id: task.input for task in HEADER.tasks}
    return trial if trial.input is not None else replace(trial, input=inputs[trial.task_id])


IDENTITY = ("19dc49beed163557a6f1", "7e092deff0f5437b6b29", "e819efe48ee0e46e35fa")
