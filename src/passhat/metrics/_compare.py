"""Comparing two runs of the same tasks: what rose, what fell, and whether one seed or many made a difference."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.errors import UsageError
from passhat.model.comparison import Comparison, Difference
from passhat.model.summary import Estimate, Summary
from passhat.stats import difference_interval, seed_test
from passhat.stats.arrays import Array

_METHOD = "difference of two independent estimates by their intervals, MOVER (approximate)"
_NAMED = 3
_SURE = 0.05


def compare(before: Summary, after: Summary) -> Comparison:
    """*after* held against *before*, at the k of both, under the conditions that both have.

    Only runs of the same tasks, judged by the same grader, are compared: others are refused with what differs.
    """
    problems = list(_incomparable(before, after))
    if problems:
        raise UsageError(*problems)
    shared = [name for name in before.header.conditions if name in after.header.conditions]
    differences = [one for name in shared for one in _differences(before, after, name)]
    return Comparison(
        before=before.header,
        after=after.header,
        differences=tuple(differences),
        notices=(*_notices(differences, before.k), *_seeds(before, after, shared)),
        warnings=tuple(dict.fromkeys(_warnings(before, after))),
    )


def _incomparable(before: Summary, after: Summary) -> Iterator[str]:
    """Why the two runs are not of one thing."""
    then = {task.id: task.digest for task in before.header.tasks}
    now = {task.id: task.digest for task in after.header.tasks}
    for what, names in (
        ("is gone", [name for name in then if name not in now]),
        ("is new", [name for name in now if name not in then]),
        ("has changed", [name for name, digest in then.items() if now.get(name, digest) != digest]),
    ):
        more = f", and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        if names:
            yield f"these runs are not of the same tasks: {', '.join(map(repr, names[:_NAMED]))} {what}{more}"
    if before.header.grader != after.header.grader:
        yield f"these runs have two graders: {before.header.grader} and {after.header.grader}"
    if not set(before.header.conditions) & set(after.header.conditions):
        yield "these runs have no condition in common"
    if before.k != after.k:
        yield f"these runs are read at two k: {before.k} and {after.k}; name one with -k"


def _differences(before: Summary, after: Summary, condition: str) -> Iterator[Difference]:
    then, now = before.suite_row(condition), after.suite_row(condition)
    for metric in dict.fromkeys(("pass@1", f"pass^{before.k}", f"pass@{before.k}")):
        first, second = (row.get(metric) if row else None for row in (then, now))
        if first is not None and second is not None:
            yield _difference(metric, condition, first, second)


def _difference(metric: str, condition: str, before: Estimate, after: Estimate) -> Difference:
    if before.value is None or after.value is None:
        reason = before.reason or after.reason
        return Difference(
            metric=metric, condition=condition, before=before, after=after, value=None, level=after.level, reason=reason
        )
    low, high = None, None
    if None not in (before.low, before.high, after.low, after.high):
        low, high = difference_interval(
            (after.value, after.low or 0.0, after.high or 0.0), (before.value, before.low or 0.0, before.high or 0.0)
        )
    return Difference(
        metric=metric,
        condition=condition,
        before=before,
        after=after,
        value=after.value - before.value,
        low=low,
        high=high,
        level=after.level,
        method=_METHOD,
    )


def _notices(differences: list[Difference], k: int) -> Iterator[str]:
    """Where the two metrics part: that is a regression which a single number hides."""
    by_name = {(one.condition, one.metric): one for one in differences}
    for condition in dict.fromkeys(one.condition for one in differences):
        at, hat = (by_name.get((condition, f"pass{sign}{k}")) for sign in "@^")
        if at is None or hat is None or at.value is None or hat.value is None or not hat.value < 0 < at.value:
            continue
        sure = "" if hat.told else "; these trials cannot tell the fall from chance"
        yield (
            f"under {condition} pass@{k} rose while pass^{k} fell, by {100 * -hat.value:.0f} points: it can do more, "
            f"and does it less reliably{sure}"
        )


def _seeds(before: Summary, after: Summary, conditions: list[str]) -> Iterator[str]:
    """What one seed changes, where one of the runs had one seed for all trials of a task."""
    if before.header.same_seed == after.header.same_seed:
        return
    same, varied = (before, after) if before.header.same_seed else (after, before)
    for condition in conditions:
        (same_n, same_c), (varied_n, varied_c) = (_counts(one, condition) for one in (same, varied))
        if not (same_n.all() and varied_n.all()):
            yield f"under {condition} nothing can be said of the seed: some task has no trial that counts"
            continue
        try:
            found = seed_test(same_n, same_c, varied_n, varied_c)
        except UsageError as error:
            yield f"under {condition} nothing can be said of the seed: {error}"
            continue
        tells = "trials of one seed are alike" if found.p < _SURE else "no difference can be told"
        yield (
            f"under {condition} the outcomes of a task have a variance of {found.same_within:.3f} with one seed, "
            f"and of {found.varied_within:.3f} with many (p = {found.p:.2g}): {tells}"
        )


def _counts(summary: Summary, condition: str) -> tuple[Array, Array]:
    """Valid trials and passes of each task, in the order of the ids."""
    import numpy as np

    tally = summary.tally
    cells = [tally.cell(tally.tasks.index(task), tally.conditions.index(condition)) for task in sorted(tally.tasks)]
    return np.array([tally.valid(cell) for cell in cells]), np.array([tally.passed[cell] for cell in cells])


def _warnings(before: Summary, after: Summary) -> Iterator[str]:
    """What the comparison leaves out, and what is wrong with the evidence of either run."""
    if before.header.id == after.header.id:
        yield f"run {before.header.id} is held against itself: nothing differs, and no interval says anything"
    if before.header.declared != after.header.declared:
        yield "the two suites declare different things of their tools, and each run is read by its own"
    for one, other in ((before, after), (after, before)):
        for name in one.header.conditions:
            if name not in other.header.conditions:
                yield f"only run {one.header.id} has {name}: it is not compared"
        yield from (f"run {one.header.id}: {text}" for text in one.warnings)
