"""The report for a screen: what an agent does every time and what it does only mostly, at a glance.

From the top: the run, its tasks with the conditions side by side (or a block a condition, where there is no room
for that), how faults were taken, warnings, the verdict, and the run in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from passhat.model.outcome import LETTERS
from passhat.model.run import Trials
from passhat.model.summary import Summary
from passhat.model.verdict import Finding, Status, Verdict
from passhat.reports._asked import asked, described
from passhat.reports._blocks import block_lines, comparison
from passhat.reports._cells import EMPTY, shown_name
from passhat.reports._described import figures_of
from passhat.reports._escape import for_terminal
from passhat.reports._faults import fault_lines
from passhat.reports._screen import GLUE, NARROWEST, WIDEST_PROSE, Line, Span, cells, paint, prose
from passhat.reports._sides import side_by_side
from passhat.reports._view import Block, blocks, examples
from passhat.reports._words import (
    claim,
    closing,
    drop,
    evidence,
    left_out,
    missing,
    no_drop,
    not_measured,
    short_names,
    size,
    standing,
    unusual,
    where,
)
from passhat.reports.base import Report

STATUS = {Status.PASS: "bold green", Status.FAIL: "bold red", Status.INCONCLUSIVE: "bold yellow"}
FOUND = {"held": "green", "broken": "red", "open": "yellow", "no evidence": "yellow"}
_STANDING = 6  # columns of the word before a finding; only rare ones are longer
_ALSO = ("  also  ", "cyan")


@dataclass(frozen=True, slots=True)
class Terminal(Report):
    """One screen, 72 columns wide or more; who calls knows the terminal, and says its width and colour."""

    width: int = 100
    colour: bool = False
    every_task: bool = False

    def render(self, summary: Summary, verdict: Verdict | None = None, *, trials: Trials | None = None) -> str:
        width = max(NARROWEST, self.width)
        shown = blocks(summary, every_task=self.every_task)
        lines = [*_head(summary, width), *_tables(shown, width), *fault_lines(shown, width)]
        lines += _asked(summary, shown, width)
        lines += _remarks(summary, shown, trials, width)
        lines += [EMPTY, *_verdict(summary, verdict, shown, width), EMPTY]
        lines += prose(closing(shown, shown_name), width, label=("", ""), style="bold")
        return paint(lines, colour=self.colour)


def _head(summary: Summary, width: int) -> Iterator[Line]:
    header = summary.header
    agent = f"{header.agent} {header.agent_version}".strip()
    facts = [shown_name(agent), size(header), f"seed {header.seed}", f"run {shown_name(header.id)}"]
    text = " · ".join(fact.replace(" ", GLUE) for fact in (shown_name(header.suite), *facts))
    yield from prose(text, width, label=("passhat  ", "bold cyan"), style="bold")


def _tables(shown: tuple[Block, ...], width: int) -> Iterator[Line]:
    """One table where the conditions fit side by side, else one for each; the letters below in words."""
    if not shown:
        return
    beside, facts = side_by_side(shown, width)
    if beside:
        yield from beside  # its first line is mostly empty
        yield from _legend(shown, facts, width)
        return
    for block in shown:
        yield from (EMPTY, *block_lines(block, width))
    if len(shown) > 1:
        yield from (EMPTY, *comparison(shown, width))
    yield EMPTY
    yield from _legend(shown, (), width)


def _legend(shown: Sequence[Block], read: Iterable[str], width: int) -> Iterator[Line]:
    """The letters that occur, in words, and how the numbers are read."""
    found = {letter for block in shown for line in block.lines for letter in line.strip}
    words = [f"{letter} {outcome.value.lower()}" for outcome, letter in LETTERS.items() if letter in found]
    words += ["void counts as failure"] if any(block.counts.voids_fail for block in shown) else []
    text = " · ".join(filter(None, (*words, *read)))
    if text:
        yield from prose(text, width, style="dim")


def _asked(summary: Summary, shown: Sequence[Block], width: int) -> Iterator[Line]:
    """The metrics that were asked for, a line each, and a table of the figures that describe single tasks."""
    for name, about, text in asked(summary, shown):
        yield from prose(f"{shown_name(name)} of {shown_name(about)}: {for_terminal(text)}", width, label=_ALSO)
    for found in described(summary, shown):
        yield from figures_of(found, width, label=_ALSO)


def _remarks(summary: Summary, shown: tuple[Block, ...], trials: Trials | None, width: int) -> Iterable[Line]:
    """Examples of failures, what is left out, and warnings."""
    if trials is not None:
        for example in examples(shown, trials):
            trial = example.trial
            where = f"{shown_name(trial.task_id)} · {shown_name(example.condition)} · trial {trial.index}"
            why = for_terminal(example.why, longest=300)
            yield from prose(f"{where} · {trial.outcome}: {why}", width, label=("  for example  ", "red"))
    for text in filter(None, (*unusual(shown), *left_out(summary.header, shown, trials), *not_measured(summary))):
        yield from prose(text, width, style="dim")
    for text in filter(None, (missing(summary), *summary.warnings)):
        yield from prose(for_terminal(text), width, label=("  warning  ", "bold yellow"))


def _verdict(summary: Summary, verdict: Verdict | None, shown: Sequence[Block], width: int) -> Iterator[Line]:
    if verdict is None:
        yield (("verdict  ", "bold"), ("none: no rule was asked", "dim"))
        return
    yield (("verdict  ", "bold"), (verdict.status.value.upper(), STATUS[verdict.status]))
    sound, findings = evidence(verdict, shown, summary.header.planned)
    names = short_names([block.condition for block in shown])
    wide = max([_STANDING, *(len(standing(finding)) for finding in findings)])
    if sound:
        yield from prose(f"evidence: {sound}", width, label=_standing("held", wide))
    for finding in findings:
        label = _standing(standing(finding), wide)
        yield from _finding(finding, names.get(finding.condition, finding.condition), width, label=label)
    if no_drop(verdict):
        yield from prose(no_drop(verdict), width, style="dim")


def _standing(word: str, wide: int) -> Span:
    return (f"  {word:<{wide}}  ", FOUND[word])


def _finding(finding: Finding, name: str, width: int, *, label: Span) -> Iterator[Line]:
    """A finding, its condition by its short name; the drop joins on where that saves a line."""
    place = f" under {name}" if where(finding) else ""
    rule, reason = (_called(text, finding.condition, name) for text in (claim(finding), finding.reason))
    asked = f"{shown_name(rule)}{shown_name(place)}: " if rule or place else ""
    text = f"{asked}{for_terminal(reason)}"
    could = drop(finding)
    room = min(width, WIDEST_PROSE) - len(label[0])
    if could and cells(text) > room:
        yield from prose(f"{text} · {could}", width, label=label)
        return
    yield from prose(text, width, label=label)
    if could:
        yield from prose(could, width, label=(" " * len(label[0]), ""), style="dim")


def _called(text: str, condition: str, name: str) -> str:
    return text.replace(condition, name) if condition else text
