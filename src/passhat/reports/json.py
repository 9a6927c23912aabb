"""The report for machines: summary and verdict as one JSON object, every estimate with all its fields.

    {
      "schema": "1.0",                  the codec's; a reader refuses a newer major
      "kind": "report",
      "summary": {"schema", "kind": "summary", "value": {"header", "k", "tally", "rows", "strips", …}},
      "verdict": {"schema", "kind": "verdict", "value": {"status", "findings"}} or null,
      "examples": [{"schema", "kind": "trial", "value"}]     trials that did not pass, where trials were given
      "leaves_out": ["…"]               what this report does not hold
    }

`summary`, `verdict` and each example are documents of the codec, which reads them back. Elsewhere the codec
leaves out what is at its default; here an estimate says its n, c, k, tasks and level always.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from passhat.model import codec
from passhat.model.plain import mended
from passhat.model.run import Trials
from passhat.model.summary import Row, Summary
from passhat.model.verdict import Verdict
from passhat.reports._escape import for_json
from passhat.reports._view import blocks, examples
from passhat.reports.base import Report

SCHEMA = f"{codec.MAJOR}.{codec.MINOR}"


@dataclass(frozen=True, slots=True)
class Json(Report):
    """Everything measured and judged, for programs; `indent=0` puts it on one line."""

    indent: int = 2

    def render(self, summary: Summary, verdict: Verdict | None = None, *, trials: Trials | None = None) -> str:
        shown = () if trials is None else tuple(examples(blocks(summary), trials))
        value = {
            "schema": SCHEMA,
            "kind": "report",
            "summary": _document("summary", _summary(summary)),
            "verdict": None if verdict is None else _document("verdict", _verdict(verdict)),
            "examples": [_document("trial", msgspec.to_builtins(example.trial)) for example in shown],
            "leaves_out": [_LEAVES_OUT if trials is None else _SHOWS_EXAMPLES],
        }
        return for_json(msgspec.json.format(_encoded(value), indent=self.indent or -1).decode()) + "\n"


_LEAVES_OUT = "the trials: none was given, so none is shown"
_SHOWS_EXAMPLES = "the trials, but for the examples"


def _encoded(value: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate, which UTF-8 refuses: it stays visible as an escape
        return msgspec.json.encode(mended(msgspec.to_builtins(value)))


def _document(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"schema": SCHEMA, "kind": kind, "value": value}


def _summary(summary: Summary) -> dict[str, Any]:
    value = msgspec.structs.asdict(summary)
    return value | {
        "header": msgspec.structs.asdict(summary.header),
        "rows": [_row(row) for row in summary.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    return msgspec.structs.asdict(row) | {"estimates": [msgspec.structs.asdict(one) for one in row.estimates]}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"status": verdict.status, "findings": [msgspec.structs.asdict(one) for one in verdict.findings]}
