"""The plainest log there is: one JSON object a line, one line a trial.

{"task": "refund", "passed": true}
{"task": "refund", "trial": 1, "condition": "rate_limit(rate=0.2)", "outcome": "TIMEOUT", "seconds": 60}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from passhat.errors import UsageError
from passhat.importers._records import MOST_TRIALS, Record, assembled
from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.answer import Answer
from passhat.model.condition import Condition
from passhat.model.outcome import Outcome

_MOST_LEFT_OUT = 100
_WORDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text", "array": "a list"}
_decode = msgspec.json.Decoder().decode


class _Row(msgspec.Struct, frozen=True):
    """The fields of a line; null is as good as a field that is not there, but for `output`."""

    task: str
    trial: Annotated[int, msgspec.Meta(ge=0, lt=MOST_TRIALS)] | None = None
    passed: bool | None = None
    outcome: str | None = None
    condition: str | None = None
    output: Any = msgspec.UNSET
    detail: str | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0)] | None = None


_FIELDS = frozenset(_Row.__struct_fields__)


@dataclass(frozen=True, slots=True)
class Jsonl(Importer):
    """One JSON object a line: `task`, and `passed` (true or false) or `outcome` (PASS, FAIL, CRASH, TIMEOUT, VOID).

    A line may also say `trial` (its number, from 0 or from 1; else trials are counted in order), `condition` (else
    clean), `output`, `detail` and `seconds`. Other fields are left out, and the run's provenance names them.
    """

    def read(self, text: str, origin: Origin) -> Imported:
        problems, records = Problems(origin.source), []
        others: set[str] = set()
        for line, row in _rows(text, problems):
            try:
                others |= _others(row)
                records.append(_record(line, row))
            except UsageError as error:
                problems.note(line, str(error))
        left_out = sorted(others)[:_MOST_LEFT_OUT]
        return assembled(records, origin, self, problems, provenance={"left_out": left_out} if left_out else None)


def _rows(text: str, problems: Problems) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects of *text* with their lines; an empty line is none."""
    # Not splitlines: a JSON string may hold the other characters that end a line there.
    for line, written in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not written.strip():
            continue
        try:
            row = _decode(written)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            problems.note(line, f"this is not JSON: {error}")
            continue
        if isinstance(row, dict):
            yield line, row
        else:
            problems.note(line, f'a trial is an object such as {{"task": "a", "passed": true}}, not {written!r:.80}')


def _record(line: int, row: Mapping[str, Any]) -> Record:
    """The trial that *row* tells of."""
    try:
        read = msgspec.convert(row, _Row)
    except msgspec.ValidationError as error:
        raise UsageError(_said(error)) from None
    if not read.task.strip():
        raise UsageError("'task' is empty, and it names the task")
    return Record(
        line=line,
        task=read.task,
        outcome=_outcome(read.passed, read.outcome),
        condition=Condition.parse(read.condition or "").name,
        number=read.trial,
        answer=None if read.output is msgspec.UNSET else Answer(read.output),
        detail=read.detail or "",
        seconds=read.seconds or 0.0,
    )


def _outcome(passed: bool | None, outcome: str | None) -> Outcome:  # noqa: FBT001 - the field of a line
    """How the trial ended, as far as both fields agree."""
    if outcome is None:
        if passed is None:
            raise UsageError("it says neither 'passed' nor 'outcome'")
        return Outcome.PASS if passed else Outcome.FAIL
    if outcome not in list(Outcome):
        raise UsageError(f"'outcome' is one of {', '.join(Outcome)}, not {outcome!r:.80}")
    if passed is not None and passed != (outcome == Outcome.PASS):
        raise UsageError(f"'passed' is {str(passed).lower()}, and 'outcome' is {outcome}")
    return Outcome(outcome)


def _others(row: Mapping[str, Any]) -> set[str]:
    """The fields of *row* that are not ours; one that looks like a slip of the pen is an error."""
    others = row.keys() - _FIELDS
    for name in sorted(others):
        meant = _meant(name)
        if meant and meant not in row:
            raise UsageError(f"there is no field {name!r:.80}: did you mean {meant!r}?")
    return others


@lru_cache(maxsize=256)
def _meant(name: str) -> str:
    """The field that *name* nearly is, or an empty text. A misspelt condition must not pass for the clean one."""
    return next(iter(get_close_matches(name.lower(), _FIELDS, n=1, cutoff=0.8)), "")


def _said(error: msgspec.ValidationError) -> str:
    """What msgspec complains of in the words of JSON, the field first."""
    what, _, field = str(error).partition(" - at `$.")
    if missing := re.search(r"missing required field `(\w+)`", what):
        return f"it has no {missing[1]!r}"
    words = re.sub(r"`(\w+)(?: \| null)?`", lambda kind: _WORDS.get(kind[1], kind[1]), what)
    return f"{field.rstrip('`')!r}: {words[:1].lower()}{words[1:]}"
