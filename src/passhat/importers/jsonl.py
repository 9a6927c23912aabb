"""The plainest log there is: one JSON object a line, one line a trial.

{"task": "refund", "passed": true}
{"task": "refund", "trial": 1, "condition": "rate_limit(rate=0.2)", "outcome": "TIMEOUT", "seconds": 60}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passhat.importers._json import NotReadable, one_line
from passhat.importers._table import Row, Table
from passhat.importers.base import Problems


@dataclass(frozen=True, slots=True)
class Jsonl(Table):
    """One JSON object a line: `task`, and `passed` (true or false) or `outcome` (PASS, FAIL, CRASH, TIMEOUT, VOID).

    A line may also say `trial` (its number, from 0 or from 1; else trials are counted in order), `condition` (else
    clean), and what else the table of columns has. Other fields are left out, and the run's provenance names them.
    """

    def rows(self, text: str, problems: Problems) -> Iterator[tuple[int, Row]]:
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
