"""The file of the SQLite store: opening it, telling whether it is ours, and bringing its tables up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path

import msgspec

from passhat.errors import StoreUnusable
from passhat.stores._sqlite_schema import APPLICATION_ID, MIGRATIONS

_BUSY_SECONDS = 30.0
_PAUSE = 0.01
_OWN = 0o600
_ANOTHER = "name another file with '--store PATH'"
_TROUBLES = {
    sqlite3.SQLITE_FULL: "its disk is full: make room, and go on",
    sqlite3.SQLITE_BUSY: f"somebody else keeps it locked, for {_BUSY_SECONDS:g} seconds now: let that one end first",
}
# What decoding raises where a row is not as it was written: SQLite itself has no checksums.
_NOT_AS_WRITTEN = (msgspec.MsgspecError, ValueError, LookupError, TypeError, ArithmeticError)


def connect(path: Path, *, create: bool, write: bool) -> sqlite3.Connection:
    """A connection; a new file belongs to its owner alone from its first byte on."""
    if create and not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _OWN))
    if path.is_dir():
        raise IsADirectoryError
    if not path.is_file():
        raise OSError(f"it is not a file; {_ANOTHER}")
    if create and not path.stat().st_size:
        _make_private(path)
    if not os.access(path, os.R_OK):
        raise OSError(f"it may not be read; {_ANOTHER}, or get the right to read it")
    mode = "rw" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "ro"
    if write and mode == "ro":
        raise PermissionError(f"{path} may not be written")
    # Without the right to write, a file whose log is gone is read as it stands: SQLite would want to make a log.
    still = "&immutable=1" if mode == "ro" and not Path(f"{path}-wal").exists() else ""
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}{still}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db.execute("PRAGMA trusted_schema = OFF")
    if not write:
        # Not `mode=ro`: whoever comes last so would leave the log beside the file, and not take it away.
        db.execute("PRAGMA query_only = ON")
    return db


def _make_private(path: Path) -> None:
    """Take an empty file over, as if it had been made here; who made it may have let everybody read it."""
    if path.stat().st_mode & ~_OWN & 0o777:
        try:
            path.chmod(_OWN)
        except OSError:
            raise OSError(f"it is empty, and others may read it, which cannot be changed here; {_ANOTHER}") from None


def check_ours(db: sqlite3.Connection, path: Path, *, create: bool) -> None:
    """Refuse another program's database, one that a newer passhat made, and an empty one where it is to be read."""
    # The tables first: whoever makes them at this moment signs them in the same transaction.
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (mine,) = db.execute("PRAGMA application_id").fetchone()
    made = version(db)
    if mine != APPLICATION_ID and tables:
        db.close()
        raise StoreUnusable(f"{path} is a database of another program: name another file with '--store PATH'")
    if not tables and not create:
        db.close()
        raise StoreUnusable(f"{path} is empty: 'passhat run' fills it, '--store PATH' names another")
    if made > len(MIGRATIONS):
        db.close()
        raise StoreUnusable(
            f"the store {path} was made by a newer passhat (its schema is {made}, this one knows up to "
            f"{len(MIGRATIONS)}): upgrade passhat, or name another file with '--store PATH'"
        )


def migrate(db: sqlite3.Connection) -> None:
    """Bring the tables up to date, all or none; of two who come at once, one does it and the other finds it done."""
    _write_ahead(db)
    db.execute("PRAGMA synchronous = NORMAL")
    if version(db) < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        upgrade(db)
        db.execute("COMMIT")


def upgrade(db: sqlite3.Connection) -> None:
    """Carry out the migrations that are missing, within a transaction."""
    if version(db) == len(MIGRATIONS):
        return
    for migration in MIGRATIONS[version(db) :]:
        for statement in _statements(migration):
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite does not wait here where somebody else is switching, so we do."""
    patience = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(_PAUSE)
        else:
            return


def version(db: sqlite3.Connection) -> int:
    """How many migrations have made these tables."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The statements of *script*, one after the other."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Within this, what cannot be read, or is not as it was written, is one sentence about the file."""
    try:
        yield
    except (sqlite3.Error, *_NOT_AS_WRITTEN) as error:
        raise StoreUnusable(f"the store {path} cannot be read: {why(error)}") from error


def is_damage(error: Exception) -> bool:
    """True where the file is not as it was written."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT or isinstance(error, _NOT_AS_WRITTEN)


def why(error: Exception) -> str:
    """What the file or SQLite says, in words that help."""
    if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
        return f"it is not a database; {_ANOTHER}"
    if is_damage(error):
        return "it is damaged; take a copy from before, or save what is left with the '.recover' of sqlite3"
    trouble = _TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if trouble:
        return trouble
    if getattr(error, "errno", 0) == ENOSPC:
        return _TROUBLES[sqlite3.SQLITE_FULL]
    if isinstance(error, FileNotFoundError):
        return "its folder does not exist; make it first"
    if isinstance(error, IsADirectoryError):
        return "it is a folder; name a file in it with '--store PATH'"
    if isinstance(error, NotADirectoryError):
        return f"its folder is a file; {_ANOTHER}"
    if isinstance(error, PermissionError) or "readonly" in str(error):
        return f"it may not be written here; {_ANOTHER}, or get the right to write there"
    return getattr(error, "strerror", None) or str(error)
