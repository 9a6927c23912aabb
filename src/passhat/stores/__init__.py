"""Stores: where trials live. One file a store, and one line here."""

from __future__ import annotations

from passhat.stores.base import Store
from passhat.stores.sqlite import SqliteStore

sqlite = SqliteStore

STORES: dict[str, type[Store]] = {
    "sqlite": SqliteStore,
}

__all__ = ["STORES", "SqliteStore", "Store", "sqlite"]
