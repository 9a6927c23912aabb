"""A run that was not made, for a screen: its trials, what they may cost and take, and the drop that they could show."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.model.forecast import Forecast
from passhat.reports._escape import for_terminal

_NAMES = 8
_UNKNOWN = "unknown: the store holds no trial of this agent and suite that tells"
_MINUTE, _HOUR = 60, 3600


def forecast_text(forecast: Forecast) -> str:
    """Lines of a name and what it is."""
    return "".join(f"{name:<10}{for_terminal(text)}\n" for name, text in _lines(forecast))


def _lines(of: Forecast) -> Iterator[tuple[str, str]]:
    tasks, conditions = len(of.tasks), len(of.conditions)
    yield "dry run", f"{of.suite} · {of.agent} · nothing is run, and nothing is stored"
    shape = f"{_of(tasks, 'task')} × {_of(conditions, 'condition')} × {_of(of.trials, 'trial')}"
    stored = f", {of.stored:,} of them stored already" if of.stored else ""
    yield "plan", f"{shape} = {_of(of.planned, 'trial')}{stored}"
    if of.selection:
        yield "", of.selection
    more = f" and {tasks - _NAMES:,} more" if tasks > _NAMES else ""
    yield "tasks", ", ".join(of.tasks[:_NAMES]) + more
    for condition in of.conditions:
        yield "under", condition.name
        for share in condition.shares:
            yield "", f"{share.fault} is planned in {share.trials:,} of {of.trials:,} trials of each task"
    yield "time", _UNKNOWN if of.seconds is None else f"about {_duration(of.seconds)}, {of.concurrency:,} at a time"
    yield "tokens", _UNKNOWN if of.tokens is None else f"about {of.tokens:,.0f}"
    yield "cost", _UNKNOWN if of.cost is None else f"about {of.cost:,.4g}"
    if of.earlier.trials:
        yield "", f"by the means of {_of(of.earlier.trials, 'earlier trial')} in {_of(of.earlier.runs, 'run')}"
    yield "drop", _drop(of)


def _drop(of: Forecast) -> str:
    runs = len(of.tasks) * of.trials
    known = "as earlier clean trials have passed" if of.baseline_known else "taken as an example"
    base = f"{100 * of.baseline:.4g} %, {known}"
    if of.drop is None:
        return f"the {_of(runs, 'trial')} of a condition catch no drop below {base}"
    return (
        f"the {_of(runs, 'trial')} of a condition catch a drop of {100 * of.drop:.3g} points or more below {base}, "
        "with 80 % probability, at 5 % false alarms; more where trials of a task are alike"
    )


def _of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _duration(seconds: float) -> str:
    for length, name in ((_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= length:
            return f"{seconds / length:.1f} {name}"
    return f"{seconds:.2g} s"
