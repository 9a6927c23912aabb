"""Opening a store: a new one belongs to its owner, and whatever is none is refused in one sentence."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import threading
from pathlib import Path, PosixPath

import pytest

from passhat.errors import PasshatError, StoreUnusable, UsageError, exit_code
from passhat.stores import SqliteStore
from passhat.stores._sqlite_file import connect
from tests.stores.shelves import header, open_folder, row, unprivileged


def refusal(path: Path, *, create: bool = True) -> str:
    """The one sentence with which a store at *path* is refused."""
    with pytest.raises(StoreUnusable) as caught:
        SqliteStore(path, create=create)
    assert len(caught.value.problems) == 1
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert exit_code(caught.value) == 2
    return str(caught.value)


def test_new_store_belongs_to_its_owner(tmp_path: Path) -> None:
    """The file and its log are readable by the owner alone, whatever the umask allows."""
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "runs.db")
        store.create(header())
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)

    assert set(modes) >= {"runs.db", "runs.db-wal"}
    assert set(modes.values()) == {0o600}


def test_store_is_private_from_the_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is made private before SQLite writes to it: there is no moment in which others could read it."""
    seen = []
    connect = sqlite3.connect

    def watched(*arguments: object, **named: object) -> sqlite3.Connection:
        seen.append(stat.S_IMODE((tmp_path / "runs.db").stat().st_mode))
        return connect(*arguments, **named)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", watched)
    SqliteStore(tmp_path / "runs.db").close()

    assert seen == [0o600]


@pytest.mark.parametrize("name", ["with space.db", "per%20cent.db", "question?.db", "hash#.db", "größe.db", ":memory:"])
def test_any_file_name_will_do(name: str, tmp_path: Path) -> None:
    """A file name is a file name, whatever it means in a URI."""
    store = SqliteStore(tmp_path / name)
    store.create(header())
    store.close()

    assert (tmp_path / name).stat().st_size > 0
    again = SqliteStore(tmp_path / name, create=False)
    assert [one.id for one in again.runs()] == ["run-1"]
    again.close()


