"""Drops below a baseline: how many runs catch one, how surely some runs do, and which one they catch."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from passhat.errors import UsageError
from passhat.sizing.answer import Answer, Cell, Level, Share, Table
from passhat.sizing.question import Kind, Question
from passhat.sizing.tasks import alike, effective, fitted, fitted_or_none, shaped, split_table, worthy
from passhat.sizing.words import baseline, cost_values, costs, counted, does, percent, points, surety
from passhat.stats.half_width import confidence_band
from passhat.stats.planning import RunsNeeded, achieved_power, detectable_drop, runs_to_detect
from passhat.stats.scalars import MOST_RUNS, normal_quantile

_DROPS = (0.10, 0.05, 0.02, 0.01)
_POWERS = (0.80, 0.90)
_BASELINES = (0.50, 0.70, 0.80, 0.90, 0.95)
_BUDGETS = (10, 20, 30, 50, 100, 200, 500, 1000)
_TWO_ARMS = "two-sample"

_FORMULAS = {
    "normal": "n = ((a·√(p0·q0) + b·√(p1·q1)) / drop)²",
    "continuity": "n = ((a·√(p0·q0) + b·√(p1·q1)) / drop)² + 1/drop",
    "two-sample": "n = ((a·√(2·p·q) + b·√(p0·q0 + p1·q1)) / drop)² in each arm, p the mean of p0 and p1",
    "two-sample-unpooled": "n = (a + b)²·(p0·q0 + p1·q1) / drop² in each arm",
    "two-sample-arcsine": "n = (a + b)² / (2·(arcsin√p0 - arcsin√p1)²) in each arm",
    "two-sample-continuity": "n = m/4·(1 + √(1 + 4/(m·drop)))² in each arm, m the two-sample count",
    "exact": "none: the binomial probabilities of every count that can matter",
    "wilson": "none: the binomial probabilities of Wilson's test (the score test), for every count that can matter",
}
_WORDS = {
    "normal": "the noise of one run before the drop times how rare a false alarm shall be, plus the noise after it "
    "times how sure a catch shall be; over the drop; squared",
    "two-sample": "the noise of one run of each arm, before the drop and after it, times how rare a false alarm and "
    "how sure a catch shall be; over the drop; squared",
    "exact": "the runs fail where so few passes are rarer than a false alarm may be",
    "wilson": "the runs fail where Wilson's upper bound for their rate is below the baseline",
}


def needed(question: Question) -> Answer:
    """How many runs catch a drop."""
    found = _count(question, question.p0, question.drop or 0.0, question.the_power)
    fit = fitted(_independent(found), question)
    runs, half = fit.runs, _half_width(question, fit.runs)
    arms = 2 if _is_two_arms(question) else 1
    rows = [
        *_formula(question, found),
        *_first_and_safe(found, question),
        ("Assumes", _assumption(question)),
        *baseline(question),
        *shaped(fit, question),
        *_interval(question, half),
        *costs(runs, question, arms=arms),
    ]
    values = {
        **fit.values,
        "formula": found.formula,
        "first": found.first,
        "safe": found.safe,
        "interval_half_width": half,
    }
    in_each = "" if arms == 1 else ", in each of two arms"
    with_power = f"with {percent(question.the_power)} probability, at {_alarms(question)}"
    says = f"{does(runs, 'run', 'catch')} {_drop(question)} {with_power}{in_each}."
    tables = (_by_drop(question), _by_baseline(question))
    values |= cost_values(runs, question, arms=arms)
    return Answer(f"{runs}", says, tuple(rows), values, tables)


def surely(question: Question) -> Answer:
    """How surely some runs catch a drop."""
    p0, size, method = question.p0, question.drop or 0.0, question.method or "normal"
    worth = effective(question)
    alpha, two = question.the_alpha, bool(question.two_sided)
    power = achieved_power(p0, size, worth, alpha=alpha, method=method, two_sided=two)
    arms = 2 if _is_two_arms(question) else 1
    rows = [
        ("Formula", _backwards("power", method, worth)),
        ("Assumes", _assumption(question)),
        *baseline(question),
        *worthy(worth, question),
        *costs(question.total, question, arms=arms),
    ]
    with_power = f"with {surety(power)} probability, at {_alarms(question)}"
    says = f"{does(question.total, 'run', 'catch')} {_drop(question)} {with_power}."
    values = {"power": power, "independent_runs": worth, **cost_values(question.total, question, arms=arms)}
    return Answer(f"{power:.4g}", says, tuple(rows), values, (_by_drop(question),))


def visible(question: Question) -> Answer:
    """Which drop some runs catch."""
    p0, worth, method = question.p0, effective(question), question.method or "normal"
    size, half = _smallest(question, worth, question.the_power), _half_width(question, worth)
    arms = 2 if _is_two_arms(question) else 1
    rows = [
        ("Formula", _backwards("drop", method, worth)),
        ("Assumes", _assumption(question)),
        *baseline(question),
        *worthy(worth, question),
        *_interval(question, half),
        *costs(question.total, question, arms=arms),
    ]
    with_power = f"with {percent(question.the_power)} probability, at {_alarms(question)}"
    if size is None:
        says = f"{does(question.total, 'run', 'catch')} no drop below {percent(p0)} {with_power}."
        number = "none"
    else:
        drop = f"a drop of {points(size)} or more, from {percent(p0)} to {percent(round(p0 - size, 4))} or less"
        says = f"{does(question.total, 'run', 'catch')} {drop}, {with_power}."
        number = f"{size:.4g}"
    values: dict[str, Cell] = {"drop": size, "independent_runs": worth, "interval_half_width": half}
    values |= cost_values(question.total, question, arms=arms)
    tables = (_by_budget(question), *split_table(question, rate=p0))
    return Answer(number, says, tuple(rows), values, tables)


def _count(question: Question, p0: float, size: float, power: float) -> RunsNeeded:
    return runs_to_detect(
        p0,
        size,
        power=power,
        alpha=question.the_alpha,
        method=question.method or "normal",
        two_sided=bool(question.two_sided),
    )


def _smallest(question: Question, worth: int, power: float) -> float | None:
    return detectable_drop(
        question.p0,
        worth,
        power=power,
        alpha=question.the_alpha,
        method=question.method or "normal",
        two_sided=bool(question.two_sided),
    )


def _independent(found: RunsNeeded) -> float:
    """The count before it is rounded up."""
    return found.runs if found.formula is None else found.formula


def _is_two_arms(question: Question) -> bool:
    return (question.method or "").startswith(_TWO_ARMS)


def _formula(question: Question, found: RunsNeeded) -> Iterator[tuple[str, str]]:
    """The formula with its numbers, and in words."""
    method = found.method
    yield "Formula", _FORMULAS[method]
    if found.formula is not None:
        p0, p1 = question.p0, question.p0 - (question.drop or 0.0)
        tail = question.the_alpha / 2 if question.two_sided else question.the_alpha
        a, b = -normal_quantile(tail), normal_quantile(question.the_power)
        deviations = f", √(p0·q0) = {sqrt(p0 * (1 - p0)):.4f}, √(p1·q1) = {sqrt(max(0.0, p1 * (1 - p1))):.4f}"
        shown = "" if _is_two_arms(question) else deviations
        yield "", f"a = {a:.4f}, b = {b:.4f}{shown}: {found.formula:,.2f}, rounded up"
    yield "In words", _WORDS[_TWO_ARMS if _is_two_arms(question) else "normal" if method == "continuity" else method]


def _backwards(wanted: str, method: str, runs: int) -> str:
    """The formula, read from its count of runs to what is *wanted*."""
    if method in ("exact", "wilson"):
        return f"none: the {wanted} by the binomial probabilities of {counted(runs, 'run')}"
    return f"the {wanted} at which {_FORMULAS[method]} is {counted(runs, 'run')}"


def _first_and_safe(found: RunsNeeded, question: Question) -> Iterator[tuple[str, str]]:
    """What a saw-tooth has to say, or that there is one."""
    if found.first is not None and found.safe is not None:
        saw = "Exact power goes up and down as runs are added"
        yield "Safe", f"{saw}: {found.first:,} runs have it first, and every count from {found.safe:,} on has it."
    elif not _is_two_arms(question):
        yield "But", "It is an approximation, and a little hopeful at high rates: --method exact is none."


def _assumption(question: Question) -> str:
    """What matters most to be true, and how runs hang together where that was said."""
    return f"{_of_the_arms(question)} {alike(question)}".rstrip()


def _of_the_arms(question: Question) -> str:
    if _is_two_arms(question):
        return "Both arms are fresh runs of this size, independent of each other, at one time and on one harness."
    known = "The baseline is known, as from a long history. Against a fresh baseline it takes about twice as many runs"
    if question.drop is None:
        return f"{known} in each arm (--method two-sample)."
    fresh = _count(question._replace(method=_TWO_ARMS), question.p0, question.drop, question.the_power).runs
    return f"{known}: {fresh:,} in each arm (--method two-sample)."


def _drop(question: Question) -> str:
    p0, size = question.p0, question.drop or 0.0
    return f"a drop from {percent(p0)} to {percent(p0 - size)} ({points(size)})"


def _alarms(question: Question) -> str:
    sides = ", on both sides" if question.two_sided else ""
    return f"{percent(question.the_alpha)} false alarms{sides}"


def _half_width(question: Question, runs: int) -> float | None:
    """Half of the interval that so many runs imply; Wilson's, because the exact one takes an array library."""
    if question.icc is not None or runs > MOST_RUNS:
        return None
    return confidence_band(runs, rate=question.p0, method="wilson")


