"""The file of the SQLite store: opening it, telling whether it is ours, and bringing its tables up to date."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from passhat.errors import StoreUnusable
from passhat.stores._sqlite_schema import APPLICATION_ID, MIGRATIONS

_BUSY_SECONDS = 30.0


def connect(path: Path, *, create: bool, write: bool) -> sqlite3.Connection:
    """A connection; a new file belongs to its owner alone from its first byte on."""
    if create and not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    if path.is_dir():
        raise OSError("it is a folder")
    if not path.is_file():
        raise OSError("it is not a file")
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
    return db


def check_ours(db: sqlite3.Connection, path: Path, *, create: bool) -> None:
    """Refuse another program's database, one that a newer passhat made, and for reading an empty one."""
    (mine,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and not create:
        db.close()
        raise StoreUnusable(f"{path} is empty: 'passhat run' makes a store of it, '--store PATH' names another")
    if mine != APPLICATION_ID and tables:
        db.close()
        raise StoreUnusable(f"{path} is a database of another program: name another file with '--store PATH'")
    if version > len(MIGRATIONS):
        db.close()
        raise StoreUnusable(
            f"the store {path} was made by a newer passhat (its schema is {version}, this one knows up to "
            f"{len(MIGRATIONS)}): upgrade with 'pip install -U passhat', or name another file with '--store PATH'"
        )


def migrate(db: sqlite3.Connection) -> None:
    """Bring the tables up to date; each migration is one transaction."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for number in range(version, len(MIGRATIONS)):
        db.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[number]}; PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {number + 1}; COMMIT"
        )


def why(error: Exception) -> str:
    """What the file or SQLite says, in words that help."""
    if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
        return "it is not a database"
    if isinstance(error, FileNotFoundError):
        return "its folder does not exist: make it first"
    if isinstance(error, NotADirectoryError):
        return "its folder is a file"
    if isinstance(error, PermissionError) or "readonly" in str(error):
        return "it may not be written here"
    return getattr(error, "strerror", None) or str(error)
