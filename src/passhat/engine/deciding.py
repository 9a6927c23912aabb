"""What a fault decides at one call, as the sequence of effects that it stands for; here it is held to its contract.

A fault is a user's class: it may give anything, raise anything, and take its time. None of it says anything about the
agent, so each makes the trial void.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from passhat.engine.arming import Armed
from passhat.engine.fence import ends_us
from passhat.errors import PasshatError
from passhat.model.base import Json
from passhat.model.effect import Cut, Delay, Effect, Fail, Forward, Hang, Hold, Proceed, Reply, Then
from passhat.model.plain import described, json_problem, plain, words
from passhat.model.trial import Call

AT_ONCE = 1.0  # the real seconds that a fault may take for all that it decides in one trial
_MOMENT = 0.1  # what takes no longer does not count: a fault may look through a long history at each of many calls
_NO_EFFECT = "which is no effect"
_T = TypeVar("_T")
# What can happen on one side of upstream alone, and where it is decided.
_PLACES: dict[type, str] = {Forward: "on_call", Cut: "on_call", Hold: "on_reply"}


class BrokenFault(PasshatError):
    """A fault broke its contract: the trial is void, because this says nothing about the agent."""


def concerned(armed: Armed, call: Call, *, clock: Callable[[], float] = time.monotonic) -> bool:
    """True where *call*, which is one of its match, is one that the fault's dose counts: it does not rule it out."""
    answer = asked(armed, lambda: armed.injection.fault.concerns(call), clock=clock)
    if not isinstance(answer, bool):
        raise BrokenFault(f"{armed.name} says {described(answer)} of whether it concerns a call, not True or False")
    return answer


def decided_before(armed: Armed, call: Call, *, clock: Callable[[], float] = time.monotonic) -> list[Effect]:
    """What the fault decides before upstream is reached."""
    dice = armed.dice(call.tool, call.ordinal)
    return _effects(armed, "on_call", asked(armed, lambda: armed.injection.fault.on_call(call, dice), clock=clock))


def decided_after(
    armed: Armed, call: Call, reply: object, *, clock: Callable[[], float] = time.monotonic
) -> list[Effect]:
    """What it decides about the reply, which is its own to look at and not to change."""
    dice, said = armed.dice(call.tool, call.ordinal), plain(reply)
    effect = asked(armed, lambda: armed.injection.fault.on_reply(call, said, dice), clock=clock)
    return _effects(armed, "on_reply", effect)


def asked(armed: Armed, decide: Callable[[], _T], *, clock: Callable[[], float] = time.monotonic) -> _T:
    """What *decide* gives; what breaks in it is the fault's own, and so is the real time that it takes by *clock*."""
    begun = clock()
    armed.under_way.append(begun)
    try:
        answer = decide()
    except BaseException as error:
        if ends_us(error):
            raise
        raise BrokenFault(f"{armed.name} raised {type(error).__name__}: {words(error)}") from error
    finally:
        armed.under_way.remove(begun)
        took = clock() - begun
        armed.took += took if took > _MOMENT else 0.0
    if problem := overlong(armed, begun):
        raise BrokenFault(problem)
    return answer


def overlong(armed: Armed, now: float) -> str:
    """What is wrong where the fault has waited when it was to decide, also where it is still at it *now*; or nothing.

    Who asks looks after the agent's time is up: on a thread of its own, an agent may be waiting for the fault then.
    """
    took = armed.took + sum(max(0.0, now - begun) for begun in list(armed.under_way))
    return f"{armed.name} took {took:.1f} s to decide, and a fault decides at once" if took > AT_ONCE else ""


def objection(effect: Any, hook: str) -> str:  # noqa: ANN401 - a user's fault may give anything
    """Why *effect* cannot be carried out where *hook* has decided it, as the end of a sentence; or nothing."""
    if not _is_sound(effect):
        return f"{described(effect)}, {_NO_EFFECT}"
    for one in _flat(effect):
        if _PLACES.get(type(one), hook) != hook:
            return f"{described(one)}, which cannot happen there: it is decided in {_PLACES[type(one)]}"
        value: Json = one.value if isinstance(one, Reply) else None
        if problem := json_problem(value):
            return f"a Reply that is not JSON: {problem}"
    return ""


def _effects(armed: Armed, hook: str, effect: Effect) -> list[Effect]:
    """The effects that *effect* stands for."""
    if problem := objection(effect, hook):
        raise BrokenFault(f"{armed.name} gave {problem}")
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
