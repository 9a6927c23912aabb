"""What an answer is: a number, what it says, what it stands on, and tables around it. Values alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# A count, a difference of shares (shown in points), a text, or nothing.
Cell = int | float | str | None


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers around the answer: a title, the heads of the columns, and rows of cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    *number* is all that a script needs, *says* the sentence with it. *rows* are the formula, what is taken for granted,
    the cost; *values* the numbers for a program.
    """

    number: str
    says: str
    rows: tuple[tuple[str, str], ...]
    values: Mapping[str, Cell]
    tables: tuple[Table, ...] = ()
