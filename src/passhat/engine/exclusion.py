"""Two faults of one condition that exclude each other: the one never gets to act, whatever the agent does.

That is so where the first, in the order in which they apply, is due at every call that the other is due at, and ends
each of them. When it is due is read off its dose, match and share. Whether it ends a call is found by asking it: a
fault is pure, so asking is free. Where either is in doubt, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any

from msgspec.structs import replace

from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Condition, Injection, Phase
from passhat.model.dice import Dice, dice
from passhat.model.dose import Burst, Dose, PermanentFrom, Rate
from passhat.model.effect import PROCEED, Effect, Fail, Hang, Reply, Then
from passhat.model.match import Match, parse_match
from passhat.model.trial import Call, ToolCall
from passhat.surfaces.base import MESSAGES

_THROWS = 8
_ORDINALS = (1, 2, 5)
SAMPLE_REPLIES: tuple[Json, ...] = ({"id": 7, "total": 61.5}, [{"id": 7}], "Order 7 has left the house.", 7, None)
_NO_END = float("inf")


def exclusions(condition: Condition) -> Iterator[str]:
    """The faults of *condition* that can never act, and what to write instead."""
    for first, second in combinations(condition.injections, 2):
        if _covers(first, second) and _ends(first.fault, second):
            yield (
                f"{condition.name}: {second.fault.term.name} can never act, because {first.fault.term.name} comes "
                "first and ends every call that it is due at: let them fire at different calls, as with "
                "dose=once_at(2), or make them two conditions"
            )


def _covers(first: Injection, second: Injection) -> bool:
    """True where *first* is due at every call that *second* is due at, in every trial.

    Each fault counts its own calls. The counts are the same where both have one match and rule out no call by
    themselves; besides that, who is due at all of its calls covers whatever is among them.
    """
    if first.share != 1 or _narrows(first.fault) or not (_meets_calls(first.fault) and _meets_calls(second.fault)):
        return False
    here, there = parse_match(first.match), parse_match(second.match)
    start, end = _due(first.dose, surely=True)
    if (start, end) == (1, _NO_END):
        return here.covers(there)
    other_start, other_end = _due(second.dose, surely=False)
    return here == there and not _narrows(second.fault) and start <= other_start and other_end <= end


def _due(dose: Dose, *, surely: bool) -> tuple[float, float]:
    """The calls at which *dose* is due, from the first up to the last: *surely*, or at the most."""
    match dose:
        case Burst(count, at):
            return at, at + count
        case PermanentFrom(at):
            return at, _NO_END
        case Rate(probability):
            return (1, _NO_END) if probability == 1 or not surely else (_NO_END, _NO_END)


def _meets_calls(fault: Any) -> bool:  # noqa: ANN401 - a user's fault may be anything
    """True for a fault of tool calls; one of messages alone never comes between two."""
    return bool(fault.surfaces - {MESSAGES})


def _narrows(fault: Any) -> bool:  # noqa: ANN401 - as above
    """True where a fault rules out calls by itself."""
    return type(fault).concerns is not Fault.concerns


def _ends(first: Any, second: Injection) -> bool:  # noqa: ANN401 - as above
    """True where *first* ends every call that it is asked about, before *second* has its say."""
    calls = list(sample_calls(parse_match(second.match)))
    throws = [dice(throw, "exclusion") for throw in range(_THROWS)]
    try:
        if first.phase is Phase.PRE:
            return all(_stays(first.on_call, call, (), throw) for call, throw in product(calls, throws))
        if first.phase is Phase.POST and _waits_for_upstream(second.fault, calls, throws):  # else it has had its say
            said = product(calls, SAMPLE_REPLIES, throws)
            return all(_stays(first.on_reply, call, (reply,), throw) for call, reply, throw in said)
    except Exception:  # noqa: BLE001 - a fence: a user's fault, asked about calls that it may never meet
        return False
    return False


def _stays(decide: Callable[..., Effect], call: Call, replies: tuple[Json, ...], throw: Dice) -> bool:
    """True where a fault ends *call*, and the same call once more where the trace shows that it has ended the first.

    Before upstream a reply ends a call too; *replies* holds upstream's own where there is one.
    """
    ends = Fail | Hang if replies else Fail | Reply | Hang
    effect = decide(call, *replies, throw)
    if not has(effect, ends):
        return False
    ended = ToolCall(
        step=1,
        tool=call.tool,
        arguments=call.arguments,
        error=_message(effect),
        executed=len(replies),
        upstream=replies[0] if replies else None,
        write=call.write,
    )
    again = replace(call, ordinal=call.ordinal + 1, history=(ended,))
    return has(decide(again, *replies, throw), ends)


def _message(effect: Effect) -> str:
    """What the agent is told where *effect* ends a call with an error."""
    if isinstance(effect, Then):
        return _message(effect.first) or _message(effect.second)
    return effect.message if isinstance(effect, Fail) else ""


def _waits_for_upstream(fault: Any, calls: Iterable[Call], throws: Iterable[Dice]) -> bool:  # noqa: ANN401 - as above
    """True where *fault* decides nothing before upstream is reached; one of two phases is asked about this one."""
    if type(fault).on_call is Fault.on_call:
        return True
    late = fault.phase is Phase.POST and not fault.needs_sandbox
    return late and all(fault.on_call(call, throw) == PROCEED for call, throw in product(calls, throws))


def sample_calls(match: Match) -> Iterator[Call]:
    """Calls that *match* meets, as far as it says what they are."""
    tool = re.sub(r"\[.*?\]|[*?]", "", match.glob) or "get_order"
    for ordinal, write in product(_ORDINALS, (True, False) if match.writes is None else (match.writes,)):
        yield Call(tool=tool, arguments=dict(match.arguments), ordinal=ordinal, write=write)


def has(effect: Effect, kinds: Any) -> bool:  # noqa: ANN401 - a union of classes
    """True where *effect* is one of these *kinds*, or has one in it."""
    if isinstance(effect, Then):
        return has(effect.first, kinds) or has(effect.second, kinds)
    return isinstance(effect, kinds)
