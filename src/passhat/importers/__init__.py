"""Importers: another tool's log becomes a run like any other. One file a format, and one line here."""

from __future__ import annotations

from passhat.importers.base import Imported, Importer, Origin
from passhat.importers.jsonl import Jsonl

jsonl = Jsonl

IMPORTERS: dict[str, type[Importer]] = {
    "jsonl": Jsonl,
}

__all__ = ["IMPORTERS", "Imported", "Importer", "Jsonl", "Origin", "jsonl"]
