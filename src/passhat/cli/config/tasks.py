"""The tasks of `passhat.toml`: written in it, or a row each in a file of JSON lines or a table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any

from passhat.cli.config.keys import TASK
from passhat.cli.config.notes import Notes
from passhat.errors import UsageError
from passhat.model.parts import nearest
from passhat.model.task import Task

_KINDS = (".jsonl", ".csv")
_FEW = 30
Row = Mapping[str, Any]


def inline(rows: list[Any], notes: Notes) -> list[Task]:
    """The tasks that are written in the file itself."""
    found = []
    for position, row in enumerate(rows):
        path = ("suite", "tasks", position)
        if not isinstance(row, dict):
            notes.add(path, f"a task is a table with id and input, not {row!r:.80}")
            continue
        problems = _problems(row)
        notes.add(path, *problems)
        found += [] if problems else [_task(row)]
    return found


def from_file(path: Path, shown: str, columns: Mapping[str, str]) -> list[Task]:
    """The tasks in a file of their own; every row that is none is told of, with its line."""
    if path.suffix not in _KINDS:
        raise UsageError(f"a file of tasks ends in {' or '.join(_KINDS)}, and {shown} does not")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{shown} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{shown} is not UTF-8: save it as UTF-8") from None
    notes = Notes(shown, most=_FEW)
    rows = _lines(text, notes) if path.suffix == ".jsonl" else _table(text, notes, columns)
    found = [task for line, row in rows for task in _read(line, row, columns, notes)]
    if notes.problems:
        raise UsageError(*notes.problems)
    return found


def _read(line: int, row: Row, columns: Mapping[str, str], notes: Notes) -> Iterable[Task]:
    """The task of a row, with its fields under the names that we give them."""
    renamed = {name: row[stands] for name in TASK if (stands := columns.get(name, name)) in row}
    problems = [*_slips(row, renamed, columns), *_problems(renamed)]
    for problem in problems:
        notes.at(line, problem)
    return [] if problems else [_task(renamed)]


def _slips(row: Row, renamed: Row, columns: Mapping[str, str]) -> Iterator[str]:
    """Fields that nearly have the name of one that is missing; whatever else a row holds is not ours."""
    for name in row.keys() - TASK.keys() - set(columns.values()):
        meant = get_close_matches(name.lower(), TASK.keys() - renamed.keys(), n=1, cutoff=0.8)
        if meant:
            yield f"there is no field {name!r}: did you mean {meant[0]!r}?"


def _problems(row: Row) -> list[str]:
    """What is wrong with a task."""
    return [
        *(f"a task has no {name!r}{nearest(name, TASK)}" for name in row if name not in TASK),
        *(f"a task needs {name!r}" for name in ("id", "input") if name not in row),
        *(f"{name}: {problem}" for name, key in TASK.items() if name in row and (problem := key.problem(row[name]))),
    ]


def _task(row: Row) -> Task:
    more = {name: row[name] for name in ("expect", "metadata") if name in row}
    return Task(row["id"], row["input"], tags=tuple(row.get("tags", ())), **more)


def _lines(text: str, notes: Notes) -> Iterator[tuple[int, Row]]:
    """The rows of JSON lines."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            notes.at(number, f"this is not JSON: {error}")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            notes.at(number, f"a task is an object with id and input, not {row!r:.80}")


def _table(text: str, notes: Notes, columns: Mapping[str, str]) -> Iterator[tuple[int, Row]]:
    """The rows of a table with a header; an empty cell is as good as none, and tags are parted by commas."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not any(cells):
                continue
            if header is None:
                header = cells
            elif len(cells) != len(header):
                notes.at(reader.line_num, f"it has {len(cells)} cells, and the header {len(header)}")
            else:
                yield reader.line_num, _cells(dict(zip(header, cells, strict=True)), columns.get("tags", "tags"))
    except csv.Error as error:
        notes.at(reader.line_num, f"this is not CSV: {error}")


def _cells(row: dict[str, str], tags: str) -> Row:
    found: dict[str, Any] = {name: cell for name, cell in row.items() if cell}
    if tags in found:
        found[tags] = [tag.strip() for tag in found[tags].split(",") if tag.strip()]
    return found
