"""Several scenarios on one screen: each with its conditions, what came of the faults, and its verdict.

Each was a run of its own; nothing is pooled but in the last sentence, which counts trials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passhat.model.summary import Summary
from passhat.model.verdict import Status, Verdict
from passhat.reports._cells import EMPTY, cell, reasons, shown_name, titles
from passhat.reports._escape import for_terminal
from passhat.reports._faults import Taken, taken
from passhat.reports._figures import PER_CENT, SHARES, Notes, Unit, counted, interval, levels
from passhat.reports._screen import GLUE, NARROWEST, Line, Span, cells, columns, fit, paint, prose
from passhat.reports._view import Block, blocks
from passhat.reports._words import short_names
from passhat.reports.terminal import STATUS

_HEADS = ("fired", "recovered", "safe", "false success", "silent corruption")
_ROOMY = 80  # columns; where there are fewer, all stands closer, and pass^k in per cent
_WIDEST = 90
_NONE_WRONG = "none it leaves the world wrong in silence"
_GRADES = (Status.PASS, Status.INCONCLUSIVE, Status.FAIL)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that was run: what spreads the failure, what goes wrong, what a good agent does, and what came."""

    pathway: str
    story: str
    good: str
    summary: Summary
    verdict: Verdict


def overall(scenarios: Sequence[Scenario]) -> Status:
    """The worst of the verdicts: one that fails fails all, and one that is not reached lets none pass."""
    return max((one.verdict.status for one in scenarios), key=_GRADES.index)


def canaries_text(scenarios: Sequence[Scenario], *, width: int = 100, colour: bool = False) -> str:
    """The *scenarios*, one below the other, what they come to, and all of it in a sentence."""
    width = max(NARROWEST, width)
    lines = [*_head(scenarios, width), *_heads(scenarios, width)]
    widths = _widths(scenarios, width)
    for one in scenarios:
        lines += [*_scenario(one, width, widths), EMPTY]
    lines += [*_legend(scenarios, width), EMPTY, *_end(scenarios, width)]
    return paint(lines, colour=colour)


def _head(scenarios: Sequence[Scenario], width: int) -> Iterator[Line]:
    header = scenarios[0].summary.header
    tasks = sum(len(one.summary.header.tasks) for one in scenarios)
    size = f"{len(scenarios)} canaries, {counted(tasks, 'task')} × {counted(header.trials, 'trial')}"
    text = f"{shown_name(header.agent)} · {size} under each condition · seed {header.seed}"
    yield from prose(text, width, label=("passhat  ", "bold cyan"), style="bold")
    yield EMPTY


def _heads(scenarios: Sequence[Scenario], width: int) -> Iterator[Line]:
    k = blocks(scenarios[0].summary)[0].k
    yield from columns(
        [[(head, "dim")] for head in ("", f"pass^{k}", *_HEADS)], _widths(scenarios, width), gaps=_gaps(width)
    )


