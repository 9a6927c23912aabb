"""What a fault decides at one call, as the sequence of effects that it stands for; here it is held to its contract."""

from __future__ import annotations

from collections.abc import Callable

from passhat.engine.arming import Armed
from passhat.errors import PasshatError
from passhat.model.effect import Cut, Delay, Effect, Fail, Forward, Hang, Hold, Proceed, Reply, Then
from passhat.model.plain import described, plain, words
from passhat.model.trial import Call


class BrokenFault(PasshatError):
    """A fault broke its contract: the trial is void, because this says nothing about the agent."""


def concerned(armed: Armed, call: Call) -> bool:
    """True where *call*, which is one of its match, is one that the fault's dose counts: it does not rule it out."""
    try:
        answer = armed.injection.fault.concerns(call)
    except Exception as error:
        raise BrokenFault(f"{armed.name} raised {type(error).__name__}: {words(error)}") from error
    if not isinstance(answer, bool):
        raise BrokenFault(f"{armed.name} says {described(answer)} of whether it concerns a call, not True or False")
    return answer


def decided_before(armed: Armed, call: Call) -> list[Effect]:
    """What the fault decides before upstream is reached."""
    dice = armed.dice(call.tool, call.ordinal)
    return _effects(armed, lambda: armed.injection.fault.on_call(call, dice))


def decided_after(armed: Armed, call: Call, reply: object) -> list[Effect]:
    """What it decides about the reply, which is its own to look at and not to change."""
    dice = armed.dice(call.tool, call.ordinal)
    return _effects(armed, lambda: armed.injection.fault.on_reply(call, plain(reply), dice))


def misplaced(armed: Armed, effect: Effect) -> BrokenFault:
    """An effect that is one, and cannot be carried out where it was decided."""
    return BrokenFault(f"{armed.name} gave {effect!r}, which cannot happen there")


def _effects(armed: Armed, decide: Callable[[], Effect]) -> list[Effect]:
    """What *decide* gives; what breaks in it is the fault's own."""
    try:
        effect = decide()
    except Exception as error:
        raise BrokenFault(f"{armed.name} raised {type(error).__name__}: {words(error)}") from error
    if not _is_sound(effect):
        raise BrokenFault(f"{armed.name} gave {described(effect)}, which is no effect")
    return _flat(effect)


def _is_sound(effect: object) -> bool:
    """True for an effect that can be carried out: nothing checked its fields when it was made."""
    match effect:
        case Proceed() | Hang() | Reply(_, str()):
            return True
        case Delay(int() | float() as seconds, str()):
            return 0 <= seconds < float("inf")
        case Fail(str(), str(), None | int() | float()):
            return True
        case Forward(int() as times, str(), None | dict()):
            return times >= 1
        case Cut(int() as after, bool(), str(), str()):
            return after >= 0
        case Hold(int() as calls, int() | float() as seconds):
            return calls >= 1 and 0 <= seconds < float("inf")
        case Then(first, second):
            return _is_sound(first) and _is_sound(second)
    return False


def _flat(effect: Effect) -> list[Effect]:
    return [*_flat(effect.first), *_flat(effect.second)] if isinstance(effect, Then) else [effect]
