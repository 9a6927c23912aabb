"""Every store keeps the promises of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from passhat.errors import UsageError
from passhat.testing import check_store
from tests.contracts.known import STORES
from tests.postgres import cluster

FORGET = {"memory"}  # what ends with the object
DURABLE = [name for name in STORES if name not in FORGET]


def place(name: str, folder: Path) -> str:
    """An empty place for a store of this kind: a path, as an installed one may expect, or a database."""
    return cluster().database() if name == "postgres" else str(folder / "place")


@pytest.mark.parametrize("name", STORES)
def test_store_keeps_its_contract(name: str, tmp_path: Path) -> None:
    """A store gives back what it was given, refuses what it must, and holds all of it when it is opened again."""
    where = place(name, tmp_path)

    check_store(lambda: STORES[name](where, create=True), durable=name in DURABLE)


@pytest.mark.parametrize("name", STORES)
def test_reading_makes_no_store(name: str, tmp_path: Path) -> None:
    """A store that is only read from is not made: where there is none, that is a usage error, the second time too."""
    where = place(name, tmp_path)

    for _ in range(2):
        with pytest.raises(UsageError):
            STORES[name](where, create=False)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", DURABLE)
def test_what_was_stored_is_read_without_making(name: str, tmp_path: Path) -> None:
    """A store that is there is opened for reading."""
    where = place(name, tmp_path)
    STORES[name](where, create=True).close()

    opened = STORES[name](where, create=False)

    assert list(opened.runs()) == []
    opened.close()


@pytest.mark.parametrize("name", STORES)
def test_store_is_documented(name: str) -> None:
    """A store says where the trials live."""
    assert vars(STORES[name])["__doc__"]
