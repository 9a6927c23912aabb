"""What an answer is: a number, what it says, what it stands on, and tables around it. Values alone.

Named tuples, here and in `question.py`: loading `dataclasses` and making four of them is a tenth of a start of `passhat
plan`, which is measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Share(float):
    """A share, shown in per cent; any other float in a table is a difference of shares, shown in points."""

    __slots__ = ()


class Level(NamedTuple):
    """The head of a column that belongs to one share: a power, a confidence."""

    name: str
    share: float


# A count, a share, a difference of shares, a text, or nothing.
Cell = int | float | str | None


class Table(NamedTuple):
    """Numbers around the answer: a title, the heads of the columns, and rows of cells, none of them rounded."""

    title: str
    heads: tuple[str | Level, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Answer(NamedTuple):
    """The answer to one question.

    *number* is all that a script needs, *says* the sentence with it. *rows* are the formula, what is taken for granted,
    the cost; *values* the numbers for a program.
    """

    number: str
    says: str
    rows: tuple[tuple[str, str], ...]
    values: Mapping[str, Cell]
    tables: tuple[Table, ...] = ()
