"""The plainest log there is: one JSON object a line, one line a trial.

{"task": "refund", "passed": true}
{"task": "refund", "trial": 1, "condition": "rate_limit(rate=0.2)", "outcome": "TIMEOUT", "seconds": 60}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.errors import UsageError
from passhat.importers._json import NotReadable, document, is_list, one_line
from passhat.importers._json import rows as rows_of
from passhat.importers._table import Row, Table
from passhat.importers.base import Problems


@dataclass(frozen=True, slots=True)
class Jsonl(Table):
    """One JSON object a line: `task`, and `passed` (true or false) or `outcome` (PASS, FAIL, CRASH, TIMEOUT, VOID).

    A line may also say `trial` (its number, from 0 or from 1; else trials are counted in order), `condition` (else
    clean), and what else the table of columns has. Other fields are left out, and the run's provenance names them.
    """

    def rows(self, text: str, problems: Problems) -> Iterator[tuple[int, Row]]:
        _refuse_document(text, problems)
        # Not splitlines: a JSON string may hold the other characters that end a line there.
        for line, written in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
            if not written.strip():
                continue
            try:
                row = one_line(written)
            except NotReadable as error:
                problems.note(line, error.sentence)
                continue
            if isinstance(row, dict):
                yield line, row
            else:
                problems.note(
                    line, f'a trial is an object such as {{"task": "a", "passed": true}}, not {written!r:.80}'
                )


def _refuse_document(text: str, problems: Problems) -> None:
    """Refuse a text that is one JSON value over many lines, or a list, in one sentence that says what to do with it.

    Its first line has nothing but brackets, which no trial has, or it is a list on the only line there is.
    """
    first, _, more = text.removeprefix("\ufeff").strip().partition("\n")
    if first and (not first.strip("[{ \t\r") or (is_list(first) and not more)):
        kind = "a JSON list" if is_list(first) else "one JSON object over many lines"
        problems.note(0, f"this is {kind}, and jsonl is one JSON object a line: {_instead(text)}")
        problems.refuse()


def _instead(text: str) -> str:
    """Which format the JSON value is in, or how its trials are written a line each."""
    try:
        value = next(rows_of(text, ""), None) if is_list(text) else document(text, "")
    except UsageError:  # not JSON to its end, which need not be said as well
        value = None
    if isinstance(value, dict) and "simulations" in value:
        return "it looks like a result file of τ²-bench, whose format is tau2-bench"
    if isinstance(value, dict) and {"task_id", "reward"} <= value.keys():
        return "it looks like a result file of τ-bench, whose format is tau-bench"
    path = '".[]"' if is_list(text) else "."
    return f"write one with 'jq -c {path} FILE', and import that"
