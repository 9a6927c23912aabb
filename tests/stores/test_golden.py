"""A store that was made once loads for ever: one stored run for each schema that was ever released."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from passhat.model.outcome import Outcome
from passhat.stores import SqliteStore
from tests.golden.make_store_v1 import HEADER, PATH, TRIALS

# The file itself: it is never made again, so that what is tested is what was written then.
DIGEST = "dd17b10a795c9134d21e82a858ea40c2cad0921845e593c7d540ba0150c5b74f"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A copy, because SQLite writes beside what it reads."""
    return Path(shutil.copy(PATH, tmp_path / "runs.db"))


def test_golden_store_is_the_one_that_was_made() -> None:
    """Nobody made the checked-in store again."""
    assert hashlib.sha256(PATH.read_bytes()).hexdigest() == DIGEST


@pytest.mark.parametrize("create", [True, False], ids=["to write", "to read"])
def test_store_of_schema_1_loads(create: bool, kept: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """The header, the counts, the strips and every trial are read as they were written."""
    store = SqliteStore(kept, create=create)
    run = store.open("a1b2")
    trials, tally, strips = tuple(run.trials), run.trials.counts(), run.trials.strips(3)
    store.close()

    assert run.header == HEADER
    assert trials == TRIALS
    assert [tally.total(outcome) for outcome in Outcome] == [1, 2, 3, 3, 2]
    assert tally.exposed == (0, 3, 0, 2)
    assert strips == ("PFE", "FET", "ETV", "TV")


def test_run_of_schema_1_can_go_on(kept: Path) -> None:
    """The trial that the stored run lacks can be added."""
    store = SqliteStore(kept)
    done = set(store.stored("a1b2c3d4"))
    store.close()

    assert {(cell, index) for cell in range(4) for index in range(3)} - done == {(3, 2)}


def test_identity_of_schema_1_is_kept() -> None:
    """Digests are in the file: a run that was made then is still compared with one that is made now."""
    assert (HEADER.design_digest, HEADER.run_digest, HEADER.tasks[0].digest) == IDENTITY


IDENTITY = ("19dc49beed163557a6f1", "7e092deff0f5437b6b29", "e819efe48ee0e46e35fa")
