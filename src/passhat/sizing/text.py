"""An answer as text for a screen of 80 columns, or as plain data for a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from passhat.sizing.answer import Answer, Cell, Level, Share, Table
from passhat.sizing.question import Kind, Question, assumed
from passhat.sizing.words import percent, points

_WIDTH = 80
_LABEL = 10
_GAP = "   "
_NOTHING = "-"
_TOGETHER = (" %", "--method ", " points", " runs")
_HELD = "\0"  # stands for a blank at which no line may end


def answer_text(answer: Answer) -> str:
    """The whole answer: the number, what it says, what it stands on, and the tables around it."""
    lines = [*_wrapped(answer.says), ""]
    for label, text in answer.rows:
        lines += _row(label, text)
    for table in answer.tables:
        lines += ["", table.title, *_table(table)]
    return "".join(f"{line}\n" for line in lines)


def answer_data(question: Question, kind: Kind, answer: Answer) -> dict[str, Any]:
    """The answer for a program: the same numbers, unrounded, and all that was taken where nothing was said."""
    return {
        "question": kind.value,
        "given": question.given,
        "assumed": assumed(question, kind),
        "answer": dict(answer.values),
        "says": answer.says,
        "notes": _notes(answer.rows),
        "tables": [
            {"title": one.title, "columns": [*map(_column, one.heads)], "rows": one.rows} for one in answer.tables
        ],
    }


def field_text() -> str:
    """The published pass rates with their sources."""
    from passhat.stats.field import field_rates

    rates = field_rates()
    rows = tuple((name, f"{one.rate:.4g}", one.what) for name, one in rates.items())
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = []
    for source in dict.fromkeys(one.source for one in rates.values()):
        lines += _wrapped(source)
        for (name, rate, what), one in zip(rows, rates.values(), strict=True):
            if one.source == source:
                lines.append(f"  {name:<{widths[0]}}  {rate:<{widths[1]}}  {what}")
        lines.append("")
    return "".join(f"{line}\n" for line in lines[:-1])


def field_data() -> dict[str, Mapping[str, str | float]]:
    """The same for a program."""
    from passhat.stats.field import field_rates

    return {name: {"rate": one.rate, "what": one.what, "source": one.source} for name, one in field_rates().items()}


def _notes(rows: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The rows by their labels; one without a label goes on with the one before."""
    notes: dict[str, str] = {}
    last = ""
    for label, text in rows:
        last = label.lower().replace(" ", "_") or last
        notes[last] = f"{notes[last]}; {text}" if last in notes else text
    return notes


def _row(label: str, text: str) -> Iterator[str]:
    yield from _wrapped(text, first=f"{label:<{_LABEL}}", rest=" " * _LABEL)


def _wrapped(text: str, *, first: str = "", rest: str = "") -> list[str]:
    """The text in lines; a number stays with its per cent sign, and an option with its value."""
    for pair in _TOGETHER:
        text = text.replace(pair, pair.replace(" ", _HELD))
    lines = [first]
    for word in text.split():
        gap = " " if lines[-1].strip() and lines[-1] != first else ""
        if len(lines[-1]) + len(gap) + len(word) > _WIDTH:
            lines.append(rest)
            gap = ""
        lines[-1] += f"{gap}{word}"
    return [line.replace(_HELD, " ") for line in lines]


def _table(table: Table) -> Iterator[str]:
    """The table with every column as wide as its widest cell, numbers to the right."""
    heads = tuple(head if isinstance(head, str) else percent(head.share) for head in table.heads)
    rows = [tuple(map(_cell, row)) for row in table.rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        yield f"  {_GAP.join(f'{cell:>{width}}' for cell, width in zip(row, widths, strict=True))}"


def _column(head: str | Level) -> str | dict[str, float]:
    """The head of a column for a program."""
    return head if isinstance(head, str) else {head.name: head.share}


def _cell(value: Cell) -> str:
    match value:
        case None:
            return _NOTHING
        case int():
            return f"{value:,}"
        case Share():
            return percent(value)
        case float():
            return points(value)
        case _:
            return value
