"""Half-widths: how many runs for one, and which one some runs buy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from passhat.sizing.answer import Answer, Level, Table
from passhat.sizing.question import Kind, Question
from passhat.sizing.tasks import alike, effective, fitted, fitted_or_none, shaped, split_table, worthy
from passhat.sizing.words import cost_values, costs, does, percent, points
from passhat.stats.half_width import confidence_band, recommend_runs
from passhat.stats.scalars import normal_quantile

_HALF_WIDTHS = (0.10, 0.05, 0.02, 0.01)
_LEVELS = (0.90, 0.95, 0.99)
_BUDGETS = (10, 30, 100, 300, 1000, 3000)
_EXACT = "clopper-pearson"
_SURPRISE = (
    "an end of the interval is the rate at which so many passes, or so few, would be a surprise of half of "
    "1 - confidence, by the binomial probabilities"
)
# Each method's formula for the runs, and in words; then for the half-width.
_RUNS = {
    "wald": (
        "N = (z / half-width)² · 0.25, rounded up",
        "the critical value over the half-width, squared, times the largest variance a run can have",
    ),
    "wilson": (
        "N = (z / half-width)² · 0.25 - z², rounded up",
        "Wald's count less z²: Wilson's interval is as if z² more runs had been made, half of them passed",
    ),
    _EXACT: ("none: the least N whose Clopper-Pearson interval is narrow enough at N/2 passes", _SURPRISE),
}
_HALVES = {
    "wald": (
        "half-width = z · √(0.25 / N)",
        "the critical value times the deviation of a mean of so many runs, at the largest it can have",
    ),
    "wilson": (
        "half-width = z / (2·√(N + z²))",
        "Wald's half-width of z² more runs: Wilson's interval is as if they had been made, half of them passed",
    ),
    _EXACT: ("none: half of the width of the Clopper-Pearson interval at N/2 passes", _SURPRISE),
}
_BUT = {
    "wald": "Wald's interval is approximate, and too narrow near 0 and 100 %: --method clopper-pearson is exact.",
    "wilson": "Wilson's interval is approximate, and covers less near 0 and 100 %: --method clopper-pearson is exact.",
}
_WORST = "It takes the worst case, a true rate of 50 %: nearer to 0 or 100 % the interval is narrower"


def width(question: Question) -> Answer:
    """How many runs pin a rate to a half-width."""
    half, level, method = question.half_width or inf, question.the_confidence, question.method or "wald"
    alone = recommend_runs(half, level, method=method)
    fit = fitted(alone, question)
    rows = [
        *_formula(_RUNS, method, level),
        ("Assumes", _assumption(question, method)),
        *shaped(fit, question),
        *costs(fit.runs, question),
    ]
    says = f"{does(fit.runs, 'run', 'pin')} {_pinned(half, level)}."
    values = {**fit.values, "needed": alone, **cost_values(fit.runs, question)}
    return Answer(f"{fit.runs}", says, tuple(rows), values, (_by_width(half, level, method, question),))


def band(question: Question) -> Answer:
    """Which half-width some runs buy."""
    level, method = question.the_confidence, question.method or "wald"
    worth = effective(question)
    half = confidence_band(worth, level, method=method)
    rows = [
        *_formula(_HALVES, method, level),
        ("Assumes", _assumption(question, method)),
        *worthy(worth, question),
        *costs(question.total, question),
    ]
    says = f"{does(question.total, 'run', 'pin')} {_pinned(half, level)}."
    cost = cost_values(question.total, question)
    values = {"half_width": half, "runs": question.total, "independent_runs": worth, **cost}
    tables = (_by_budget(worth, level, method), *split_table(question, rate=0.5))
    return Answer(f"{half:.4g}", says, tuple(rows), values, tables)


def _pinned(half: float, level: float) -> str:
    return f"a pass rate to ±{points(half)}, whatever it is, at {percent(level)} confidence"


def _formula(formulas: Mapping[str, tuple[str, str]], method: str, level: float) -> Iterator[tuple[str, str]]:
    """The method's own formula, in words too, and what is wrong with the method."""
    formula, words = formulas[method]
    z = "" if method == _EXACT else f"; z = {-normal_quantile((1 - level) / 2):.4f} for {percent(level)}"
    yield "Formula", f"{formula}{z}"
    yield "In words", words
    if method in _BUT:
        yield "But", _BUT[method]


def _assumption(question: Question, method: str) -> str:
    centred = "" if method == "wald" else ", and not centred on the rate that was seen: half of its width counts"
    return f"{alike(question) or 'Runs are independent and alike.'} {_WORST}{centred}."


def _how(method: str) -> str:
    """The method, where it is not the usual one."""
    return "" if method == "wald" else f" ({method})"


def _by_width(half: float, level: float, method: str, question: Question) -> Table:
    """Runs over half-widths and levels."""
    levels = sorted({*_LEVELS, level})
    rows = [
        (width, *(fitted_or_none(recommend_runs(width, each, method=method), question) for each in levels))
        for width in sorted({*_HALF_WIDTHS, half}, reverse=True)
    ]
    title = f"Runs by half-width and confidence{_how(method)}"
    return Table(title, ("half-width", *_heads(levels)), tuple(rows))


def _by_budget(runs: int, level: float, method: str) -> Table:
    """Half-widths over independent runs and levels."""
    levels = sorted({*_LEVELS, level})
    rows = [
        (each, *(confidence_band(each, one, method=method) for one in levels)) for each in sorted({*_BUDGETS, runs})
    ]
    title = f"Half-width by independent runs and confidence{_how(method)}"
    return Table(title, ("runs", *_heads(levels)), tuple(rows))


def _heads(levels: list[float]) -> Iterator[Level]:
    """A column for each level."""
    return (Level("confidence", level) for level in levels)


ANSWERS = {Kind.WIDTH: width, Kind.BAND: band}
