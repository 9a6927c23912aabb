"""Applying metrics to a run: which ones, at which k's, and what the summary says besides their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypedDict, Unpack

from passhat.errors import UsageError
from passhat.metrics import _methods
from passhat.metrics._warnings import dependence, warnings
from passhat.metrics.base import Arm, Metric, Needs, Reading
from passhat.model.numbers import counted
from passhat.model.outcome import Outcome
from passhat.model.parts import nearest
from passhat.model.reliability import ReliabilitySummary
from passhat.model.run import Run, Tally
from passhat.model.summary import Estimate, Row, Speaks, Summary, Voids
from passhat.model.trial import Trial
from passhat.stats.scalars import read_level

_STRIP = 40
_USUAL_K = 5
_LEVEL, _TASKS = 0.95, "these"
# Reading outcomes one by one takes about a second for a million; counts take none.
_MOST_READ_UNASKED = 200_000
_ASKED = {_TASKS: Speaks.THESE_TASKS, "like-these": Speaks.TASKS_LIKE_THESE}


class How(TypedDict, total=False):
    """How the trials of a run are to be read: what `measure` takes by name.

    k: the run's own k, at which each task is shown [5 where 10 trials or more are planned, else half of them].
    confidence: the level of the intervals [0.95].
    tasks: the question that they answer: about "these" tasks, or tasks "like-these" ["these"].
    voids: what void trials count as: "exclude" them, or let them "fail" ["exclude"].
    interval: another kind of interval than the usual ones, by its name.
    asked: the names of metrics that are wanted besides the usual ones, and that reports show.
    needed: the names of metrics that rules read; a rule lists them.
    """

    k: int | None
    confidence: float
    tasks: str
    voids: str
    interval: str | None
    asked: Sequence[str]
    needed: Sequence[str]


_HOW = frozenset(How.__annotations__)


def measure(
    run: Run, *, metrics: Sequence[Metric] | None, known: Mapping[str, type[Metric]], **how: Unpack[How]
) -> Summary:
    """What the trials of *run* say: all usual metrics that are *known*, unless *metrics* names some."""
    if wrong := problems(known, **how):
        raise UsageError(*wrong)
    named = [parse_metric(name, known=known) for name in _named(how)]
    tally = run.trials.counts()
    usual = _usual(known, tally.conditions) if metrics is None else metrics
    limit = _MOST_READ_UNASKED if metrics is None else _stored(tally)
    chosen, left_out = _chosen(usual, [metric for metric, _ in named], _stored(tally), limit)
    ordered = any(metric.needs is Needs.OUTCOMES for metric in chosen)
    strips = run.trials.strips(run.header.trials if ordered else _STRIP)
    reading = _reading(run, tally, strips, tuple(k for _, k in named), how)
    rows = _rows(reading, chosen)
    told = *warnings(run.header, tally, _first_void(run, tally, strips)), *dependence(run.header, tally, rows)
    return Summary(
        header=run.header,
        k=reading.own_k,
        tally=tally,
        rows=rows,
        strips=tuple(strip[:_STRIP] for strip in strips),
        warnings=told,
        speaks_of=reading.speaks_of,
        voids=reading.voids,
        asked=tuple(dict.fromkeys(how.get("asked", ()))),
        left_out=left_out,
    )


def problems(known: Mapping[str, type[Metric]], **how: Unpack[How]) -> list[str]:
    """What is wrong with how a run is to be read, all of it; k is held against the trials of the run."""
    unknown = [
        f"measure has no option {name!r}{nearest(name, How.__annotations__)}" for name in how if name not in _HOW
    ]

    def checks() -> Iterator[Callable[[], object]]:
        yield lambda: read_level("confidence", how.get("confidence", _LEVEL))
        yield lambda: _check_k(how.get("k"))
        yield lambda: _question(how.get("tasks", _TASKS))
        yield lambda: _voids(how.get("voids", Voids.EXCLUDE))
        yield lambda: _methods.check(how.get("interval"))
        yield from (partial(parse_metric, name, known=known) for name in _named(how))

    found = unknown
    for check in checks():
        try:
            check()
        except UsageError as error:
            found += error.problems
    return found


def _reading(run: Run, tally: Tally, strips: tuple[str, ...], asked: tuple[int, ...], how: How) -> Reading:
    """What every metric is given."""
    voids, own_k = _voids(how.get("voids", Voids.EXCLUDE)), _own_k(run.header.trials, how.get("k"))
    return Reading(
        header=run.header,
        tally=tally,
        trials=run.trials,
        arms=_arms(tally, voids),
        own_k=own_k,
        ks=tuple(sorted({1, own_k, *asked})),
        level=read_level("confidence", how.get("confidence", _LEVEL)),
        strips=strips,
        speaks_of=_question(how.get("tasks", _TASKS)),
        voids=voids,
        method=how.get("interval"),
    )


def parse_metric(name: str, *, known: Mapping[str, type[Metric]]) -> tuple[Metric, int]:
    """The metric of a kind that is *known* which gives the estimate called *name* (`pass^5`), and its k or 1."""
    metrics = [kind() for kind in known.values()]
    for metric in metrics:
        k = metric.k_of(name)
        if k is not None:
            return metric, k
    names = [each for metric in metrics for each in metric.names]
    raise UsageError(f"there is no metric called {name!r}{nearest(name, names)}")


def _usual(known: Mapping[str, type[Metric]], conditions: Sequence[str]) -> Sequence[Metric]:
    """The metrics that are measured where nobody names any."""
    return [metric for kind in known.values() if kind.usual and (metric := kind()).concerns(conditions)]


def _chosen(
    usual: Sequence[Metric], asked: Sequence[Metric], stored: int, limit: int
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """The metrics to measure, each once; above *limit* trials, what is left out because to read them takes long."""
    slow = [metric for metric in usual if metric.needs is not Needs.TALLY]
    left_out: tuple[str, ...] = ()
    if stored > limit and slow:
        usual = [metric for metric in usual if metric not in slow]
        names = ", ".join(name for metric in slow if metric not in asked for name in metric.names)
        left_out = (f"{names}: to read {stored:,} trials one by one takes long; ask with --metric",)
    return tuple(dict.fromkeys([*usual, *asked])), left_out


def _named(how: How) -> Sequence[str]:
    return (*how.get("asked", ()), *how.get("needed", ()))


def _question(tasks: str) -> Speaks:
    if tasks not in _ASKED:
        raise UsageError(f"tasks: the numbers speak of {' or '.join(map(repr, _ASKED))} tasks, not {tasks!r}")
    return _ASKED[tasks]


def _voids(voids: str) -> Voids:
    try:
        return Voids(voids)
    except ValueError:
        names = " or ".join(repr(one.value) for one in Voids)
        raise UsageError(f"voids: void trials are counted as {names}, not {voids!r}") from None


def _stored(tally: Tally) -> int:
    return sum(tally.total(outcome) for outcome in Outcome)


def _first_void(run: Run, tally: Tally, strips: Sequence[str]) -> Trial | None:
    """A void trial, so that the reader learns why there are any; None where none is among the first of any cell."""
    for cell, strip in enumerate(strips) if any(tally.void) else ():
        index = strip.find(Outcome.VOID.letter)
        if index >= 0:
            task, condition = divmod(cell, len(tally.conditions))
            trial = run.trials.get(tally.tasks[task], tally.conditions[condition], index)
            if trial is not None and trial.outcome is Outcome.VOID:
                return trial
    return None


def _check_k(k: object) -> None:
    if k is not None and (isinstance(k, bool) or not isinstance(k, int)):
        raise UsageError(f"k is a whole number from 1 on, not {k!r}")


def _own_k(planned: int, k: int | None) -> int:
    """The k of the run, as asked for or as is usual for this many planned trials."""
    if k is None:
        return _USUAL_K if planned >= 2 * _USUAL_K else max(1, planned // 2)
    if k < 1:
        raise UsageError(f"k is a whole number from 1 to the planned trials of each task, {planned}, not {k}")
    if k > planned:
        each = counted(planned, "trial of each task is", some="trials of each task are")
        raise UsageError(f"k is {k}, and {each} planned: choose a k up to {planned}")
    return k


def _arms(tally: Tally, voids: Voids) -> tuple[Arm, ...]:
    """The columns, cut up by condition: each is read once."""
    import numpy as np

    shape = (len(tally.tasks), len(tally.conditions))
    columns = {outcome: np.array(tally.column(outcome), dtype=np.int64).reshape(shape) for outcome in Outcome}
    valid = sum((columns[outcome] for outcome in Outcome if outcome.counts), np.zeros(shape, dtype=np.int64))
    n = valid if voids is Voids.EXCLUDE else valid + columns[Outcome.VOID]
    return tuple(
        Arm(
            condition,
            i,
            tally.tasks,
            n[:, i],
            valid[:, i],
            {outcome: column[:, i] for outcome, column in columns.items()},
        )
        for i, condition in enumerate(tally.conditions if tally.tasks else ())
    )


def _rows(reading: Reading, metrics: tuple[Metric, ...]) -> tuple[Row, ...]:
    """The metrics' rows, joined where they have one scope: by condition, the suite before its tasks."""
    scopes = [(arm.condition, task) for arm in reading.arms for task in (None, *arm.tasks)]
    found: dict[tuple[str, str | None], list[Estimate]] = {scope: [] for scope in scopes}
    described: dict[tuple[str, str | None], ReliabilitySummary] = {}
    for metric in metrics:
        for row in metric.measure(reading):
            found[row.condition, row.task].extend(row.estimates)
            if row.reliability is not None:
                described[row.condition, row.task] = row.reliability
    return tuple(
        Row(condition=condition, task=task, estimates=tuple(estimates), reliability=described.get((condition, task)))
        for (condition, task), estimates in found.items()
        if estimates or (condition, task) in described
    )
