"""Where two trials part: the first step at which they differ in what was asked, in what happened, or in what was told.

Steps are held against each other by their place. How long a call took is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from passhat.model.plain import encoded_alike
from passhat.model.trial import FaultEvent, ToolCall, Trial
from passhat.reports._calls import call_lines, event_text, json_text, one_line
from passhat.reports._figures import counted
from passhat.reports._screen import NARROWEST, Line, paint, prose
from passhat.reports.trial import OUTCOMES

_HEADING = "bold cyan"
_BEFORE = 3


@dataclass(frozen=True, slots=True)
class Parting:
    """The place at which two trials part, counted from 0, and everything in which they differ there.

    *place* is None where all calls are alike: then *differs* names what differs besides, if anything.
    """

    place: int | None
    differs: tuple[str, ...]
    same: int


def part(one: Trial, other: Trial) -> Parting:
    """Where *one* and *other* part."""
    for place, (left, right) in enumerate(zip_longest(one.trace, other.trace)):
        differs = tuple(_differs(one, left, other, right))
        if differs:
            return Parting(place, differs, place)
    ends = (
        ("input", one.input, other.input),
        ("answer", _answer(one), _answer(other)),
        ("end state", one.state, other.state),
        ("outcome", str(one.outcome), str(other.outcome)),
    )
    differs = tuple(name for name, left, right in ends if not encoded_alike(left, right))
    return Parting(None, differs, len(one.trace))


def diff_text(
    one: Trial,
    other: Trial,
    *,
    width: int = 100,
    colour: bool = False,
    longest: int = 300,
    names: tuple[str, str] | None = None,
) -> str:
    """The first step at which two trials part, readable, with the steps before it; *names* are what they are called."""
    return paint(_lines(one, other, max(NARROWEST, width), longest, names or _names(one, other)), colour=colour)


def _differs(one: Trial, left: ToolCall | None, other: Trial, right: ToolCall | None) -> Iterator[str]:
    """In what two calls at one place differ."""
    if left is None or right is None:
        yield "number of calls"
        return
    compared = (
        ("tool", left.tool, right.tool),
        ("arguments", left.arguments, right.arguments),
        ("fault", _faults(one, left), _faults(other, right)),
        ("reply", (left.reply, left.error), (right.reply, right.error)),
        ("what upstream did", _done(left), _done(right)),
    )
    for name, first, second in compared:
        if not encoded_alike(first, second):
            yield name


def _done(call: ToolCall) -> list[Any]:
    other = call.instead
    return [call.executed, *([] if other is None else [other.tool, other.arguments, other.executed])]


def _faults(trial: Trial, call: ToolCall) -> list[list[str]]:
    return [[event.fault, event.effect, event.phase] for event in _events(trial, call)]


def _events(trial: Trial, call: ToolCall) -> list[FaultEvent]:
    return [event for event in trial.faults if event.step == call.step]


def _answer(trial: Trial) -> Any:  # noqa: ANN401 - JSON
    answer = trial.answer
    return None if answer is None else [answer.output, answer.claims_success, answer.handoff]


def _lines(one: Trial, other: Trial, width: int, longest: int, names: tuple[str, str]) -> Iterator[Line]:
    found = part(one, other)
    yield from _head(one, other, names, width)
    if one.input != other.input:
        for trial, name in zip((one, other), names, strict=True):
            yield from prose(json_text(trial.input, longest), width, label=(f"  {name} was asked  ", "yellow"))
    yield ()
    yield from prose(_sentence(found), width, label=("", ""), style="bold")
    if found.place is None:
        for trial, name in zip((one, other), names, strict=True) if found.differs else ():
            yield ((f"  {name}", _HEADING),)
            yield from _ending(trial, width, longest)
        return
    for trial, name in zip((one, other), names, strict=True):
        yield ((f"  {name}", _HEADING),)
        yield from _at(trial, found.place, width, longest)
    yield from _before(one, found.place, width, longest)


def _names(one: Trial, other: Trial) -> tuple[str, str]:
    """What the two are called: by index, or by their conditions where the index is the same."""
    if one.index != other.index:
        return f"trial {one.index}", f"trial {other.index}"
    return one_line(one.condition, 60), one_line(other.condition, 60)


def _head(one: Trial, other: Trial, names: tuple[str, str], width: int) -> Iterator[Line]:
    yield from prose(one_line(one.task_id, 200), width, label=("", ""), style="bold")
    for trial, name in zip((one, other), names, strict=True):
        label = (f"  {name}  ", _HEADING)
        facts = f"{trial.outcome} · {one_line(trial.condition, 200)} · {counted(len(trial.trace), 'call')}"
        yield from prose(facts, width, label=label, style=OUTCOMES[trial.outcome])


def _sentence(found: Parting) -> str:
    if found.place is not None:
        return f"they part at call {found.place + 1}: {_listed(found.differs)}"
    calls = f"they make the same {counted(found.same, 'call')}" if found.same else "neither calls a tool"
    return f"{calls}, and differ in {_listed(found.differs)}" if found.differs else f"{calls}, and end alike"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _at(trial: Trial, place: int, width: int, longest: int) -> Iterator[Line]:
    """The call at the place where they part, with the faults that fired at it."""
    if place >= len(trial.trace):
        yield from prose("makes no further call", width, label=("       ", ""))
        yield from _ending(trial, width, longest)
        return
    call = trial.trace[place]
    yield from call_lines(call, width, longest)
    for event in _events(trial, call):
        yield from prose(event_text(event), width, label=("       fault ", "yellow"))


def _ending(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    """How the trial ended."""
    output = None if trial.answer is None else trial.answer.output
    yield from prose(f"{trial.outcome} with the answer {json_text(output, longest)}", width, label=("       ", ""))
    if trial.state is not None:
        yield from prose(json_text(trial.state, longest), width, label=("       end state ", ""))


def _before(trial: Trial, place: int, width: int, longest: int) -> Iterator[Line]:
    """The last calls that both have made."""
    if not place:
        return
    yield ()
    shown = trial.trace[max(0, place - _BEFORE) : place]
    more = f", of which the last {len(shown)} are" if place > len(shown) else ""
    yield ((f"the {counted(place, 'call')} before {'is' if place == 1 else 'are'} alike{more}", "dim"),)
    for call in shown:
        yield from call_lines(call, width, longest)
