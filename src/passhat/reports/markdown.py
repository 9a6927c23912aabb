"""The report for a pull request: the verdict first, pass@1 beside pass^k, the details folded.

Every word that is not ours is inline code or plain prose (`_escape`): it formats nothing, loads nothing and
notifies nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passhat.model.run import Trials
from passhat.model.summary import Estimate, Summary
from passhat.model.verdict import Finding, Verdict
from passhat.reports._asked import asked, described
from passhat.reports._escape import for_html, for_markdown, for_markdown_prose
from passhat.reports._faults import HEADS, cost_read_as, costs, level_of, read_as, taken
from passhat.reports._figures import Notes, counted, interval, levels, points
from passhat.reports._view import Block, Example, Line, blocks, examples
from passhat.reports._words import (
    closing,
    drop,
    left_out,
    met,
    missing,
    no_drop,
    not_measured,
    other_question,
    over_k,
    question,
    size,
    standing,
    unusual,
    voids,
    where,
)
from passhat.reports.base import Report

_LONGEST_NAME = 200
_LONGEST_STRIP = 60


@dataclass(frozen=True, slots=True)
class Markdown(Report):
    """GitHub's Markdown, for the body of a pull request or a comment."""

    every_task: bool = False

    def render(self, summary: Summary, verdict: Verdict | None = None, *, trials: Trials | None = None) -> str:
        shown = blocks(summary, every_task=self.every_task)
        parts = [
            *_verdict(verdict),
            f"**{closing(shown, _name)}**",
            *_comparison(shown),
            *_faults(shown),
            *_costs(shown),
            *_asked(summary, shown),
            *_remarks(summary, shown, trials),
            *(part for block in shown for part in _details(block)),
            *_examples(shown, trials),
            _run(summary),
        ]
        return "\n\n".join(parts) + "\n"


def _name(text: str) -> str:
    return for_markdown(text, longest=_LONGEST_NAME)


def _verdict(verdict: Verdict | None) -> Iterator[str]:
    if verdict is None:
        yield "## passhat: no verdict"
        yield "No rule was asked."
        return
    yield f"## passhat: {verdict.status.value.upper()}"
    if verdict.findings:
        yield "\n".join(map(_finding, verdict.findings))
    if no_drop(verdict):
        yield f"{no_drop(verdict)[0].upper()}{no_drop(verdict)[1:]}."


def _finding(finding: Finding) -> str:
    place = f" under {_name(finding.condition)}" if where(finding) else ""
    could = f" · {drop(finding)}" if drop(finding) else ""
    return f"- **{standing(finding)}** {_name(finding.rule)}{place}: {for_markdown_prose(finding.reason)}{could}"


def _comparison(shown: Sequence[Block]) -> Iterator[str]:
    if not shown:
        return
    clean, notes, k = next((block for block in shown if block.clean), None), Notes(), shown[0].k
    level = levels(one for block in shown for one in (block.at_1, block.hat))
    heads = [
        "condition",
        f"pass@1 ({level})",
        f"pass^{k} ({level})",
        f"pass@{k}",
        "passed",
        "void",
        "fault met in",
    ]
    body = [[_cell(block, clean, notes, name) for name in _COLUMNS] for block in shown]
    yield _table(heads, body)
    if clean and len(shown) > 1:
        yield "In points: the difference to clean."
    yield from _notes(notes)


def _faults(shown: Sequence[Block]) -> Iterator[str]:
    """How the faults of each condition were taken, where that was measured."""
    rows, notes = taken(shown), Notes()
    if not rows:
        return
    body = [
        [
            _name(row.condition),
            *(f"{count:,}" for count in (row.planned, row.unreached, row.fired, row.seen, row.absorbed)),
            _interval(row.recovered, notes),
            f"{row.safe:,}",
            _interval(row.silent, notes),
            row.paths,
        ]
        for row in rows
    ]
    yield _table(["fault", *HEADS], body)
    told = read_as(level_of(rows)).replace("[", "(").replace("]", ")")
    yield f"{told[0].upper()}{told[1:]}."
    yield from _notes(notes)


def _costs(shown: Sequence[Block]) -> Iterator[str]:
    """What the way of faults costs by itself, where a placebo shows it."""
    found = costs(shown)
    if found:
        body = [[_name(one.condition), *map(for_markdown_prose, one.texts), f"{one.passes.n:,}"] for one in found]
        yield _table(["placebo", "pass rate", "seconds", "pairs of trials"], body)
        told = cost_read_as(found).replace("[", "(").replace("]", ")")
        yield f"{told[0].upper()}{told[1:]}."


def _asked(summary: Summary, shown: Sequence[Block]) -> Iterator[str]:
    """The metrics that were asked for, a line each, and a table of the figures that describe single tasks."""
    body = [[_name(name), _name(about), for_markdown_prose(text)] for name, about, text in asked(summary, shown)]
    if body:
        yield _table(["metric", "of", "value"], body)
    for found in described(summary, shown):
        heads = ["reliability", "under", *found.names, "decay_curve"]
        name = _name(found.condition)
        yield _table(heads, [[_name(task), name, *figures, " ".join(curve)] for task, figures, curve in found.rows])