def _interval(question: Question, half: float | None) -> Iterator[tuple[str, str]]:
    """The interval in words."""
    if half is not None:
        yield "Interval", f"±{points(half)} around a rate near {percent(question.p0)} (Wilson, 95 %, approximate)"


def _cell(question: Question, p0: float, size: float, power: float) -> int | None:
    """The runs of one cell; nothing where there is no such drop, or no count for it."""
    try:
        return fitted_or_none(_independent(_count(question, p0, size, power)), question)
    except UsageError:
        return None


def _how(question: Question) -> str:
    """The method, where it is not the usual one."""
    return "" if question.method in (None, "normal") else f" ({question.method})"


def _by_drop(question: Question) -> Table:
    """Runs over drops and powers."""
    p0 = question.p0
    powers = sorted({*_POWERS, question.the_power})
    sizes = sorted({*_DROPS, question.drop or _DROPS[0]}, reverse=True)
    rows = [
        (size, Share(p0 - size), *(_cell(question, p0, size, power) for power in powers))
        for size in sizes
        if size <= p0
    ]
    return Table(
        f"Runs by drop and power, from {percent(p0)}{_how(question)}",
        ("drop", "to", *_heads(powers)),
        tuple(rows),
    )


def _by_baseline(question: Question) -> Table:
    """Runs over baselines."""
    size, power = question.drop or 0.0, question.the_power
    rows = [(Share(p0), _cell(question, p0, size, power)) for p0 in sorted({*_BASELINES, question.p0}) if size <= p0]
    title = f"Runs by baseline, for {points(size)} at {percent(power)} power{_how(question)}"
    return Table(title, ("baseline", "runs"), tuple(rows))


def _by_budget(question: Question) -> Table:
    """The smallest drop over independent runs and powers."""
    powers = sorted({*_POWERS, question.the_power})
    rows = [
        (runs, *(_smallest(question, runs, power) for power in powers))
        for runs in sorted({*_BUDGETS, effective(question)})
    ]
    title = f"Smallest drop by independent runs and power, from {percent(question.p0)}{_how(question)}"
    return Table(title, ("runs", *_heads(powers)), tuple(rows))


def _heads(powers: list[float]) -> Iterator[Level]:
    """A column for each power."""
    return (Level("power", power) for power in powers)


ANSWERS = {Kind.DROP: needed, Kind.POWER: surely, Kind.SEE: visible}
