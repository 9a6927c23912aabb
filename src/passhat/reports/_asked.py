"""The metrics that somebody asked for besides the usual ones, a line each: the number, its denominator, its method."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.model.summary import Estimate, Row, Summary
from passhat.reports._figures import counted, figure, range_only, reason

RELIABILITY = "reliability"


def asked(summary: Summary) -> Iterator[tuple[str, str, str]]:
    """Of each metric that was asked for: its name, whom it is about, and what it says. Names are not escaped here."""
    for name in summary.asked:
        for condition in summary.tally.conditions:
            row = summary.suite_row(condition)
            estimate = row.get(name) if row else None
            if estimate is not None:
                yield name, f"all {counted(estimate.tasks, 'task')} under {condition}", said(estimate)
            yield from _tasks(summary, name, condition, alone=estimate is None)


def _tasks(summary: Summary, name: str, condition: str, *, alone: bool) -> Iterator[tuple[str, str, str]]:
    """The tasks' own lines, where the metric has nothing to say of the suite or describes a task."""
    for row in summary.task_rows(condition):
        estimate = row.get(name)
        if estimate is not None and alone:
            yield name, f"{row.task} under {condition}", said(estimate)
        elif name == RELIABILITY and row.reliability is not None:
            yield name, f"{row.task} under {condition}", _described(row)


def said(estimate: Estimate) -> str:
    """An estimate in one line."""
    if estimate.value is None:
        return f"- ({reason(estimate)})"
    within = "" if estimate.low is None else f" {range_only(estimate)}"
    return f"{figure(estimate.value)}{within} · {counted(estimate.n, 'trial')} · {estimate.method}"


def _described(row: Row) -> str:
    """The figures of one task that mcptest names."""
    figures = row.reliability.metrics_object() if row.reliability else {}
    curve = figures.pop("decay_curve", [])
    entries = curve if isinstance(curve, list) else []
    shown = " ".join(map(str, entries[:10])) + (" …" if len(entries) > 10 else "")  # noqa: PLR2004 - a line of them
    return " · ".join([*(f"{name} {value}" for name, value in figures.items()), f"decay_curve {shown}"])
