"""Which interval an estimate gets, and what that is called in a report.

A user may ask for one kind by its name; what it has no form for keeps its usual one. No formula lives here.
"""

from __future__ import annotations

from passhat.model.summary import Speaks
from passhat.stats.methods import is_approximate, read_name

__all__ = ["TASKS", "applies", "check", "is_approximate", "of_rate", "of_suite", "words"]

# What the statistics call the two questions.
TASKS = {Speaks.THESE_TASKS: "these", Speaks.TASKS_LIKE_THESE: "like-these"}

_RATES = {
    "clopper-pearson": "Clopper-Pearson",
    "confidence-sequence": "confidence sequence",
    "wilson": "Wilson",
    "wilson-cc": "Wilson with continuity correction",
    "jeffreys": "Jeffreys",
    "uniform": "posterior of a uniform prior",
    "wald": "Wald",
}
_SUITES = {
    Speaks.THESE_TASKS: {
        "display": "Clopper-Pearson on effective trials",
        "gate": "Clopper-Pearson on blocks",
        "z": "normal",
    },
    Speaks.TASKS_LIKE_THESE: {
        "korn-graubard": "Korn-Graubard, smoothed",
        "t": "t over tasks",
        "bootstrap": "bootstrap over tasks",
    },
}
_WORDS = _RATES | _SUITES[Speaks.THESE_TASKS] | _SUITES[Speaks.TASKS_LIKE_THESE]


def check(method: str | None) -> None:
    """Refuse a kind of interval that there is not."""
    if method is not None:
        read_name("interval", method, _WORDS)


def of_rate(method: str | None) -> str:
    """The interval of one task, or of one share."""
    return method if method in _RATES else "clopper-pearson"


def of_suite(method: str | None, speaks_of: Speaks) -> str:
    """The interval of a mean over tasks, for the question that it answers."""
    known = _SUITES[speaks_of]
    return method if method in known else next(iter(known))


def applies(method: str, k: int, trials: int, tasks: int) -> bool:
    """Whether a kind of interval can be made at *k*, from so many *trials* of each task."""
    return k <= trials and {"t": tasks > 1, "z": 2 * k <= trials}.get(method, True)


def words(method: str) -> str:
    """What a kind of interval is called."""
    return f"{_WORDS[method]} (approximate)" if is_approximate(method) else _WORDS[method]
