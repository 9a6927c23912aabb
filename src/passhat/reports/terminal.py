"""The report for a screen: what an agent does every time and what it does only mostly, at a glance.

From the top: the run, a block a condition, the conditions compared, warnings, the verdict, and the run in
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from passhat.model.outcome import LETTERS
from passhat.model.run import Trials
from passhat.model.summary import Estimate, Summary
from passhat.model.verdict import Status, Verdict
from passhat.reports._escape import for_terminal
from passhat.reports._figures import Notes, bars, counted, interval, levels, points
from passhat.reports._screen import CUT, GLUE, NARROWEST, Line, Span, cells, columns, fit, paint, prose
from passhat.reports._view import Block, blocks, examples
from passhat.reports._view import Line as TaskLine
from passhat.reports._words import (
    closing,
    decay,
    drop,
    left_out,
    met,
    missing,
    no_drop,
    question,
    size,
    standing,
    voids,
)
from passhat.reports.base import Report

STYLES = {"P": "green", "F": "red", "E": "magenta", "T": "yellow", "V": "dim"}
STATUS = {Status.PASS: "bold green", Status.FAIL: "bold red", Status.INCONCLUSIVE: "bold yellow"}
FOUND = {"held": "green", "broken": "red", "open": "yellow", "no evidence": "yellow"}
_EMPTY: Line = ()
_LONGEST_NAME = 200
_INTERVAL = 17


@dataclass(frozen=True, slots=True)
class Terminal(Report):
    """One screen, 72 columns wide or more; who calls knows the terminal, and says its width and colour."""

    width: int = 100
    colour: bool = False
    every_task: bool = False

    def render(self, summary: Summary, verdict: Verdict | None = None, *, trials: Trials | None = None) -> str:
        width = max(NARROWEST, self.width)
        shown = blocks(summary, every_task=self.every_task)
        lines = [*_head(summary, width)]
        for block in shown:
            lines += [_EMPTY, *_block(block, width)]
        if len(shown) > 1:
            lines += [_EMPTY, *_comparison(shown, width)]
        lines += [*_legend(shown, width), *_remarks(summary, shown, trials, width)]
        lines += [_EMPTY, *_verdict(verdict, width), _EMPTY]
        lines += prose(closing(shown, _name), width, label=("", ""), style="bold")
        return paint(lines, colour=self.colour)


def _name(text: str) -> str:
    return for_terminal(text, longest=_LONGEST_NAME)


def _head(summary: Summary, width: int) -> Iterator[Line]:
    header = summary.header
    agent = f"{header.agent} {header.agent_version}".strip()
    facts = [_name(agent), size(header), f"seed {header.seed}", f"run {_name(header.id)}"]
    text = " · ".join(fact.replace(" ", GLUE) for fact in (_name(header.suite), *facts))
    yield from prose(text, width, label=("passhat  ", "bold cyan"), style="bold")


def _block(block: Block, width: int) -> Iterator[Line]:
    notes = Notes()
    counts = f"{counted(block.tasks, 'task')}, {counted(block.counts.trials, 'trial')}"
    yield from prose(f"{_name(block.condition)} · {counts}", width, label=("", ""), style="bold cyan")
    estimates = [one for line in block.lines for one in (line.rate, line.hat)] + [block.at_1, block.hat]
    widths = _widths(block.lines, max(_INTERVAL, *(len(interval(one, Notes())) for one in estimates)), width)
    heads = ("task", "trials", "passed", f"rate [{levels(estimates)}]", f"pass^{block.k}")
    yield from columns([[(fit(head, abs(room)), "dim")] for head, room in zip(heads, widths, strict=True)], widths)
    for line in block.lines:
        yield from _task(line, widths, notes, width)
    yield from _suite(block, widths, notes, width)
    yield from _reasons(notes, width)


def _reasons(notes: Notes, width: int) -> Iterator[Line]:
    for mark, reason in notes.lines():
        yield from prose(for_terminal(reason), width, label=(f"  {mark} ", "dim"), style="dim")


def _widths(lines: Sequence[TaskLine], numbers: int, width: int) -> tuple[int, ...]:
    """The columns: what names and strips want where there is room for it, else a fair share for each."""
    passed = max([6, *(len(_passed(line)) for line in lines)])
    room = width - passed - 2 * numbers - 5 * 2
    name = max([14, *(cells(_name(line.task)) for line in lines)])
    strip = max([6, *(len(line.strip) + line.cut for line in lines)])
    strip = min(strip, max(room - name, room * 2 // 5))
    return (min(name, room - strip), strip, -passed, numbers, numbers)


def _passed(line: TaskLine) -> str:
    return f"{line.counts.passed}/{line.counts.valid}"


def _task(line: TaskLine, widths: Sequence[int], notes: Notes, width: int) -> Iterator[Line]:
    rate, hat = _noted(line.rate, notes), _noted(line.hat, notes)
    name = [(fit(_name(line.task), widths[0]), ""), ("", "")]
    yield from columns([name, _strip(line, widths[1]), [(_passed(line), "")], rate, hat], widths)
    if line.counts.void:
        named = [("rate", line.rate), (f"pass^{line.hat.k}" if line.hat else "", line.hat)]
        yield from prose(voids(line.counts, named), width, label=("    ", ""), style="dim")


def _strip(line: TaskLine, room: int) -> list[Span]:
    """The letters in their colours, equal neighbours in one span."""
    letters = _letters(line.strip)
    if len(letters) + line.cut > room or line.cut:
        letters = letters[: room - 1] + CUT
    spans: list[Span] = [("", "")]
    for letter in letters:
        style = STYLES.get(letter, "dim")
        text, last = spans[-1]
        spans[-1:] = [(text + letter, style)] if style == last else [(text, last), (letter, style)]
    return [("", ""), *spans]


def _letters(strip: str) -> str:
    """A strip holds its five letters; whatever else a foreign summary holds shows as a question mark."""
    return "".join(letter if letter in STYLES else "?" for letter in strip)


def _noted(estimate: Estimate | None, notes: Notes, style: str = "") -> list[Span]:
    return [(interval(estimate, notes), style), ("", "")]


def _suite(block: Block, widths: Sequence[int], notes: Notes, width: int) -> Iterator[Line]:
    counts = block.counts
    room = widths[0] + widths[1] + 2
    label = fit(f"all {counted(block.tasks, 'task')}" if block.tasks != 1 else "the one task", room)
    passed = f"{counts.passed:,}/{counts.valid:,}"
    over = max(0, len(passed) - abs(widths[2]))
    numbers = (_noted(block.at_1, notes, "bold"), _noted(block.hat, notes, "bold"))
    row = [[(label, "bold"), ("", "")], [(passed, "bold"), ("", "")], *numbers]
    yield from columns(row, (room - over, widths[2] - over, *widths[3:]))
    details = [question(block)]
    if block.k > 1:
        details.append(f"pass@{block.k} (1 of {block.k} at least) {interval(block.at_k, notes)}")
    yield from prose(" · ".join(filter(None, details)), width, label=("    ", ""), style="dim")
    if len(block.decay()) > 1:
        drawn = bars(one.value for one in block.decay())
        yield from prose(f"{decay(block)}  {drawn}", width, label=("    decay  ", "dim"), style="dim")
    if counts.void:
        named = [("pass@1", block.at_1), (f"pass^{block.k}", block.hat)]
        yield from prose(voids(counts, named), width, label=("    ", ""), style="yellow")


def _comparison(shown: Sequence[Block], width: int) -> Iterator[Line]:
    """The conditions side by side; differences are to the clean condition, in points."""
    clean = next((block for block in shown if block.clean), None)
    notes, k = Notes(), shown[0].k
    body = [_compared(block, clean if clean is not block else None, notes) for block in shown]
    wide = [max(cells("".join(text for text, _ in row[i])) for row in body) for i in (1, 2, 3)]
    at_1, hat, fault = (max(16, wide[0]), max(16, wide[1]), max(9, wide[2]))
    name = max(cells(_name(block.condition)) for block in shown)
    widths = (max(9, min(name, width - at_1 - hat - fault - 4 * 2)), at_1, hat, -fault)
    to = ", to clean" if clean else ""
    heads = ("condition", f"pass@1{to}", f"pass^{k}{to}", "fault met")
    yield from columns([[(head, "dim"), ("", "")] for head in heads], widths)
    for row in body:
        yield from columns(row, widths)
    difference = "−/+: points of difference to clean" if clean else "there is no clean condition to compare with"
    yield from prose(f"{difference} · fault met: trials in which a planned fault fired", width, style="dim")
    yield from _reasons(notes, width)


def _compared(block: Block, base: Block | None, notes: Notes) -> list[list[Span]]:
    unmet = block.plans_fault and not block.counts.exposed
    return [
        [(_name(block.condition), "bold cyan")],
        [*_noted(block.at_1, notes), *_difference(block.at_1, base.at_1 if base else None)],
        [*_noted(block.hat, notes), *_difference(block.hat, base.hat if base else None)],
        [(met(block), "red" if unmet else ""), ("", "")],
    ]


def _difference(estimate: Estimate | None, base: Estimate | None) -> list[Span]:
    if estimate is None or base is None or estimate.value is None or base.value is None:
        return []
    change = estimate.value - base.value
    return [(f" {points(change):>3}", "red" if change < 0 else "green")]


def _legend(shown: Sequence[Block], width: int) -> Iterator[Line]:
    """The letters that occur, in words; an empty line before them."""
    found = {letter for block in shown for line in block.lines for letter in line.strip}
    words = [f"{letter} {outcome.value.lower()}" for outcome, letter in LETTERS.items() if letter in found]
    if words:
        yield _EMPTY
        yield from prose(" · ".join(words), width, style="dim")


def _remarks(summary: Summary, shown: tuple[Block, ...], trials: Trials | None, width: int) -> Iterable[Line]:
    """Examples of failures, what is left out, and warnings."""
    if trials is not None:
        for example in examples(shown, trials):
            trial = example.trial
            where = f"{_name(trial.task_id)} · {_name(example.condition)} · trial {trial.index}"
            why = for_terminal(example.why, longest=300)
            yield from prose(f"{where} · {trial.outcome}: {why}", width, label=("  for example  ", "red"))
    for text in left_out(summary.header, shown, trials):
        yield from prose(text, width, style="dim")
    for text in filter(None, (missing(summary), *summary.warnings)):
        yield from prose(for_terminal(text), width, label=("  warning  ", "bold yellow"))


def _verdict(verdict: Verdict | None, width: int) -> Iterator[Line]:
    if verdict is None:
        yield (("verdict  ", "bold"), ("none: no rule was asked", "dim"))
        return
    yield (("verdict  ", "bold"), (verdict.status.value.upper(), STATUS[verdict.status]))
    for finding in verdict.findings:
        word = standing(finding)
        where = f" under {_name(finding.condition)}" if finding.condition else ""
        text = f"{_name(finding.rule)}{where}: {for_terminal(finding.reason)}"
        yield from prose(text, width, label=(f"  {word:<6}  ", FOUND[word]))
        if drop(finding):
            yield from prose(drop(finding), width, label=(" " * (len(word.ljust(6)) + 4), ""), style="dim")
    if no_drop(verdict):
        yield from prose(no_drop(verdict), width, style="dim")
