"""The connection of the PostgreSQL store: opened at once or not at all, and opened again where it is lost later.

Whatever is asked of the database is one transaction. Where the connection is lost during it, nobody knows at first
whether it was committed: it is carried out once more, and told that this is `again`, so that it can see what is there.
Waiting for a server has an end, and clock and sleep are handed in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from passhat.errors import StoreFailed, StoreUnusable
from passhat.stores._postgres_why import is_lasting, why

if TYPE_CHECKING:
    import psycopg

    from passhat.stores._postgres_url import Address

    Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")
PATIENCE = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
# Names are looked up in our own schema or PostgreSQL's, whatever else the database holds. Of a table that has just been
# filled the planner knows nothing yet, and would sort a whole run for every page of it: the key is in order already.
_SESSION = (
    "SET search_path TO pg_catalog; SET client_min_messages TO warning; SET lock_timeout TO '30s';"
    " SET idle_in_transaction_session_timeout TO '60s'; SET default_transaction_isolation TO 'read committed';"
    " SET enable_bitmapscan TO off; SET enable_sort TO off; SET default_transaction_read_only TO "
)


def driver(shown: str) -> ModuleType:
    """The driver, or one sentence on how it is installed."""
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError as error:
        raise StoreUnusable(
            f"the store {shown} needs PostgreSQL's driver: install it with pip install 'passhat[postgres]' ({error})"
        ) from error
    return psycopg


class Line:
    """One connection, used by one thread at a time, which comes back after the server has been away."""

    def __init__(
        self, address: Address, *, write: bool, clock: Callable[[], float], sleep: Callable[[float], None]
    ) -> None:
        """Connect at once; what stands in the way is one sentence, and nothing is waited for."""
        self.address = address
        self.writes = write
        self.patience = PATIENCE
        self._clock = clock
        self._sleep = sleep
        self._driver = driver(str(address))
        self._lock = threading.Lock()
        self._closed = False
        try:
            self._db = self._connected()
        except self._driver.Error as error:
            raise StoreUnusable(f"the store {address} cannot be opened: {why(error)}") from error

    def do(self, action: Callable[[Connection, bool], T]) -> T:
        """What *action* gives for a connection, within a transaction; it is told whether it is asked *again*."""
        with self._lock:
            if self._closed:
                raise StoreFailed(f"the store {self.address} was closed")
            until: float | None = None
            while True:
                try:
                    with self._db.transaction():
                        return action(self._db, until is not None)
                except (self._driver.OperationalError, self._driver.InterfaceError) as error:
                    if not self._db.closed:
                        raise
                    until = self._clock() + self.patience if until is None else until
                    self._come_back(until, error)

    @contextmanager
    def said(self, kind: type[StoreFailed | StoreUnusable]) -> Iterator[None]:
        """Within this, what the database refuses is one error of this *kind*; what is read may be unsound."""
        try:
            yield
        except self._driver.Error as error:
            raise kind(f"the store {self.address} failed: {why(error)}") from error
        except (msgspec.MsgspecError, LookupError, ValueError, TypeError) as error:
            if kind is StoreFailed:  # nothing was read: a bug of ours
                raise
            raise StoreUnusable(f"the store {self.address} holds what passhat never wrote: {error}") from error

    def close(self) -> None:
        """Close the connection; nothing is done on it any more."""
        self._closed = True
        self._db.close()

    def _come_back(self, until: float, lost: Exception) -> None:
        """Connect again, however often it takes until the moment *until*."""
        pause = _FIRST_PAUSE
        self._db.close()
        while True:
            if self._clock() >= until:
                raise self._gone(lost) from lost
            try:
                self._db = self._connected()
            except self._driver.Error as error:
                if is_lasting(error) or self._clock() + pause >= until:
                    raise self._gone(error) from error
                self._sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    def _gone(self, error: Exception) -> StoreFailed:
        return StoreFailed(
            f"the store {self.address} went away and did not come back within {self.patience:g} seconds: {why(error)}"
        )

    def _connected(self) -> Connection:
        db: Connection = self._driver.connect(
            autocommit=True, prepare_threshold=None, **{**self.address.settings, "client_encoding": "utf8"}
        )
        try:
            db.execute(_SESSION + ("off" if self.writes else "on"))
        except self._driver.Error:
            db.close()
            raise
        return db
