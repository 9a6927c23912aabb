"""Two runs held against each other, for a screen: a line a number and condition, then what is to be noticed."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.model.comparison import Comparison, Difference
from passhat.reports._cells import cell, shown_name, titles
from passhat.reports._escape import for_terminal
from passhat.reports._figures import Notes, counted, interval, points
from passhat.reports._screen import NARROWEST, Line, Span, cells, columns, paint, prose


def comparison_text(comparison: Comparison, *, width: int = 100, colour: bool = False) -> str:
    """The differences of *comparison*: both numbers, the difference in points, and its interval."""
    width = max(NARROWEST, width)
    lines = [*_head(comparison, width), (), *_table(comparison, width), ()]
    for text in comparison.notices:
        lines += prose(for_terminal(text), width, label=("  notice   ", "bold yellow"))
    for text in comparison.warnings:
        lines += prose(for_terminal(text), width, label=("  warning  ", "yellow"))
    lines += prose("no verdict: a difference says what was seen, a rule says what may be", width, style="dim")
    return paint(lines, colour=colour)


def _head(comparison: Comparison, width: int) -> Iterator[Line]:
    for label, header in (("before   ", comparison.before), ("after    ", comparison.after)):
        agent = f"{header.agent} {header.agent_version}".strip()
        trials = f"{counted(len(header.tasks), 'task')} × {counted(header.trials, 'trial')}"
        text = f"run {shown_name(header.id)} · {shown_name(header.suite)} · {shown_name(agent)} · {trials} a condition"
        yield from prose(text, width, label=(label, "bold cyan"))


def _table(comparison: Comparison, width: int) -> Iterator[Line]:
    notes = Notes()
    rows = [_row(one, notes) for one in comparison.differences]
    conditions = list(dict.fromkeys(one.condition for one in comparison.differences))
    wide = [max(cells("".join(text for text, _ in row[i])) for row in rows) for i in range(4)]
    room = max(9, width - sum(wide) - 2 * (len(wide) + 1))
    names = dict(zip(conditions, titles(conditions, room), strict=True))
    widths = (min(room, max(map(cells, [*names.values(), "condition"]))), *wide)
    heads = ("condition", "metric", "before", "after", "points")
    yield from columns(
        [cell(head, "dim") for head in heads], [max(a, len(b)) for a, b in zip(widths, heads, strict=True)]
    )
    for one, row in zip(comparison.differences, rows, strict=True):
        yield from columns(
            [cell(names[one.condition], "bold cyan"), *row],
            [max(a, len(b)) for a, b in zip(widths, heads, strict=True)],
        )
    for mark, reason in notes.lines():
        yield from prose(for_terminal(reason), width, label=(f"  {mark} ", "dim"), style="dim")
    yield from prose("intervals of differences are approximate · points: after less before", width, style="dim")


def _row(one: Difference, notes: Notes) -> list[list[Span]]:
    return [
        cell(one.metric),
        cell(interval(one.before, notes)),
        cell(interval(one.after, notes)),
        _points(one, notes),
    ]


def _points(one: Difference, notes: Notes) -> list[Span]:
    """The difference with its interval, coloured where it is told apart from chance."""
    if one.value is None:
        return cell(f"- {notes.mark(one.reason or 'no reason is given')}")
    within = "" if one.low is None or one.high is None else f" [{points(one.low)}, {points(one.high)}]"
    style = "" if not one.told else "green" if one.value > 0 else "red"
    return cell(f"{points(one.value)}{within}", style)
