"""Two runs held against each other, for a screen: each condition's numbers, then what is to be noticed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.model.comparison import Comparison, Difference
from passhat.reports._cells import cell, reasons, shown_name
from passhat.reports._escape import for_terminal
from passhat.reports._figures import Notes, counted, interval, levels, points
from passhat.reports._screen import NARROWEST, Line, Span, cells, columns, paint, prose
from passhat.reports._words import about

_POINTS = 4


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
        trials = f"{counted(len(header.tasks), 'task')} × {counted(header.trials, 'trial')} a condition"
        seed = f"seed {header.seed}{' for all trials of a task' if header.same_seed else ''}"
        facts = (f"run {shown_name(header.id)}", shown_name(header.suite), shown_name(agent), trials, seed)
        yield from prose(" · ".join(facts), width, label=(label, "bold cyan"))


def _table(comparison: Comparison, width: int) -> Iterator[Line]:
    """A line a metric below the name of its condition, so that names have room on any screen."""
    differences, notes = comparison.differences, Notes()
    rows = [_row(one, notes) for one in differences]
    level = levels([estimate for one in differences for estimate in (one.before, one.after)])
    heads = ("", f"before [{level}]", f"after [{level}]", "points")
    widths = [max(cells("".join(text for text, _ in row[i])) for row in (*rows, _plain(heads))) for i in range(4)]
    gaps = (4, *[2] * 3)
    yield from columns([cell(head, "dim") for head in heads], widths, gaps=gaps)
    above = ""
    for one, row in zip(differences, rows, strict=True):
        if one.condition != above:
            above = one.condition
            yield from prose(f"{shown_name(above)} · {_passed(one)}", width, style="bold cyan")
        yield from columns(row, widths, gaps=gaps)
    yield from reasons(notes, width)
    yield from prose(" · ".join(_facts(comparison)), width, style="dim")


def _plain(texts: Sequence[str]) -> list[list[Span]]:
    return [cell(text) for text in texts]


def _passed(one: Difference) -> str:
    """What both numbers are counted from."""
    before, after = one.before, one.after
    return f"{before.c:,}/{before.n:,} passed before, {after.c:,}/{after.n:,} after"


def _facts(comparison: Comparison) -> Iterator[str]:
    """How the numbers are to be read."""
    yield "points: after less before, with an approximate interval"
    questions = {about(one.after, len(comparison.after.tasks)) for one in comparison.differences}
    if len(questions) == 1:
        yield f"all numbers speak of {questions.pop()}"


def _row(one: Difference, notes: Notes) -> list[list[Span]]:
    return [*_plain((one.metric, interval(one.before, notes), interval(one.after, notes))), _points(one, notes)]


def _points(one: Difference, notes: Notes) -> list[Span]:
    """The difference with its interval, coloured where it is told apart from chance."""
    if one.value is None:
        return cell(f"{'-':>{_POINTS}} {notes.mark(one.reason or 'no reason is given')}")
    within = "" if one.low is None or one.high is None else f" [{points(one.low)}, {points(one.high)}]"
    style = "" if not one.told else "green" if one.value > 0 else "red"
    return cell(f"{points(one.value):>{_POINTS}}{within}", style)
