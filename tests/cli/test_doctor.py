"""`passhat doctor`: what is installed, what is missing and how to get it, and whether the store is sound."""

import hashlib
import json
import platform
import sqlite3
from pathlib import Path

import pytest

from passhat.cli.doctor import Finding, fits, packages, system
from tests.cli.said import Passhat


@pytest.fixture
def store(passhat: Passhat) -> Path:
    """A store with a run in it."""
    assert passhat("run", "suite.py", "--agent", "suite.py:agent", "-n", "3", "-q").code == 0
    return Path("passhat.db")


def found(passhat: Passhat, *words: str) -> dict[str, Finding]:
    """What the doctor found, by what it looked at."""
    said = passhat("doctor", "--json", *words)
    return {one["what"]: Finding(**one) for one in json.loads(said.out)["findings"]}


def test_all_is_well(store: Path, passhat: Passhat) -> None:
    """Where nothing is to be mended it exits 0, and names versions, platform, extras and the store."""
    said = passhat("doctor")

    assert (said.code, said.err) == (0, "")
    assert f"Python                 {platform.python_version()}" in said.out
    assert f"store {store}       1 run, 6 trials, sound" in said.out
    assert passhat("doctor", "-q").out == ""


def test_nothing_is_changed(store: Path, passhat: Passhat) -> None:
    """The store's bytes are the same after the check."""
    before = hashlib.sha256(store.read_bytes()).digest()

    assert passhat("doctor").code == 0
    assert hashlib.sha256(store.read_bytes()).digest() == before


def test_no_store_yet(passhat: Passhat) -> None:
    """Before the first run there is no store, which is no fault, and none is made."""
    assert found(passhat)["store passhat.db"].state == "note"
    assert not Path("passhat.db").exists()


def test_damaged_store(store: Path, passhat: Passhat) -> None:
    """A page that was overwritten is found."""
    with sqlite3.connect(store) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trial'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    db.close()
    content = bytearray(store.read_bytes())
    content[(page - 1) * size : page * size] = b"\x55" * size
    store.write_bytes(content)

    said = passhat("doctor", "-q")

    assert said.code == 2
    assert said.out.startswith("BAD store passhat.db")


def test_lost_trials(store: Path, passhat: Passhat) -> None:
    """Trials that somebody took out by hand are missed, although the file is a sound database."""
    with sqlite3.connect(store) as db:
        db.execute("DELETE FROM trial WHERE id = (SELECT max(id) FROM trial)")
    db.close()

    assert found(passhat)["store passhat.db"] == Finding(
        "bad", "store passhat.db", "it counts 6 trials, and holds 5: take a copy from before"
    )


def test_store_that_is_none(folder: Path, passhat: Passhat) -> None:
    """A file that is no store is said to be none, and the rest is still told."""
    (folder / "other.db").write_text("not a database, and long enough to be taken for one by its size alone")

    said = passhat("doctor", "--store", "other.db")

    assert said.code == 2
    assert "BAD store other.db" in said.out
    assert "ok  Python" in said.out


def test_password_is_not_shown(passhat: Passhat) -> None:
    """A store's password does not stand in what may be pasted into a ticket."""
    assert "secret" not in passhat("doctor", "--store", "postgresql://me:secret@127.0.0.1:9/x").out


def test_extra_that_is_missing_says_how_to_get_it() -> None:
    """What an extra lacks is named with the command that installs it; a missing extra stops nobody."""
    wanted = ["click>=8.1", "psycopg[binary]<4,>=3.2; extra == 'postgres'", "ruff; extra == 'dev'"]

    without = list(packages(wanted, {"click": "8.2"}.get))
    old = list(packages(wanted, {"click": "8.2", "psycopg": "3.1.9"}.get))
    there = list(packages(wanted, {"click": "8.2", "psycopg": "3.2.0"}.get))

    assert without == [
        Finding("ok", "click", "8.2"),
        Finding("note", "extra postgres", "needs psycopg<4,>=3.2: pip install 'passhat[postgres]'"),
    ]
    assert "(there is 3.1.9)" in old[1].says
    assert there[1] == Finding("ok", "extra postgres", "psycopg 3.2.0")


@pytest.mark.parametrize("version", [None, "7.9"])
def test_what_passhat_needs_is_bad_where_it_is_missing(version: str | None) -> None:
    """A library that is missing or too old is to be mended."""
    (only,) = packages(["click>=8.1"], {"click": version}.get)

    assert only.state == "bad"
    assert "passhat needs click>=8.1" in only.says


@pytest.mark.parametrize(
    ("version", "wanted", "well"),
    [
        ("3.2", ">=3.2.0", True),
        ("3.10", ">=3.9,<4", True),
        ("4.0", ">=3.9,<4", False),
        ("4.0rc1", ">=3.9,<4", False),
        ("2", "", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, wanted: str, *, well: bool) -> None:
    """3.10 comes after 3.9, and a missing part of a version is 0."""
    assert fits(version, wanted) is well


@pytest.mark.parametrize(
    ("name", "state"), [("Linux", "ok"), ("Darwin", "note"), ("Windows", "bad"), ("Plan9", "note")]
)
def test_platforms(name: str, state: str) -> None:
    """Linux is tested, macOS is expected to work, and Windows is not supported; each is said."""
    assert system(name, "x").state == state
