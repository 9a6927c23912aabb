"""Where a PostgreSQL store is: its URL read, and what of it may be shown, which is never a password.

libpq, PostgreSQL's own client library, reads the URL, so all that it knows may stand there. Only a password with a
character that ends it is found before, because libpq would complain of it by showing its second half as a host.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from passhat.errors import StoreUnusable

SCHEME = "postgresql"
_SCHEMES = re.compile(r"postgres(?:ql)?://")
_AUTHORITY = re.compile(r"[^/?]*")
_EXAMPLE = f"{SCHEME}://USER@HOST:5432/DATABASE"
# Without these a server that has vanished from the network, and says nothing any more, would be waited for for hours.
_DEFAULTS: Mapping[str, Any] = {
    "application_name": "passhat",
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


@dataclass(frozen=True, slots=True)
class Address:
    """What libpq is told, the password among it, and what people are shown."""

    settings: Mapping[str, Any] = field(repr=False)
    shown: str

    def __str__(self) -> str:
        """The place as it may be shown."""
        return self.shown


def read(place: str) -> Address:
    """The address that a URL means, its scheme left out or not."""
    rest = _SCHEMES.sub("", place, count=1)
    found = _AUTHORITY.match(rest)
    authority = found[0] if found else ""
    user, _, _ = authority.rpartition("@")
    path = rest[len(authority) :].partition("?")[0]
    if "@" in path or "@" in user or user.count(":") > 1:
        raise StoreUnusable(
            "the store's URL has an @, : or / too many: write those of a user's name, a password or a database as "
            f"%40, %3A and %2F, as in {_EXAMPLE}"
        )
    settings = _settings(f"{SCHEME}://{rest}", _shown_part(rest, authority))
    return Address({**_DEFAULTS, **settings}, _shown(settings))


def _settings(url: str, shown: str) -> Mapping[str, Any]:
    """What the URL says, in libpq's own names."""
    from passhat.stores._postgres_line import driver

    psycopg = driver(shown)
    try:
        read: Mapping[str, Any] = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:  # its text may hold any part of the URL
        raise StoreUnusable(f"{shown} is no URL of a PostgreSQL database: write it as {_EXAMPLE}") from None
    return read


def _shown_part(rest: str, authority: str) -> str:
    """Host and database of a URL that nobody has read yet."""
    path = rest[len(authority) :].partition("?")[0]
    return f"{SCHEME}://{_harmless(authority.rpartition('@')[2])}{_harmless(path)}"


def _shown(settings: Mapping[str, Any]) -> str:
    """The place without its password; a socket's folder stands where libpq takes it, behind the question mark."""
    user, host, port, database = (_harmless(str(settings.get(key, ""))) for key in ("user", "host", "port", "dbname"))
    socket = host.startswith("/")
    at = "" if socket else f"{host}{':' if port else ''}{port}"
    more = f"?host={host}{'&port=' if port else ''}{port}" if socket else ""
    return f"{SCHEME}://{user}{'@' if user else ''}{at}/{database}{more}"


def _harmless(text: str) -> str:
    return quote(text, safe="/:,[]._-~*")
