"""The condition that does the same to a trial as some of its suspects: for a suite, a gate, a colleague. Pure.

It says each call outright, `lost_reply(dose=once_at(2), match=refund)`. Where its faults would draw something else than
those of the trial did, or a tool's name is none that a match can say, there is no such condition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from passhat.engine.arming import Armed
from passhat.engine.replay import Remaking
from passhat.engine.suspects import calls_of, chosen, with_only
from passhat.model.base import Json
from passhat.model.condition import Condition, Injection
from passhat.model.dose import Burst
from passhat.model.effect import Effect, Reply
from passhat.model.minimal import Suspect
from passhat.model.trial import Call, ToolCall, Trial

_PATTERN = frozenset("*?[]()")


def written(remaking: Remaking, numbers: Sequence[int], witness: Trial) -> str:
    """The condition that does to *witness* what the suspects with these *numbers* did; empty where there is none."""
    plan, (stored,) = remaking.plan, remaking.plan.conditions
    suspects = chosen(remaking.suspects, numbers)
    if any(not _sayable(one.tool) for one in suspects if not one.wording):
        return ""
    armed = {one.part: one for one in plan.armed(stored)}
    condition = Condition((*_injections(suspects, armed), *with_only(stored, suspects).perturbations))
    return condition.name if _alike(witness, suspects, armed, plan.armed(condition)) else ""


def _sayable(tool: str) -> bool:
    """True for a name that a match means as it stands."""
    return not _PATTERN & set(tool) and not tool.startswith(("read:", "write:")) and tool == tool.strip()


def _injections(suspects: Iterable[Suspect], armed: dict[str, Armed]) -> Iterator[Injection]:
    """Each fault at its calls of each tool, a burst where calls follow each other."""
    calls: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for suspect in suspects:
        if not suspect.wording:
            calls[suspect.part, suspect.tool].append(suspect.ordinal)
    for (part, tool), ordinals in calls.items():
        for begin, count in _rows(sorted(ordinals)):
            yield Injection(armed[part].injection.fault, Burst(count, begin), tool)


def _rows(ordinals: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other: the first, and how many there are."""
    begin = 0
    for place in range(1, len(ordinals) + 1):
        if place == len(ordinals) or ordinals[place] != ordinals[place - 1] + 1:
            yield ordinals[begin], place - begin
            begin = place


def _alike(trial: Trial, suspects: Sequence[Suspect], armed: dict[str, Armed], alone: Sequence[Armed]) -> bool:
    """True where the new faults decide at the calls of *trial* what its own decided."""
    wanted = {(one.tool, one.ordinal, one.part) for one in suspects if not one.wording}
    matched: defaultdict[Armed, int] = defaultdict(int)
    for call, told in zip(calls_of(trial), trial.trace, strict=True):
        then = [one for part, one in armed.items() if (call.tool, call.ordinal, part) in wanted]
        now = []
        for one in alone:
            counted = one.counts(call)
            matched[one] += counted
            if counted and one.due(call.tool, call.ordinal, matched[one]):
                now.append(one)
        if len(now) != len(then) or not all(_pairs(call, told, then, now)):
            return False
    return True


def _pairs(call: Call, told: ToolCall, then: Sequence[Armed], now: Sequence[Armed]) -> Iterator[bool]:
    """Whether each new fault decides as the old one in its place, before upstream and after it, where it ran."""
    for old, new in zip(then, now, strict=True):
        yield _before(old, call) == _before(new, call)
    reply = told.reply if told.upstream is None else told.upstream
    for old, new in zip(then, now, strict=True) if told.executed else ():
        effect = _after(old, call, reply)
        yield effect == _after(new, call, reply)
        reply = effect.value if isinstance(effect, Reply) else reply  # the next one sees what this one left


def _before(armed: Armed, call: Call) -> Effect:
    return armed.injection.fault.on_call(call, armed.dice(call.tool, call.ordinal))


def _after(armed: Armed, call: Call, reply: Json) -> Effect:
    return armed.injection.fault.on_reply(call, reply, armed.dice(call.tool, call.ordinal))
