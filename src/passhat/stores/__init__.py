"""Stores: where trials live. One file a store, and one line here."""

from __future__ import annotations

from passhat.stores.base import Store
from passhat.stores.memory import MemoryStore
from passhat.stores.sqlite import SqliteStore

memory = MemoryStore
sqlite = SqliteStore

STORES: dict[str, type[Store]] = {
    "sqlite": SqliteStore,
    "memory": MemoryStore,
}

__all__ = ["STORES", "MemoryStore", "SqliteStore", "Store", "memory", "sqlite"]