_COLUMNS = ("condition", "at_1", "hat", "at_k", "passed", "void", "met")


def _cell(block: Block, clean: Block | None, notes: Notes, column: str) -> str:
    counts = block.counts
    base = clean if clean is not block else None
    match column:
        case "condition":
            return _name(block.condition)
        case "at_1":
            return _compared(block.at_1, base.at_1 if base else None, notes)
        case "hat":
            return _compared(block.hat, base.hat if base else None, notes)
        case "at_k":
            return _interval(block.at_k, notes)
        case "passed":
            return f"{counts.passed:,}/{counts.counting:,}"
        case "void":
            return f"{counts.void:,}/{counts.trials:,}"
        case _:
            return met(block)


def _compared(estimate: Estimate | None, base: Estimate | None, notes: Notes) -> str:
    text = _interval(estimate, notes)
    if estimate is None or base is None or estimate.value is None or base.value is None:
        return text
    return f"{text} ({points(estimate.value - base.value)} points)"


def _interval(estimate: Estimate | None, notes: Notes) -> str:
    return interval(estimate, notes).replace("<", "&lt;").replace(">", "&gt;").replace("[", "\\[").replace("]", "\\]")


def _details(block: Block) -> Iterator[str]:
    """A condition's tasks, folded; the blank lines let GitHub read the table as Markdown."""
    counts, notes = block.counts, Notes()
    passed = f"{counts.passed:,} of {counted(counts.counting, 'trial')} passed"
    name = for_html(block.condition, longest=_LONGEST_NAME)
    yield f"<details><summary>{name}: {counted(block.tasks, 'task')}, {passed}</summary>"
    heads = ["task", "trials", "passed", "pass@1", f"pass^{block.k}"]
    suite = [f"**all {counted(block.tasks, 'task')}**", "", f"{counts.passed:,}/{counts.counting:,}"]
    suite += [_interval(block.at_1, notes), _interval(block.hat, notes)]
    yield _table(heads, [*(_task(line, notes) for line in block.lines), suite])
    yield from _notes(notes)
    of, other = other_question(block)
    told = _ours(f"of {of}: {other}").replace("[", "\\[").replace("]", "\\]") if other else ""
    curves = [_ours(f"over k: {over_k(block, symbol)}") for symbol in ("pass^", "pass@") if block.over_k()]
    facts = [_ours(question(block)), told, *curves, *_voids(block)]
    listed = "\n".join(f"- {fact}" for fact in facts if fact)
    if listed:
        yield listed
    yield "</details>"


def _task(line: Line, notes: Notes) -> list[str]:
    strip = line.strip[:_LONGEST_STRIP]
    cut = "…" if line.cut or len(strip) < len(line.strip) else ""
    letters = for_markdown(strip + cut) if strip else "-"
    counts = line.counts
    passed = f"{counts.passed}/{counts.counting}" + (f" + {counts.void} void" if counts.void else "")
    return [_name(line.task), letters, passed, _interval(line.rate, notes), _interval(line.hat, notes)]


def _voids(block: Block) -> Iterator[str]:
    if block.counts.void:
        yield _ours(voids(block.counts, [("pass@1", block.at_1), (f"pass^{block.k}", block.hat)]))
    for line in block.lines:
        if line.counts.void:
            yield f"{_name(line.task)}: {_ours(voids(line.counts, [('pass@1', line.rate)]))}"


def _examples(shown: tuple[Block, ...], trials: Trials | None) -> Iterator[str]:
    found = () if trials is None else tuple(examples(shown, trials))
    if not found:
        return
    yield "<details><summary>Trials that did not pass, for example</summary>"
    yield "\n".join(f"- {_address(one)}: {for_markdown_prose(one.why, longest=300)}" for one in found)
    yield "</details>"


def _address(example: Example) -> str:
    trial = example.trial
    return f"{_name(trial.task_id)}, {_name(example.condition)}, trial {trial.index}, {trial.outcome}"


def _remarks(summary: Summary, shown: tuple[Block, ...], trials: Trials | None) -> Iterator[str]:
    warnings = [for_markdown_prose(text) for text in filter(None, (missing(summary), *summary.warnings))]
    lines = [f"- **warning** {text}" for text in warnings]
    notes = [*left_out(summary.header, shown, trials), *not_measured(summary), *unusual(shown)]
    lines += [f"- {for_markdown_prose(text)}" for text in filter(None, notes)]
    if lines:
        yield "\n".join(lines)


def _run(summary: Summary) -> str:
    header = summary.header
    agent = f"{header.agent} {header.agent_version}".strip()
    named = f"Run {_name(header.id)}: suite {_name(header.suite)}, agent {_name(agent)}"
    return f"{named}, {size(header)}, seed {header.seed}."


def _notes(notes: Notes) -> Iterator[str]:
    lines = [f"- {mark} {for_markdown_prose(reason)}" for mark, reason in notes.lines()]
    if lines:
        yield "\n".join(lines)


def _ours(text: str) -> str:
    """Our own words and figures: only < and > mean something in them."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *body)]
    return "\n".join(lines)
