"""The table of a screen with the conditions side by side: one line a task, and the suite's numbers below.

It has several forms (`_forms`), of which the fullest that fits is taken; where none fits there is no such table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from passhat.reports._cells import cell, difference, passed_of, reasons, shown_name, strip_of, strip_width, titles
from passhat.reports._figures import Notes, bars, interval
from passhat.reports._forms import Form, forms
from passhat.reports._screen import Line, Span, cells, columns, prose, squeeze
from passhat.reports._view import Block, clean_of
from passhat.reports._view import Line as TaskLine
from passhat.reports._words import met, other_question, over_k, question, short_names, voids

_NAMES = (16, 12)  # to how many columns tasks' names may be cut: rather a smaller form than shorter names
_HEAD = 6


@dataclass(frozen=True, slots=True)
class _Table:
    """The texts of a form, and the columns that they take; below 0 a width aligns right."""

    form: Form
    shown: tuple[Block, ...]
    names: tuple[str, ...]  # what the conditions are called in a sentence
    notes: Notes
    heads: tuple[str, ...]
    texts: tuple[tuple[tuple[str, ...], ...], ...]  # by task, then by condition: what stands right of the strip
    suite: tuple[tuple[str, str, tuple[str, ...]], ...]  # by metric: its label and name, its numbers by condition
    widths: tuple[int, ...]
    strip: int
    name: int

    @property
    def gaps(self) -> tuple[int, ...]:
        """What stands between the columns of a condition."""
        return self.form.gaps(len(self.widths))

    @property
    def passed(self) -> int:
        """The columns of the suite's counts."""
        return max(len(_suite_passed(block)) for block in self.shown)

    @property
    def numbers(self) -> int:
        """The columns of the suite's numbers."""
        return max(len(text) for _, _, row in self.suite for text in row)

    @property
    def totals(self) -> int:
        """The columns of the suite's counts, numbers and differences."""
        compared = (_difference(block, metric, self.shown) for _, metric, _ in self.suite for block in self.shown)
        points = max(sum(len(text) for text, _ in spans) for spans in compared)
        return self.passed + self.gaps[0] + self.numbers + points

    @property
    def half(self) -> int:
        """The columns of one condition."""
        return max(self.strip + sum(map(abs, self.widths)) + sum(self.gaps), self.totals)

    @property
    def indent(self) -> int:
        """Where the suite's counts begin, so that its numbers stand below those of the tasks if they can."""
        counts = abs(self.widths[0]) if self.form.rate else max(map(len, map(passed_of, _lines_of(self.shown))))
        return max(0, min(self.strip + self.gaps[0] + counts - self.passed, self.half - self.totals))

    @property
    def width(self) -> int:
        """The columns of all."""
        return 2 + self.name + len(self.shown) * (self.form.apart + self.half)

    def row(self, label: Span, halves: Sequence[list[Span]]) -> Iterator[Line]:
        """A line of the table: a label, and a cell for each condition."""
        widths = (self.name, *[self.half] * len(halves))
        yield from columns([cell(*label), *halves], widths, gaps=(2, *[self.form.apart] * len(halves)))


