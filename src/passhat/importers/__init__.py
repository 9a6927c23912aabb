"""Importers: another tool's log becomes a run like any other. One file a format, and one line here."""

from __future__ import annotations

from passhat.importers.base import Imported, Importer, Origin
from passhat.importers.csv import Csv
from passhat.importers.jsonl import Jsonl
from passhat.importers.passhat import Passhat
from passhat.importers.tau2_bench import Tau2Bench
from passhat.importers.tau_bench import TauBench

csv = Csv
jsonl = Jsonl
passhat = Passhat
tau2_bench = Tau2Bench
tau_bench = TauBench

IMPORTERS: dict[str, type[Importer]] = {
    "jsonl": Jsonl,
    "csv": Csv,
    "passhat": Passhat,
    "tau_bench": TauBench,
    "tau2_bench": Tau2Bench,
}

__all__ = [
    "IMPORTERS",
    "Csv",
    "Imported",
    "Importer",
    "Jsonl",
    "Origin",
    "Passhat",
    "Tau2Bench",
    "TauBench",
    "csv",
    "jsonl",
    "passhat",
    "tau2_bench",
    "tau_bench",
]
