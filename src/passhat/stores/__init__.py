"""Stores: where trials live. One file a store, and one line here."""

from __future__ import annotations

from passhat.stores.base import Store
from passhat.stores.memory import MemoryStore
from passhat.stores.postgres import PostgresStore
from passhat.stores.sqlite import SqliteStore

memory = MemoryStore
postgres = PostgresStore
sqlite = SqliteStore

STORES: dict[str, type[Store]] = {
    "sqlite": SqliteStore,
    "postgres": PostgresStore,
    "memory": MemoryStore,
}
# What a URL calls a store besides: PostgreSQL's own clients take both words.
ALIASES = {"postgresql": "postgres"}

__all__ = [
    "ALIASES",
    "STORES",
    "MemoryStore",
    "PostgresStore",
    "SqliteStore",
    "Store",
    "memory",
    "postgres",
    "sqlite",
]