def side_by_side(shown: tuple[Block, ...], width: int) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The table, and how it is to be read; nothing where there is no room for it, or not more than one condition."""
    if len(shown) < 2 or not shown[0].lines:  # noqa: PLR2004 - two sides
        return (), ()
    for least in _NAMES:
        for form in forms(shown[0].k):
            table = _table(form, shown, least)
            if table.width <= width:
                return tuple(_drawn(_roomy(table, width), width)), tuple(_facts(table))
    return (), ()


def _facts(table: _Table) -> Iterator[str]:
    shown = table.shown
    yield table.form.facts(shown[0].k)
    yield "−/+ points to clean" if clean_of(shown) else "there is no clean condition to compare with"
    questions = list(map(question, shown))
    if len(set(questions)) == 1:
        yield questions[0]
        return
    for name, asked in zip(table.names, questions, strict=True):
        yield f"under {name}: {asked}" if asked else ""


def _table(form: Form, shown: tuple[Block, ...], least: int) -> _Table:
    notes = Notes()
    counts = max(len(passed_of(line)) for line in _lines_of(shown))
    by_task = zip(*(block.lines for block in shown), strict=True)
    texts = tuple(tuple(form.texts(line, counts, notes) for line in lines) for lines in by_task)
    heads, suite = form.heads(shown), _suite(form, shown, notes)
    widths = [max([len(head), *(len(row[i]) for rows in texts for row in rows)]) for i, head in enumerate(heads)]
    label = max(len(label) + 2 + len(metric) for label, metric, _ in suite)
    return _Table(
        form=form,
        shown=shown,
        names=_short(shown),
        notes=notes,
        heads=heads,
        texts=texts,
        suite=suite,
        widths=form.aligned(widths),
        strip=min(form.most, max([_HEAD, *map(strip_width, _lines_of(shown))])),
        name=max(min(least, _longest_name(shown)), label),
    )


def _roomy(table: _Table, width: int) -> _Table:
    """The table with the room that is left: first for the tasks' names, then for the strips."""
    name = max(table.name, min(_longest_name(table.shown), table.name + width - table.width))
    spare = (width - table.width - (name - table.name)) // len(table.shown)
    strip = max([table.strip, *map(strip_width, _lines_of(table.shown))])
    return replace(table, name=name, strip=min(strip, table.strip + spare))


def _lines_of(shown: Sequence[Block]) -> Iterator[TaskLine]:
    return (line for block in shown for line in block.lines)


def _longest_name(shown: Sequence[Block]) -> int:
    return max(cells(shown_name(line.task)) for line in shown[0].lines)


def _short(shown: Sequence[Block]) -> tuple[str, ...]:
    names = short_names([block.condition for block in shown])
    return tuple(shown_name(names[block.condition]) for block in shown)


def _suite(form: Form, shown: Sequence[Block], notes: Notes) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    k, tasks = shown[0].k, shown[0].tasks
    whole = f"all {tasks:,}" if tasks > 1 else "1 task"
    asked = [(whole, "pass@1"), (f"{k} of {k}", f"pass^{k}"), (f"1 of {k}", f"pass@{k}")][: 1 if k == 1 else 3]
    found = [[interval(block.suite.get(metric), notes, form.unit) for block in shown] for _, metric in asked]
    wide = max(len(text.partition(" ")[0]) for row in found for text in row)
    texts = [tuple(" " * (wide - len(text.partition(" ")[0])) + text for text in row) for row in found]
    return tuple((label, metric, row) for (label, metric), row in zip(asked, texts, strict=True))


def _difference(block: Block, metric: str, shown: Sequence[Block]) -> list[Span]:
    """The points to the clean condition."""
    clean = clean_of(shown)
    base = clean.suite.get(metric) if clean and clean is not block else None
    return difference(block.suite.get(metric), base)


def _suite_passed(block: Block) -> str:
    return f"{block.counts.passed:,}/{block.counts.counting:,}"


def _drawn(table: _Table, width: int) -> Iterator[Line]:
    yield from _top(table)
    for i in range(len(table.texts)):
        yield from _task(table, i, width)
    for i in range(len(table.suite)):
        yield from _metric(table, i)
    yield from _other_question(table)
    yield from _decay(table, width)
    if any(block.plans_fault for block in table.shown):
        yield from table.row((f"{'fault met in':>{table.name}}", "dim"), [_met(block) for block in table.shown])
    for block, name in zip(table.shown, table.names, strict=True):
        if block.counts.void:
            named = [("pass@1", block.at_1), (f"pass^{block.k}", block.hat)]
            text = f"under {name}: {voids(block.counts, named, table.form.unit)}"
            yield from prose(text, width, style="yellow")
    yield from reasons(table.notes, width)


def _top(table: _Table) -> Iterator[Line]:
    """The names of the conditions, as long as there is room for them, and the heads of the columns."""
    names = [[(name, "bold cyan")] for name in titles([block.condition for block in table.shown], table.half)]
    yield from columns(
        [cell(""), *names], (table.name, *[table.half] * len(names)), gaps=(2, *[table.form.apart] * len(names))
    )
    heads = ["task", *[head for _ in table.shown for head in ("trials", *table.heads)]]
    yield from columns([cell(head, "dim") for head in heads], _widths(table), gaps=_gaps(table))


