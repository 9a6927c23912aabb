"""Half-widths: how many runs for one, and which one some runs buy."""

from __future__ import annotations

from math import inf

from passhat.errors import UsageError
from passhat.sizing.answer import Answer, Table
from passhat.sizing.question import Kind, Question
from passhat.sizing.words import cost_values, costs, counted, does, percent, points, shape
from passhat.stats.half_width import confidence_band, recommend_runs
from passhat.stats.scalars import normal_quantile, whole_up

_HALF_WIDTHS = (0.10, 0.05, 0.02, 0.01)
_LEVELS = (0.90, 0.95, 0.99)
_BUDGETS = (10, 30, 100, 300, 1000, 3000)
_SPLITS_SHOWN = 8
_MOST_TO_SPLIT = 1_000_000
_FORMULAS = {
    "wald": ("N = (z / half-width)² · 0.25", "half-width = z · √(0.25 / N)"),
    "wilson": ("N = (z / half-width)² · 0.25 - z²", "half-width = z / (2·√(N + z²))"),
    "clopper-pearson": (
        "the least N whose Clopper-Pearson interval is narrow enough at one half",
        "half of the width of Clopper-Pearson's interval at one half",
    ),
}
_WORST = "the worst case, a true rate of 50 %: nearer to 0 or 100 % the interval is narrower."


def width(question: Question) -> Answer:
    """How many runs pin a rate to a half-width."""
    half, level, method = question.half_width or inf, question.the_confidence, question.method or "wald"
    alone = recommend_runs(half, level, method=method)
    needed = correlated(alone, question)
    runs, as_shape = shape(needed, question)
    z = -normal_quantile((1 - level) / 2)
    rows = [
        ("Formula", f"{_FORMULAS[method][0]}, rounded up; z = {z:.4f} for {percent(level)}"),
        ("In words", "the critical value over the half-width, squared, times the largest variance a run can have"),
        ("Assumes", f"Runs are independent and alike. It takes {_WORST}"),
        *shaped(alone, as_shape, question),
        *costs(runs, question),
    ]
    pinned = f"a pass rate to ±{points(half)}, whatever it is, at {percent(level)} confidence"
    says = f"{does(runs, 'run', 'pin')} {pinned}."
    values = {"runs": runs, "independent_runs": alone, **cost_values(runs, question)}
    tables = (_by_width(half, level, method, question),)
    return Answer(f"{runs}", says, tuple(rows), values, tables)


def band(question: Question) -> Answer:
    """Which half-width some runs buy."""
    level, method = question.the_confidence, question.method or "wald"
    worth = effective(question)
    half = confidence_band(worth, level, method=method)
    z = -normal_quantile((1 - level) / 2)
    rows = [
        ("Formula", f"{_FORMULAS[method][1]}; z = {z:.4f} for {percent(level)}"),
        ("In words", "the critical value times the deviation of a mean of so many runs, at the largest it can have"),
        ("Assumes", f"Runs are independent and alike. It takes {_WORST}"),
        *worthy(worth, question),
        *costs(question.total, question),
    ]
    pinned = f"a pass rate to ±{points(half)}, whatever it is, at {percent(level)} confidence"
    says = f"{does(question.total, 'run', 'pin')} {pinned}."
    cost = cost_values(question.total, question)
    values = {"half_width": half, "runs": question.total, "independent_runs": worth, **cost}
    tables = (_by_budget(worth, method), *split_table(question, rate=0.5))
    return Answer(f"{half:.4g}", says, tuple(rows), values, tables)


def correlated(alone: float, question: Question) -> int:
    """How many runs are worth *alone* independent ones, in the tasks and trials that were named."""
    between = question.icc or 0.0
    if question.trials is not None:
        return whole_up(alone * (1 + (question.trials - 1) * between))
    if question.tasks is None:
        return whole_up(alone)
    from passhat.stats.designs import trials_for

    trials = trials_for(question.tasks, alone, between)
    if trials is None:
        most = question.tasks / between
        raise UsageError(
            f"{counted(question.tasks, 'task')} are never worth more than {most:,.1f} independent runs at an icc of "
            f"{between:g}, and {alone:,.0f} are needed: take {whole_up(alone * between + 1e-6):,} tasks or more"
        )
    return question.tasks * trials


def effective(question: Question) -> int:
    """How many independent runs the runs are worth that there are, rounded down."""
    effect = 1 + ((question.trials or 1) - 1) * (question.icc or 0.0)
    worth = int(question.total / effect + 1e-9)
    if worth < 1:
        raise UsageError(f"{counted(question.total, 'run')} are worth less than one independent run at this icc")
    return worth


def shaped(alone: float, as_shape: str, question: Question) -> list[tuple[str, str]]:
    """The row that shows the runs as tasks × trials."""
    if not as_shape:
        return []
    worth = f", worth {alone:,.0f} independent runs at an icc of {question.icc:g}" if question.icc else ""
    return [("Shape", f"{as_shape}{worth}")]


def worthy(worth: int, question: Question) -> list[tuple[str, str]]:
    """The row that says what correlated runs are worth."""
    if worth == question.total:
        return []
    effect = 1 + ((question.trials or 1) - 1) * (question.icc or 0.0)
    return [("Worth", f"{counted(worth, 'independent run')}: the design effect 1 + (trials - 1)·icc is {effect:.3g}")]


def split_table(question: Question, *, rate: float) -> list[Table]:
    """How to split the runs between tasks and trials, where their correlation is known and nothing else."""
    if question.icc is None or question.trials is not None or question.tasks is not None:
        return []
    from passhat.stats.designs import splits

    if question.total > _MOST_TO_SPLIT:
        return []
    found = splits(question.total, question.icc, rate=rate)
    step = max(1, len(found) // _SPLITS_SHOWN)
    shown = [one for one in found if one.trials in (1, 2, 3, 5, 10, 20, 50, 100)] or list(found[::step])
    rows = tuple((one.tasks, one.trials, one.runs, one.se) for one in shown)
    title = f"One standard error, by how {question.total:,} runs are split (icc {question.icc:g}, rate {percent(rate)})"
    return [Table(title, ("tasks", "trials", "runs", "error"), rows)]


def _by_width(half: float, level: float, method: str, question: Question) -> Table:
    """Runs over half-widths and levels."""
    levels = sorted({*_LEVELS, level})
    rows = [
        (width, *(correlated_or_none(recommend_runs(width, each, method=method), question) for each in levels))
        for width in sorted({*_HALF_WIDTHS, half}, reverse=True)
    ]
    return Table("Runs by half-width and confidence", ("half-width", *map(percent, levels)), tuple(rows))


def correlated_or_none(alone: float, question: Question) -> int | None:
    """As `correlated`, with nothing where the tasks are too few."""
    try:
        return correlated(alone, question)
    except UsageError:
        return None


def _by_budget(runs: int, method: str) -> Table:
    """Half-widths over independent runs and levels."""
    rows = [
        (each, *(confidence_band(each, level, method=method) for level in _LEVELS))
        for each in sorted({*_BUDGETS, runs})
    ]
    return Table("Half-width by independent runs and confidence", ("runs", *map(percent, _LEVELS)), tuple(rows))


ANSWERS = {Kind.WIDTH: width, Kind.BAND: band}
