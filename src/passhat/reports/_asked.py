"""What somebody asked for besides the usual: metrics, a line each, and the figures that describe single tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from passhat.model.summary import Estimate, Summary
from passhat.reports._figures import FIGURES, counted, figure, range_only, reason
from passhat.reports._view import Block
from passhat.reports._words import short_names

_DESCRIBED = "reliability"
_CURVE = "decay_curve"


@dataclass(frozen=True, slots=True)
class Described:
    """The figures of a condition's tasks: their names, and a row a task, its curve apart. Names are not escaped."""

    condition: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


def asked(summary: Summary, shown: Sequence[Block]) -> Iterator[tuple[str, str, str]]:
    """Of each metric that was asked for: its name, whom it is about, and what it says. Names are not escaped.

    A metric that has nothing to say of the suite is shown for each task that the report shows.
    """
    names = short_names(summary.tally.conditions)
    for name in summary.asked:
        for block in shown:
            under = f"under {names[block.condition]}"
            row = summary.suite_row(block.condition)
            estimate = row.get(name) if row else None
            if estimate is not None:
                yield name, f"all {counted(estimate.tasks, 'task')} {under}", said(estimate)
                continue
            for task, one in _tasks(summary, name, block):
                yield name, f"{task} {under}", said(one)


def described(summary: Summary, shown: Sequence[Block]) -> Iterator[Described]:
    """The figures of each task that the report shows, where somebody asked for them."""
    if _DESCRIBED not in summary.asked:
        return
    names = short_names(summary.tally.conditions)
    for block in shown:
        known = {row.task: row.reliability for row in summary.task_rows(block.condition)}
        figures = [(line.task, one.metrics_object()) for line in block.lines if (one := known.get(line.task))]
        heads = [name for name in (figures[0][1] if figures else {}) if name != _CURVE]
        rows = tuple((task, tuple(str(found[name]) for name in heads), _curve(found)) for task, found in figures)
        if rows:
            yield Described(names[block.condition], tuple(heads), rows)


def said(estimate: Estimate) -> str:
    """An estimate in one line."""
    if estimate.value is None:
        return f"- ({reason(estimate)})"
    within = "" if estimate.low is None else f" {range_only(estimate, FIGURES)}"
    return f"{figure(estimate.value)}{within} · {counted(estimate.n, 'trial')} · {estimate.method}"


def _tasks(summary: Summary, name: str, block: Block) -> Iterator[tuple[str, Estimate]]:
    rows = {row.task: row for row in summary.task_rows(block.condition)}
    for line in block.lines:
        row = rows.get(line.task)
        estimate = row.get(name) if row else None
        if estimate is not None:
            yield line.task, estimate


def _curve(figures: Mapping[str, object]) -> tuple[str, ...]:
    curve = figures.get(_CURVE)
    return tuple(map(str, curve)) if isinstance(curve, list | tuple) else ()
