"""The tables of a screen one below the other: a block a condition, and then the conditions compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.reports._cells import (
    cell,
    difference,
    noted,
    passed_of,
    reasons,
    shown_name,
    strip_of,
    strip_width,
    titles,
)
from passhat.reports._figures import Notes, bars, counted, interval, levels
from passhat.reports._screen import Line, Span, cells, columns, fit, prose, squeeze
from passhat.reports._view import Block, clean_of
from passhat.reports._view import Line as TaskLine
from passhat.reports._words import met, other_question, over_k, question, voids

_INTERVAL = 17


def block_lines(block: Block, width: int) -> Iterator[Line]:
    """A condition: a line a task, and the suite's numbers below."""
    notes = Notes()
    counts = f"{counted(block.tasks, 'task')}, {counted(block.counts.trials, 'trial')}"
    yield from prose(f"{shown_name(block.condition)} · {counts}", width, label=("", ""), style="bold cyan")
    estimates = [one for line in block.lines for one in (line.rate, line.hat)] + [block.at_1, block.hat]
    widths = _widths(block.lines, max(_INTERVAL, *(len(interval(one, Notes())) for one in estimates)), width)
    heads = ("task", "trials", "passed", f"rate [{levels(estimates)}]", f"pass^{block.k}")
    yield from columns([[(fit(head, abs(room)), "dim")] for head, room in zip(heads, widths, strict=True)], widths)
    for line in block.lines:
        yield from _task(line, widths, notes, width)
    yield from _suite(block, widths, notes, width)
    yield from reasons(notes, width)


def _widths(lines: Sequence[TaskLine], numbers: int, width: int) -> tuple[int, ...]:
    """The columns: what names and strips want where there is room for it, else a fair share for each."""
    passed = max([6, *(len(passed_of(line)) for line in lines)])
    room = width - passed - 2 * numbers - 5 * 2
    name = max([14, *(cells(shown_name(line.task)) for line in lines)])
    strip = max([6, *(strip_width(line) for line in lines)])
    strip = min(strip, max(room - name, room * 2 // 5))
    return (min(name, room - strip), strip, -passed, numbers, numbers)


def _task(line: TaskLine, widths: Sequence[int], notes: Notes, width: int) -> Iterator[Line]:
    rate, hat = noted(line.rate, notes), noted(line.hat, notes)
    name = cell(squeeze(shown_name(line.task), widths[0]))
    yield from columns([name, strip_of(line, widths[1]), cell(passed_of(line)), rate, hat], widths)
    if line.counts.void:
        named = [("rate", line.rate), (f"pass^{line.hat.k}" if line.hat else "", line.hat)]
        yield from prose(voids(line.counts, named), width, label=("    ", ""), style="dim")


def _suite(block: Block, widths: Sequence[int], notes: Notes, width: int) -> Iterator[Line]:
    counts = block.counts
    room = widths[0] + widths[1] + 2
    label = fit(f"all {counted(block.tasks, 'task')}" if block.tasks != 1 else "the one task", room)
    passed = f"{counts.passed:,}/{counts.counting:,}"
    over = max(0, len(passed) - abs(widths[2]))
    numbers = (noted(block.at_1, notes, "bold"), noted(block.hat, notes, "bold"))
    row = [[(label, "bold"), ("", "")], [(passed, "bold"), ("", "")], *numbers]
    yield from columns(row, (room - over, widths[2] - over, *widths[3:]))
    details = [question(block)]
    if block.k > 1:
        details.append(f"pass@{block.k} (1 of {block.k} at least) {interval(block.at_k, notes)}")
    of, other = other_question(block)
    details.append(f"of {of}: {other}" if other else "")
    yield from prose(" · ".join(filter(None, details)), width, label=("    ", ""), style="dim")
    for symbol in ("pass^", "pass@") if len(block.over_k()) > 1 else ():
        drawn = bars(one.value for one in block.over_k(symbol))
        title: Span = ("    over k  " if symbol == "pass^" else " " * 12, "dim")
        yield from prose(f"{over_k(block, symbol)}  {drawn}", width, label=title, style="dim")
    if counts.void:
        named = [("pass@1", block.at_1), (f"pass^{block.k}", block.hat)]
        yield from prose(voids(counts, named), width, label=("    ", ""), style="yellow")


def comparison(shown: Sequence[Block], width: int) -> Iterator[Line]:
    """A line a condition; differences are to the clean condition, in points."""
    clean = clean_of(shown)
    notes, k = Notes(), shown[0].k
    body = [_compared(block, clean if clean is not block else None, notes) for block in shown]
    wide = [max(cells("".join(text for text, _ in row[i])) for row in body) for i in range(3)]
    at_1, hat, fault = (max(16, wide[0]), max(16, wide[1]), max(9, wide[2]))
    names = titles([block.condition for block in shown], max(9, width - at_1 - hat - fault - 4 * 2))
    name = max(map(cells, names))
    widths = (max(9, min(name, width - at_1 - hat - fault - 4 * 2)), at_1, hat, -fault)
    to = ", to clean" if clean else ""
    heads = ("condition", f"pass@1{to}", f"pass^{k}{to}", "fault met")
    yield from columns([[(head, "dim"), ("", "")] for head in heads], widths)
    for name_, row in zip(names, body, strict=True):
        yield from columns([[(name_, "bold cyan")], *row], widths)
    compared = "−/+: points of difference to clean" if clean else "there is no clean condition to compare with"
    yield from prose(f"{compared} · fault met: trials in which a planned fault fired", width, style="dim")
    yield from reasons(notes, width)


def _compared(block: Block, base: Block | None, notes: Notes) -> list[list[Span]]:
    unmet = block.plans_fault and not block.counts.exposed
    return [
        [*noted(block.at_1, notes), *difference(block.at_1, base.at_1 if base else None)],
        [*noted(block.hat, notes), *difference(block.hat, base.hat if base else None)],
        [(met(block), "red" if unmet else ""), ("", "")],
    ]
