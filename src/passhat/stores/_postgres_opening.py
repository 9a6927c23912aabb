"""Opening the PostgreSQL store: telling whether it is there and may be used, and bringing its tables up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passhat.errors import StoreUnusable
from passhat.stores._postgres_schema import LOCK, MIGRATIONS

if TYPE_CHECKING:
    from passhat.stores._postgres_line import Connection


def made_sure(db: Connection, place: str, *, create: bool, write: bool) -> None:
    """Make the tables where they may be made; refuse what cannot be used, before anything runs."""
    encoding = db.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreUnusable(
            f"the database of {place} is in {encoding}, and a trial may hold any text: make one with "
            "'createdb -E UTF8 -T template0'"
        )
    if create:
        (read_only,) = db.execute("SELECT pg_is_in_recovery()").fetchone() or (False,)
        if read_only:
            raise StoreUnusable(f"the store {place} may only be read there: name a server that may be written")
        lock(db)
        upgrade(db)
    made = version(db)
    if made == 0:
        raise StoreUnusable(
            f"there is no store in {place} yet: 'passhat run' makes one, '--store postgresql://…' names another"
        )
    if made > len(MIGRATIONS):
        raise StoreUnusable(
            f"the store {place} was made by a newer passhat (its schema is {made}, this one knows up to "
            f"{len(MIGRATIONS)}): upgrade passhat, or name another database"
        )
    if write:
        (allowed,) = db.execute("SELECT has_table_privilege('passhat.trial', 'INSERT')").fetchone() or (False,)
        if not allowed:
            raise StoreUnusable(f"the store {place} may not be written by this user: get the right, or name another")


def upgrade(db: Connection) -> None:
    """Carry out the migrations that are missing; whoever does holds the lock."""
    made = version(db)
    if made == 0 and not db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'passhat'").fetchone():
        db.execute("CREATE SCHEMA passhat")
    for migration in MIGRATIONS[made:]:
        db.execute(migration)
    if made < len(MIGRATIONS):
        db.execute("UPDATE passhat.schema_version SET version = %s", (len(MIGRATIONS),))


def version(db: Connection) -> int:
    """How many migrations have made these tables; 0 where there are none."""
    (there,) = db.execute("SELECT to_regclass('passhat.schema_version') IS NOT NULL").fetchone() or (False,)
    found = db.execute("SELECT version FROM passhat.schema_version").fetchone() if there else None
    return int(found[0]) if found else 0


def lock(db: Connection) -> None:
    """Keep everybody else from making tables or runs, or deleting one, until this transaction ends."""
    db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
