"""What a condition did to one stored trial, piece by piece, and the same trial with some of the pieces alone. Pure.

A fault that fired is known by its name and its call. Which part of the condition it was matters too, because a
condition may hold two of one name: the dose and the draws of each say which fired there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from passhat.engine.arming import Armed, Picks
from passhat.errors import UsageError
from passhat.model.condition import Condition
from passhat.model.minimal import Suspect
from passhat.model.trial import Call, FaultEvent, Trial


def suspects_of(trial: Trial, condition: Condition, armed: Sequence[Armed]) -> tuple[Suspect, ...]:
    """Each fault that fired in *trial*, with its call, then each wording; *armed* are the faults planned for it."""
    fired = dict.fromkeys(
        (_part_of(event, trial, armed), event.fault, event.tool, event.ordinal) for event in trial.faults
    )
    faults = [
        Suspect(number=number, name=name, part=part, tool=tool, ordinal=ordinal)
        for number, (part, name, tool, ordinal) in enumerate(fired, start=1)
    ]
    wordings = [
        Suspect(number=number, name=str(perturbation.term), part=str(number - len(faults) - 1))
        for number, perturbation in enumerate(condition.perturbations, start=len(faults) + 1)
    ]
    return (*faults, *wordings)


def chosen(suspects: Sequence[Suspect], only: Collection[int]) -> tuple[Suspect, ...]:
    """The suspects with these numbers; refused where there is one that nobody has."""
    known = {suspect.number for suspect in suspects}
    if wrong := [number for number in only if isinstance(number, bool) or number not in known]:
        there = f"its faults and wordings are numbered 1 to {len(known)}" if known else "it met no fault"
        raise UsageError(*(f"only: there is no number {number!r} in this trial: {there}" for number in wrong))
    return tuple(suspect for suspect in suspects if suspect.number in only)


def with_only(condition: Condition, suspects: Iterable[Suspect]) -> Condition:
    """*condition* with those of its wordings that are among *suspects*; its faults keep their addresses."""
    kept = {suspect.part for suspect in suspects if suspect.wording}
    wordings = [part for place, part in enumerate(condition.perturbations) if str(place) in kept]
    return Condition((*condition.injections, *wordings))


def picks_of(suspects: Iterable[Suspect]) -> Picks:
    """The calls at which each fault fires, where *suspects* alone are at work."""
    picks: dict[str, set[tuple[str, int]]] = {}
    for suspect in suspects:
        if not suspect.wording:
            picks.setdefault(suspect.part, set()).add((suspect.tool, suspect.ordinal))
    return picks


def calls_of(trial: Trial) -> Iterator[Call]:
    """The calls of *trial* as its faults got to see them, before each fired."""
    begun: dict[str, int] = {}
    for place, call in enumerate(trial.trace):
        begun[call.tool] = ordinal = begun.get(call.tool, 0) + 1
        yield Call(
            tool=call.tool, arguments=call.arguments, ordinal=ordinal, write=call.write, history=trial.trace[:place]
        )


def _part_of(event: FaultEvent, trial: Trial, armed: Sequence[Armed]) -> str:
    """The address of the fault that fired."""
    alike = [one for one in armed if one.name == event.fault and event.dose in ("", one.dose)]
    if not alike:
        raise UsageError(
            f"{event.fault} fired in this trial, and its condition plans no such fault: the run is damaged"
        )
    fired = alike if len(alike) == 1 else [one for one in alike if _fired(one, event, trial)]
    return (fired or alike)[0].part


def _fired(armed: Armed, event: FaultEvent, trial: Trial) -> bool:
    """True where the dose of *armed* says that it fired at the call of *event*."""
    matched = 0
    for call in calls_of(trial):
        counted = armed.counts(call)
        matched += counted
        if (call.tool, call.ordinal) == (event.tool, event.ordinal):
            return counted and armed.due(call.tool, call.ordinal, matched)
    return False
