"""The table of the figures that describe single tasks, for a screen: a line a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.reports._asked import Described
from passhat.reports._cells import cell, shown_name
from passhat.reports._screen import CUT, Line, Span, cells, columns, prose, squeeze

_LEFT = 4
_NAME, _HEAD, _FIGURE, _CURVE = 24, 10, 4, 20  # columns: at most, at most, at least, at least


def figures_of(found: Described, width: int, *, label: Span) -> Iterator[Line]:
    """The table; a task's curve is cut where the screen ends, and left out where not much of it would stand there."""
    about = f"reliability of each task under {shown_name(found.condition)}: mcptest's figures, in per cent"
    yield from prose(about, width, label=label)
    heads = [_broken(name) for name in found.names]
    figures = [max([_FIGURE, *map(len, head.split())]) for head in heads]
    room = width - _LEFT - sum(figures) - 2 * len(figures)
    name = min(room, max([len("task"), *(cells(shown_name(task)) for task, _, _ in found.rows)]))
    curve = room - min(name, _NAME) - 2
    if curve < _CURVE:
        yield from _lines(found, heads, (name, *(-figure for figure in figures)))
        yield from prose("left out: decay_curve; --json has it", width, label=(" " * _LEFT, ""), style="dim")
        return
    widths = (room - curve - 2, *(-figure for figure in figures), curve)
    yield from _lines(found, [*heads, "decay_curve"], widths)


def _broken(head: str) -> str:
    """A long head, to be broken at a line: as one word it would be much wider than what stands below it."""
    return head if len(head) <= _HEAD else head.replace("_", "_ ", 1)


def _lines(found: Described, heads: Sequence[str], widths: Sequence[int]) -> Iterator[Line]:
    gaps = (_LEFT, *[2] * (len(widths) - 1))
    yield from columns([[(head, "dim")] for head in ("task", *heads)], widths, gaps=gaps)
    for task, figures, entries in found.rows:
        texts = (squeeze(shown_name(task), widths[0]), *figures, _beginning(entries, widths[-1]))
        yield from columns([cell(text) for text in texts[: len(widths)]], widths, gaps=gaps)


def _beginning(entries: Sequence[str], room: int) -> str:
    """The first of *entries*, none cut in its middle, where another number would stand there."""
    if len(" ".join(entries)) <= room:
        return " ".join(entries)
    fitting = max((i for i in range(len(entries)) if len(" ".join((*entries[:i], CUT))) <= room), default=0)
    return " ".join((*entries[:fitting], CUT))