def _scenario(one: Scenario, width: int, widths: Sequence[int]) -> Iterator[Line]:
    """Its verdict, a row for each condition, and where it does not pass, why."""
    status = one.verdict.status
    verdict, run = status.value.upper(), fit(shown_name(one.summary.header.id), width // 3)
    room = width - cells(f"    {verdict}run {run}")
    label: Span = (f"{fit(shown_name(one.pathway), room)}  ", "bold cyan")
    yield (label, (verdict, STATUS[status]), (f"  run {run}", "dim"))
    yield from prose(for_terminal(one.story), width, style="dim")
    yield from _rows(one.summary, width, widths)
    if status is Status.PASS:
        return
    yield from _against(one, width)
    if status is Status.FAIL:
        yield from prose(for_terminal(one.good), width, label=("  a good agent  ", "green"))


def _rows(summary: Summary, width: int, widths: Sequence[int]) -> Iterator[Line]:
    """A row for each condition: pass^k, and how the faults were taken."""
    shown = blocks(summary)
    rows = {row.condition: row for row in taken(shown)}
    names = titles([block.condition for block in shown], widths[0])
    notes = Notes()
    for block, name in zip(shown, names, strict=True):
        texts: list[list[Span]] = [[(name, "cyan")], cell(interval(block.hat, notes, _unit(width)))]
        if block.condition in rows:
            texts += _ends(rows[block.condition], block)
        yield from columns(texts, widths[: len(texts)], gaps=_gaps(width)[: len(texts)])
    yield from reasons(notes, width)


def _ends(row: Taken, block: Block) -> Iterator[list[Span]]:
    """In how many trials the fault fired, and how these ended."""
    yield cell(_fired(row), "" if row.fired == row.planned else "yellow")
    yield cell(f"{row.recovered.c:,}", "green" if row.recovered.c else "")
    yield cell(f"{row.safe:,}")
    unnoticed = block.suite.get("false_success_share")
    yield cell("-" if unnoticed is None else f"{unnoticed.c:,}", "red" if unnoticed is not None and unnoticed.c else "")
    yield cell(f"{row.silent.c:,}", "bold red" if row.silent.c else "")


def _against(one: Scenario, width: int) -> Iterator[Line]:
    """The rules that are broken, those that are open for want of evidence, and those that more trials might decide."""
    against = [finding for finding in one.verdict.findings if finding.ok is not True]
    broken = [finding for finding in against if finding.ok is False and not finding.broken_evidence]
    close = [finding for finding in against if finding.ok is None and finding.line is not None]
    unknown = [finding for finding in against if finding not in (*broken, *close)]
    for found, label in ((broken, ("  broken        ", "red")), (unknown, ("  open          ", "yellow"))):
        text = " · ".join(dict.fromkeys(shown_name(finding.rule).replace(" ", GLUE) for finding in found))
        if text:
            yield from prose(text, width, label=label)
    names = short_names(one.summary.header.conditions)
    for finding in close:
        name = names.get(finding.condition, "")
        text = finding.reason.replace(finding.condition, name) if name else finding.reason
        yield from prose(for_terminal(text), width, label=("  open          ", "yellow"))


def _legend(scenarios: Sequence[Scenario], width: int) -> Iterator[Line]:
    found = [block for one in scenarios for block in blocks(one.summary)]
    unit = ", in per cent" if _unit(width) is PER_CENT else ""
    hat = f"pass^{found[0].k} with its interval [{levels(block.hat for block in found)}]{unit}"
    yield from prose(f"{hat} · fired, of the trials that planned the fault · then how these ended", width, style="dim")
    other = sum(_shown_nowhere(block) for block in found)
    if other:
        text = (
            f"{counted(other, 'trial')} ended over-cautious or in loud corruption: no column of this table counts them"
        )
        yield from prose(text, width, style="dim")
    void = sum(block.counts.void for block in found)
    if void:
        text = f"{counted(void, 'trial')} of {sum(block.counts.trials for block in found):,}"
        yield from prose(text, width, label=("  void          ", "yellow"))


def _shown_nowhere(block: Block) -> int:
    found = map(block.suite.get, ("over_cautious_share", "loud_corruption_share"))
    return sum(one.c for one in found if one is not None)


def _end(scenarios: Sequence[Scenario], width: int) -> Iterator[Line]:
    status = overall(scenarios)
    yield (("verdict  ", "bold"), (status.value.upper(), STATUS[status]))
    yield from prose(_closing([block for one in scenarios for block in blocks(one.summary)]), width, style="bold")


def _closing(shown: Sequence[Block]) -> str:
    """All of it in a sentence, in counts."""
    clean = [block.counts for block in shown if block.clean]
    passed, counting = sum(one.passed for one in clean), sum(one.counting for one in clean)
    rows = taken(shown)
    fired, silent = sum(row.fired for row in rows), sum(row.silent.c for row in rows)
    recovered = sum(row.recovered.c for row in rows)
    start = f"Without a fault this agent passes {passed:,} of {counted(counting, 'trial')}."
    if not fired:
        return f"{start} It met no fault."
    wrong = f"{silent:,} it leaves the world wrong and says that all is well" if silent else _NONE_WRONG
    return f"{start} Of {fired:,} that met one it recovers in {recovered:,}, and in {wrong}."


def _widths(scenarios: Sequence[Scenario], width: int) -> tuple[int, ...]:
    """The columns: counts at the right of theirs, and what is left for the conditions' names."""
    shown = [block for one in scenarios for block in blocks(one.summary)]
    hat = max(len(interval(block.hat, Notes(), _unit(width))) for block in shown)
    fired = max([len(_HEADS[0]), *(len(_fired(row)) for row in taken(shown))])
    counts = (fired, *(max(map(len, head.split())) for head in _HEADS[1:]))
    name = min(width, _WIDEST) - hat - sum(counts) - sum(_gaps(width))
    return (name, hat, *(-count for count in counts))


def _gaps(width: int) -> tuple[int, ...]:
    """The spaces before the columns."""
    return (2, *(2 if width >= _ROOMY else 1 for _ in ("pass^k", *_HEADS)))


def _fired(row: Taken) -> str:
    return f"{row.fired:,}/{row.planned:,}"


def _unit(width: int) -> Unit:
    return SHARES if width >= _ROOMY else PER_CENT