def test_store_that_is_not_there_is_not_read(tmp_path: Path) -> None:
    """Reading makes no file, and says how one is made."""
    assert "passhat run" in refusal(tmp_path / "none.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_missing_folder_is_named(tmp_path: Path) -> None:
    """A path into a folder that isn't there says so."""
    assert "its folder does not exist" in refusal(tmp_path / "nowhere" / "runs.db")


@pytest.mark.parametrize("create", [True, False])
def test_folder_is_no_store(create: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """A folder is named as one."""
    assert "is a folder" in refusal(tmp_path, create=create)


@pytest.mark.parametrize("create", [True, False])
def test_text_file_is_no_store(create: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """A file that is no database is named as that, and stays as it was."""
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread, " * 100)

    assert "it is not a database" in refusal(path, create=create)
    assert path.read_text() == "milk, bread, " * 100


@pytest.mark.parametrize("create", [True, False])
def test_other_programs_database_is_left_alone(create: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """A database of another program is named as that, and stays as it was."""
    path = tmp_path / "places.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmark (url TEXT)")
    other.close()
    before = path.read_bytes()

    assert "another program" in refusal(path, create=create)
    assert path.read_bytes() == before


@pytest.mark.parametrize("create", [True, False])
def test_newer_schema_is_refused(create: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """A store that a newer passhat made is refused, with what to do."""
    path = tmp_path / "runs.db"
    SqliteStore(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()

    sentence = refusal(path, create=create)

    assert "newer passhat" in sentence
    assert "upgrade passhat, or name another file with '--store PATH'" in sentence


def test_empty_file_is_no_store_to_read(tmp_path: Path) -> None:
    """An empty file holds no runs to read; it may become a store."""
    path = tmp_path / "runs.db"
    path.touch()

    refusal(path, create=False)
    store = SqliteStore(path)
    store.create(header())
    store.close()


@pytest.mark.parametrize("create", [True, False])
def test_refusal_says_what_to_do(create: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    """A file that is no store, or a folder, is refused with the way out."""
    (tmp_path / "notes.txt").write_text("milk, bread, " * 100)

    assert "name another file with '--store PATH'" in refusal(tmp_path / "notes.txt", create=create)
    assert "name a file in it with '--store PATH'" in refusal(tmp_path, create=create)


def test_empty_file_becomes_its_owners() -> None:
    """An empty file that everybody may read is made private before anything is written to it."""
    with open_folder() as folder:
        path = folder / "runs.db"
        path.touch(mode=0o644)
        path.chmod(0o644)
        SqliteStore(path).close()

        assert stat.S_IMODE(path.stat().st_mode) == 0o600


class Foreign(PosixPath):
    """A file of somebody else, who alone may change its mode."""

    def chmod(self, mode: int, *, follow_symlinks: bool = True) -> None:
        """Refuse, as the system does."""
        del mode, follow_symlinks
        raise PermissionError


def test_empty_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """An empty file that cannot be made private is left alone, and the sentence says so."""
    path = Foreign(tmp_path / "runs.db")
    path.touch()
    Path(path).chmod(0o644)

    with pytest.raises(OSError, match="others may read it, which cannot be changed here; name another file"):
        connect(path, create=True, write=True)

    assert path.stat().st_size == 0


def test_read_only_folder_takes_no_store() -> None:
    """A store that cannot be made says so."""
    with open_folder() as folder:
        folder.chmod(0o555)
        with unprivileged():
            assert "may not be written here; name another file" in refusal(folder / "runs.db")


def test_read_only_store_takes_no_run() -> None:
    """A store that may be read but not written is refused for writing before anything runs."""
    with open_folder() as folder:
        SqliteStore(folder / "runs.db").close()
        (folder / "runs.db").chmod(0o444)
        folder.chmod(0o555)
        with unprivileged():
            assert "may not be written" in refusal(folder / "runs.db")


def test_store_nobody_may_read_says_so() -> None:
    """A store without permission to read is one sentence, too."""
    with open_folder() as folder:
        SqliteStore(folder / "runs.db").close()
        with unprivileged():
            assert "it may not be read; name another file" in refusal(folder / "runs.db", create=False)


def test_store_in_a_read_only_folder_can_be_read() -> None:
    """Reading needs no right to write: neither to the file nor to its folder."""
    with open_folder() as folder:
        store = SqliteStore(folder / "runs.db")
        store.create(header())
        store.append("run-1", [row(0, 0), row(1, 0)])
        store.close()
        (folder / "runs.db").chmod(0o444)
        folder.chmod(0o555)
        with unprivileged():
            reader = SqliteStore(folder / "runs.db", create=False)
            run = reader.open()
            found = (sum(run.trials.counts().passed), len(list(run.trials)))
            with pytest.raises(PasshatError):
                reader.delete("run-1")
            reader.close()

    assert found == (2, 2)


def test_store_may_be_made_by_two_at_once(tmp_path: Path) -> None:
    """Two processes that make one store at the same moment both get it."""
    for attempt in range(5):
        path = tmp_path / f"runs-{attempt}.db"
        at_once = threading.Barrier(4)
        failures: list[str] = []

        def make(path: Path = path, at_once: threading.Barrier = at_once, failures: list[str] = failures) -> None:
            at_once.wait()
            try:
                SqliteStore(path).close()
            except PasshatError as error:
                failures.append(str(error))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert failures == []


def _hold(path: str) -> None:
    store = SqliteStore(path)
    store.create(header("run-2"))
    store.append("run-2", [row(0, 0)])
    store.close()


def test_two_processes_share_a_store(tmp_path: Path) -> None:
    """A run that another process adds is seen."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header())
    other = multiprocessing.get_context("spawn").Process(target=_hold, args=(str(tmp_path / "runs.db"),))

    other.start()
    other.join()

    assert [one.id for one in store.runs()] == ["run-2", "run-1"]
    store.close()


@pytest.mark.parametrize(
    ("asked", "problem"),
    [("zzz", "there is no run 'zzz'"), ("run-", "the beginning of 2 runs"), ("", "a run is named by its id")],
)
def test_run_that_is_not_found_is_helped_with(asked: str, problem: str, tmp_path: Path) -> None:
    """A run that is none, or ambiguous, is a sentence with the runs that there are."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header("run-1"))
    store.create(header("run-2"))

    with pytest.raises(UsageError, match=problem) as caught:
        store.open(asked)
    store.close()

    assert "run-1" in str(caught.value)


def test_store_that_is_read_is_not_written(tmp_path: Path) -> None:
    """A store that was opened for reading refuses to write, in our words and in SQLite's own."""
    SqliteStore(tmp_path / "runs.db").close()
    reader = SqliteStore(tmp_path / "runs.db", create=False)

    with pytest.raises(StoreUnusable, match="was opened for reading: open it with write=True"):
        reader.create(header())
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._db.execute("DELETE FROM run")  # noqa: SLF001 - past our own refusal
    reader.close()

    assert [each.name for each in tmp_path.iterdir()] == ["runs.db"]


@pytest.mark.parametrize("how", [{"create": True}, {"create": False}, {"create": False, "write": True}], ids=str)
def test_schema_of_a_file_is_never_trusted(how: dict[str, bool], tmp_path: Path) -> None:
    """However a file is opened, functions that its own views and triggers call are not trusted."""
    SqliteStore(tmp_path / "runs.db").close()
    store = SqliteStore(tmp_path / "runs.db", **how)
    (trusted,) = store._db.execute("PRAGMA trusted_schema").fetchone()  # noqa: SLF001 - to see what it is set to
    store.close()

    assert trusted == 0