def _widths(table: _Table) -> list[int]:
    own = table.strip + sum(map(abs, table.widths)) + sum(table.gaps)
    spare = table.half - own
    last = table.widths[-1] + (spare if table.widths[-1] > 0 else -spare)
    return [table.name, *([table.strip, *table.widths[:-1], last] * len(table.shown))]


def _gaps(table: _Table) -> list[int]:
    return [2, *([table.form.apart, *table.gaps] * len(table.shown))]


def _task(table: _Table, i: int, width: int) -> Iterator[Line]:
    lines = [block.lines[i] for block in table.shown]
    row = [cell(squeeze(shown_name(lines[0].task), table.name))]
    for line, texts in zip(lines, table.texts[i], strict=True):
        row += [strip_of(line, table.strip), *map(cell, texts)]
    yield from columns(row, _widths(table), gaps=_gaps(table))
    for line, name in zip(lines, table.names, strict=True):
        if line.counts.void:
            named = [("rate", line.rate), (f"pass^{line.hat.k}" if line.hat else "", line.hat)]
            text = f"under {name}: {voids(line.counts, named, table.form.unit)}"
            yield from prose(text, width, label=("    ", ""), style="dim")


def _metric(table: _Table, i: int) -> Iterator[Line]:
    """The suite's number of one metric, and the points to the clean condition; the counts stand in the first line."""
    label, metric, texts = table.suite[i]
    halves = []
    for block, text in zip(table.shown, texts, strict=True):
        passed = f"{_suite_passed(block) if i == 0 else '':>{table.passed}}"
        number_ = f"{' ' * table.indent}{passed}{' ' * table.gaps[0]}{text:<{table.numbers}}"
        halves.append([(number_, "bold"), *_difference(block, metric, table.shown), ("", "")])
    yield from table.row((f"{label}{metric:>{table.name - len(label)}}", "bold"), halves)


def _other_question(table: _Table) -> Iterator[Line]:
    """The interval of pass^k that the numbers above do not show."""
    found = [other_question(block, table.form.unit) for block in table.shown]
    of = next((of for of, text in found if text), "")
    label = of if len(of) <= table.name else of.removeprefix("tasks ").removesuffix(" tasks")
    if of:
        yield from table.row((f"{label:>{table.name}}", "dim"), [cell(text, "dim") for _, text in found])


def _decay(table: _Table, width: int) -> Iterator[Line]:
    """pass^k along k: in the table where there is room for it, else in a line for each condition."""
    along = [block.over_k() for block in table.shown]
    ks = [tuple(one.k for one in found) for found in along]
    if max(map(len, ks)) < 2:  # noqa: PLR2004 - one number decays nowhere
        return
    label = " ".join(map(str, ks[0]))
    label = next((text for text in (f"pass^{label}", f"^{label}") if len(text) <= table.name), "")
    write = table.form.unit.write
    texts = [" ".join(write(one.value or 0.0) for one in found) for found in along]
    drawn = [bars(one.value for one in found) for found in along]
    if label and len(set(ks)) == 1 and max(map(len, texts)) <= table.half:
        room = table.half - max(map(len, drawn)) - 2
        whole = [f"{text}  {bar}" if len(text) <= room else text for text, bar in zip(texts, drawn, strict=True)]
        yield from table.row((f"{label:>{table.name}}", "dim"), [cell(text, "dim") for text in whole])
        return
    for block, name, bar in zip(table.shown, table.names, drawn, strict=True):
        if bar:
            yield from prose(f"{over_k(block)}  {bar} under {name}", width, label=("  decay  ", "dim"), style="dim")


def _met(block: Block) -> list[Span]:
    text = f"{met(block)} trials" if block.plans_fault else met(block)
    return cell(text, "red" if block.plans_fault and not block.counts.exposed else "dim")
