"""What can be asked about run counts, and what is wrong with a question: all of it, not the first.

A question is a set of options. Which of them are there decides its kind, and each kind knows the options that have a
say in it: one that has none is refused and not passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from passhat.errors import UsageError
from passhat.sizing.ranges import complaints, is_share
from passhat.stats.half_width import WIDTH_METHODS
from passhat.stats.planning import DROP_METHODS
from passhat.stats.scalars import MOST_RUNS


class Kind(Enum):
    """What is asked."""

    WIDTH = "how many runs for a half-width"
    BAND = "which half-width some runs buy"
    DROP = "how many runs catch a drop"
    POWER = "how surely some runs catch a drop"
    SEE = "which drop some runs catch"
    PAIRED = "how many tasks, run in both arms, catch a drop"
    PAIRED_SEE = "which drop some tasks catch, run in both arms"
    MARGIN = "how many runs show that a candidate is no worse"
    CLAIM = "how many runs prove a pass^k"


# What is taken where nothing is said; a method is the first of its kind.
_DEFAULTS: dict[str, float | bool] = {
    "power": 0.8,
    "alpha": 0.05,
    "two_sided": False,
    "confidence": 0.95,
    "failures": 0,
    "trials": 1,
    "icc": 0.0,
    "spread": 0.0,
}


class Question(NamedTuple):
    """The options as they were given; None for one that was not."""

    half_width: float | None = None
    baseline: float | None = None
    field: str | None = None
    drop: float | None = None
    margin: float | None = None
    pass_hat_k: int | None = None
    at_least: float | None = None
    failures: int | None = None
    runs: int | None = None
    tasks: int | None = None
    trials: int | None = None
    icc: float | None = None
    paired: bool | None = None
    spread: float | None = None
    power: float | None = None
    alpha: float | None = None
    two_sided: bool | None = None
    confidence: float | None = None
    method: str | None = None
    cost_per_run: float | None = None
    seconds_per_run: float | None = None

    @property
    def given(self) -> dict[str, float | str | bool]:
        """What was given, by name."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    @property
    def p0(self) -> float:
        """The baseline, typed or published."""
        if self.baseline is not None:
            return self.baseline
        assert self.field is not None  # noqa: S101 - `kind_of` has refused a question without either
        return _published()[self.field]

    @property
    def total(self) -> int:
        """The runs that there are, typed or as tasks × trials."""
        return self.runs if self.runs is not None else (self.tasks or 1) * (self.trials or 1)

    @property
    def the_power(self) -> float:
        """The power; .8 where none was given."""
        return _DEFAULTS["power"] if self.power is None else self.power

    @property
    def the_alpha(self) -> float:
        """The share of false alarms; .05 where none was given."""
        return _DEFAULTS["alpha"] if self.alpha is None else self.alpha

    @property
    def the_confidence(self) -> float:
        """The confidence level; .95 where none was given."""
        return _DEFAULTS["confidence"] if self.confidence is None else self.confidence


_SHAPE = frozenset({"tasks", "trials", "icc"})
_BASE = frozenset({"baseline", "field"})
_TEST = frozenset({"alpha", "two_sided"})
_COST = frozenset({"cost_per_run", "seconds_per_run"})
_USES = {
    Kind.WIDTH: _SHAPE | _COST | {"half_width", "confidence", "method"},
    Kind.BAND: _SHAPE | _COST | {"runs", "confidence", "method"},
    Kind.DROP: _SHAPE | _COST | _BASE | _TEST | {"drop", "power", "method"},
    Kind.POWER: _SHAPE | _COST | _BASE | _TEST | {"drop", "runs", "method"},
    Kind.SEE: _SHAPE | _COST | _BASE | _TEST | {"runs", "power", "method"},
    Kind.PAIRED: _COST | _BASE | _TEST | {"paired", "drop", "power", "trials", "icc", "spread"},
    Kind.PAIRED_SEE: _SHAPE | _COST | _BASE | _TEST | {"paired", "power", "spread"},
    Kind.MARGIN: _COST | _BASE | {"margin", "power", "alpha"},
    Kind.CLAIM: _COST | {"pass_hat_k", "at_least", "failures", "confidence"},
}
_METHODS = {
    Kind.WIDTH: WIDTH_METHODS,
    Kind.BAND: WIDTH_METHODS,
    Kind.DROP: DROP_METHODS,
    Kind.POWER: DROP_METHODS,
    Kind.SEE: DROP_METHODS,
}
# The options of which each asks a question of its own.
_ASKING = ("half_width", "drop", "margin", "pass_hat_k")


def kind_of(question: Question) -> Kind:
    """Which kind of question it is; all that is wrong with it is one error."""
    problems = [*_ranges(question)]
    kind = _kind(question, problems)
    if kind is not None:
        problems += [*_unused(question, kind), *_missing(question, kind), *_clashes(question, kind)]
    if problems:
        raise UsageError(*dict.fromkeys(problems))
    assert kind is not None  # noqa: S101 - or it would have been refused
    return kind


def assumed(question: Question, kind: Kind) -> dict[str, float | str]:
    """What the answer takes for the options that have a say in it and were not given."""
    open_options = {name: value for name, value in _DEFAULTS.items() if name in _USES[kind] - question.given.keys()}
    if question.tasks is not None and kind in (Kind.WIDTH, Kind.DROP):
        del open_options["trials"]  # they are the answer
    found: dict[str, float | str] = {**open_options}
    if kind in _METHODS and question.method is None:
        found["method"] = _METHODS[kind][0]
    if question.field is not None:
        found["baseline"] = question.p0
    return found


