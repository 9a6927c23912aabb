"""What every verdict stands on: independent trials were graded, and every fault was met. It fails closed."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.model.grammar import plans_a_fault
from passhat.model.numbers import counted
from passhat.model.outcome import Outcome
from passhat.model.run import OWN
from passhat.model.selection import selection_of
from passhat.model.summary import Summary
from passhat.model.verdict import Finding

_GRADED = "trials are graded"
_MET = "faults are met"
_INDEPENDENT = "trials are independent"
_FAIR = "tasks are chosen beforehand"


def evidence(summary: Summary) -> tuple[Finding, ...]:
    """What can be said of the evidence before any rule is read."""
    tally = summary.tally
    stored = sum(tally.total(outcome) for outcome in Outcome)
    planned, void = summary.header.planned, tally.total(Outcome.VOID)
    if not stored:
        return (_broken(f"no trial is stored, of {planned:,} planned: there is nothing to judge"),)
    if stored == void:
        return (_broken(f"{_all(stored)} void: nothing was graded, so there is nothing to judge"),)
    gaps = tuple(_gaps(summary))
    # What a stopped run lacks are its slow trials: the rest is no fair sample. What a log's author planned, nobody
    # knows.
    stopped = stored < planned and summary.header.source == OWN
    reason = f"{stored - void:,} of {counted(planned, 'planned trial is', some='planned trials are')} graded"
    if stopped:
        reason = f"{stored:,} of {planned:,} planned trials are here, and those that are missing may be the worst"
    whole = Finding(rule=_GRADED, ok=None if stopped else True, reason=reason)
    return (*(gaps or (whole,)), *_faults(summary), *_dependence(summary), *_choice(summary))


def _all(stored: int) -> str:
    return "the only stored trial is" if stored == 1 else f"all {stored:,} stored trials are"


def _broken(reason: str) -> Finding:
    return Finding(rule=_GRADED, ok=None, reason=reason, broken_evidence=True)


def _gaps(summary: Summary) -> Iterator[Finding]:
    """The conditions under which some task was never graded."""
    tally = summary.tally
    for position, condition in enumerate(tally.conditions):
        missing = [task for task, cell in zip(tally.tasks, tally.of(position), strict=True) if not tally.valid(cell)]
        if not missing:
            continue
        if len(missing) == len(tally.tasks):
            of = ""
        elif len(missing) == 1:
            of = f" of {missing[0]!r}"
        else:
            of = f" of {missing[0]!r} and {len(missing) - 1:,} more of the {len(tally.tasks):,} tasks"
        reason = f"under {condition} no trial{of} was graded, so nothing can be said of it"
        yield Finding(rule=_GRADED, ok=None, reason=reason, condition=condition)


def _faults(summary: Summary) -> Iterator[Finding]:
    """Whether the faults that were planned ever fired: a fault that nobody met was not survived."""
    tally = summary.tally
    for position, condition in enumerate(tally.conditions):
        cells = tally.of(position)
        stored = sum(tally.valid(cell) + tally.void[cell] for cell in cells)
        if not stored or not plans_a_fault(condition):
            continue
        met = sum(tally.exposed[cell] for cell in cells)
        told = f"{met:,} of the {counted(stored, 'trial')} under {condition} met a fault"
        not_met = f"under {condition} no trial met its fault: whether the agent would survive it was not tested"
        yield Finding(rule=_MET, ok=True if met else None, reason=told if met else not_met, condition=condition)


def _dependence(summary: Summary) -> Iterator[Finding]:
    """Trials that were made to be alike are one trial seen often, whatever their number."""
    if summary.header.same_seed:
        reason = "all trials of a task had one seed, so they are not independent: judge a run without --same-seed"
        yield Finding(rule=_INDEPENDENT, ok=None, reason=reason, broken_evidence=True)


def _choice(summary: Summary) -> Iterator[Finding]:
    """Tasks that were chosen by how they ended are no sample of anything."""
    selection = selection_of(summary.header)
    if selection is not None and selection.failed_in:
        reason = (
            f"{selection.told}: they were chosen by their outcomes, so no verdict stands on them; judge a run of all"
        )
        yield Finding(rule=_FAIR, ok=None, reason=reason, broken_evidence=True)
