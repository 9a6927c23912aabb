"""The check of stores lets the default store pass, and names what a broken one does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from passhat.errors import PasshatError
from passhat.model.protocols import Store, TrialRow
from passhat.model.run import Header, Listing, Run
from passhat.stores import SqliteStore
from passhat.testing import check_store


class TakesTwice(SqliteStore):
    """Keeps what it can of a batch that it refuses."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Append one row after the other."""
        for row in rows:
            super().append(run_id, (row,))


class Silent(SqliteStore):
    """Refuses nothing, and says nothing."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Append, or don't."""
        with suppress(PasshatError):
            super().append(run_id, rows)


class Upside(SqliteStore):
    """Lists the oldest run first."""

    def runs(self) -> Sequence[Listing]:
        """All runs, the oldest first."""
        return super().runs()[::-1]


class Keeper(SqliteStore):
    """Deletes nothing."""

    def delete(self, run_id: str) -> None:
        """Look for the run, and leave it."""
        self.stored(run_id)


class Guesser(SqliteStore):
    """Takes the beginning of two runs for the newer one."""

    def open(self, run: str = "latest") -> Run:
        """Open some run."""
        names = [listing.id for listing in self.runs() if listing.id.startswith(run)]
        return super().open(names[0] if names else run)


class Renamer(SqliteStore):
    """Forgets what a header said."""

    def create(self, header: Header) -> None:
        """Create a run without provenance."""
        super().create(replace(header, provenance={}))


class Blurred(SqliteStore):
    """Calls every trial exposed."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Append what is not quite these rows."""
        super().append(run_id, [replace(row, exposed=True) for row in rows])


class Recycler(SqliteStore):
    """Gives the place of a run that was deleted to the next one."""

    def _new_ids(self, cells: int) -> tuple[int, int]:
        (run,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM run").fetchone()
        (cell,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM cell").fetchone()
        self._db.execute("UPDATE next_id SET run = ?, cell = ?", (run, cell))
        return super()._new_ids(cells)


class Polite(SqliteStore):
    """Says nothing where a run was deleted while it was made."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Append, or drop what belongs nowhere."""
        try:
            super().append(run_id, rows)
        except PasshatError as error:
            if "was deleted" not in str(error):
                raise


def opener(kind: type[SqliteStore], folder: Path) -> Callable[[], Store]:
    """What opens the same file each time."""
    return lambda: kind(folder / "passhat.db")


def test_default_store_keeps_its_promises(tmp_path: Path) -> None:
    """The SQLite store does what the protocol says, before and after it was closed."""
    check_store(opener(SqliteStore, tmp_path))


def test_store_that_forgets_passes_only_as_what_it_is(tmp_path: Path) -> None:
    """A store that is empty each time it is opened is no durable one."""
    numbers = iter(range(99))

    check_store(lambda: SqliteStore(tmp_path / f"{next(numbers)}.db"), durable=False)
    with pytest.raises(AssertionError, match="refuses what it may not refuse"):
        check_store(lambda: SqliteStore(tmp_path / f"{next(numbers)}.db"))


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        (TakesTwice, r"after a refused append\(\)"),
        (Silent, r"append\(\) of a trial that is stored is not refused"),
        (Upside, "newest first"),
        (Keeper, r"runs\(\) after delete\(\)"),
        (Guesser, "the beginning of two runs"),
        (Renamer, "the header"),
        (Blurred, r"counts\(\)"),
        (Recycler, "the trials of a run that was deleted meanwhile"),
        (Polite, "to a run that was deleted meanwhile is not refused"),
    ],
)
def test_broken_store_is_refused(kind: type[SqliteStore], complaint: str, tmp_path: Path) -> None:
    """The check says which promise a store breaks."""
    with pytest.raises(AssertionError, match=complaint):
        check_store(opener(kind, tmp_path))