def _published() -> dict[str, float]:
    """The published rates, which few questions need."""
    from passhat.stats.field import field_rates

    return {name: one.rate for name, one in field_rates().items()}


def flag(name: str) -> str:
    """An option as it is typed."""
    return f"--{name.replace('_', '-')}"


def _kind(question: Question, problems: list[str]) -> Kind | None:
    given = question.given
    asking = [name for name in _ASKING if name in given]
    if len(asking) > 1:
        problems.append(f"one question at a time: {' and '.join(map(flag, asking))} ask different ones")
        return None
    counted = "runs" in given or {"tasks", "trials"} <= given.keys()
    match asking:
        case ["half_width"]:
            return Kind.WIDTH
        case ["margin"]:
            return Kind.MARGIN
        case ["pass_hat_k"]:
            return Kind.CLAIM
        case ["drop"]:
            return Kind.PAIRED if question.paired else Kind.POWER if counted else Kind.DROP
    if "at_least" in given:
        return Kind.CLAIM
    if question.paired:
        return Kind.PAIRED_SEE
    if counted:
        return Kind.SEE if given.keys() & _BASE else Kind.BAND
    problems.append(_nothing_asked(question))
    return None


def _nothing_asked(question: Question) -> str:
    if question.given.keys() & _BASE:
        return "a baseline alone asks nothing: add --drop (how many runs catch it?) or --runs (what do they catch?)"
    return "nothing is asked: name --half-width, --drop, --margin, --pass-hat-k or --runs"


def _ranges(question: Question) -> Iterator[str]:
    """What is out of its range, and what does not fit its baseline."""
    for name, value in question.given.items():
        yield from complaints(name, flag(name), value)  # type: ignore[arg-type]  # a text is complained about
    if question.field is not None and question.field not in _published():
        yield f"there is no published rate {question.field!r}: --field list shows them all"
    elif question.field is not None or is_share(question.baseline):
        yield from _against_baseline(question)
    if is_share(question.power) or is_share(question.alpha):
        power, alpha = question.the_power, question.the_alpha
        if is_share(power) and is_share(alpha) and power <= alpha:
            yield f"--power is above --alpha, {alpha:.10g}, not {power:.10g}: a coin would do better"


def _against_baseline(question: Question) -> Iterator[str]:
    """What is too large for its baseline; what is no share at all has been complained about."""
    p0, drop, margin = question.p0, question.drop, question.margin
    if is_share(drop) and drop > p0:
        yield f"--drop is at most the baseline, {p0:.10g}, not {drop:.10g}"
    if is_share(margin) and margin >= p0:
        yield f"--margin is below the baseline, {p0:.10g}, not {margin:.10g}"


def _unused(question: Question, kind: Kind) -> Iterator[str]:
    for name in question.given.keys() - _USES[kind]:
        hint = {"alpha": ": it is --confidence here", "confidence": ": it is --alpha here"}.get(name, "")
        if hint and hint.removeprefix(": it is --").removesuffix(" here") not in _USES[kind]:
            hint = ""
        yield f"{flag(name)} has no say in {kind.value}{hint}"
    methods = _METHODS.get(kind)
    if methods and question.method is not None and question.method not in methods:
        yield f"--method is one of {', '.join(methods)} here, not {question.method!r}"


def _missing(question: Question, kind: Kind) -> Iterator[str]:
    given = question.given
    if given.keys() >= _BASE:
        yield "--baseline and --field are two baselines: give one"
    if _USES[kind] >= _BASE and not given.keys() & _BASE:
        yield "a baseline is missing: the pass rate there is now (--baseline), or a published one (--field)"
    if kind is Kind.CLAIM:
        absent = [name for name in ("pass_hat_k", "at_least") if name not in given]
        yield from (f"{flag(name)} is missing: a claim reads 'pass^10 is at least 0.9'" for name in absent)
    if kind is Kind.PAIRED_SEE and "tasks" not in given:
        yield "--tasks is missing: how many tasks run in both arms?"


def _clashes(question: Question, kind: Kind) -> Iterator[str]:
    given = question.given
    if {"runs", "tasks"} <= given.keys():
        yield "--runs and --tasks: give --runs and --trials, or --tasks and --trials"
    if kind is Kind.WIDTH and {"tasks", "trials"} <= given.keys():
        yield "--tasks and --trials are the runs that --half-width asks for: give one of them"
    shape = (question.tasks, question.trials)
    if all(isinstance(one, int) and 0 < one <= MOST_RUNS for one in shape) and question.total > MOST_RUNS:
        yield f"--tasks and --trials are at most {MOST_RUNS:,} runs together"
    if kind in (Kind.PAIRED, Kind.PAIRED_SEE) and question.icc == 1 and not question.spread:
        yield "--icc 1 leaves nothing to chance, so that one task shows every drop: add --spread, or a smaller --icc"
    alone = "icc" in given and not given.keys() & {"tasks", "trials"}
    if alone and kind in (Kind.WIDTH, Kind.DROP, Kind.POWER):
        yield "--icc needs --trials or --tasks: it is between trials of one task that runs are alike"
