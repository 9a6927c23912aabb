"""One tool call under faults, decided without doing anything: a generator that asks its driver to wait, hang or run.

Faults are applied in the order of `Condition.injections`. Before upstream: delays add up, and the first effect that
answers (Fail, Reply, Hang) keeps the call from reaching it. After upstream: each fault sees the reply that the one
before it left. A fault that does nothing, or gives back the reply that it was given, has not fired.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from enum import Enum
from typing import Any, TypeAlias, assert_never

from passhat.engine.arming import Armed
from passhat.errors import PasshatError, ToolError
from passhat.model.condition import Phase
from passhat.model.effect import Delay, Effect, Fail, Forward, Hang, Proceed, Reply, Then
from passhat.model.parts import part_name
from passhat.model.plain import described, encoded_alike, plain, words
from passhat.model.trial import Call, FaultEvent


class Ask(Enum):
    """What the generator asks of its driver; a number asks it to wait so many seconds."""

    RUN = "run"
    HANG = "hang"


Asked: TypeAlias = Ask | float
_NOTHING = object()


class BrokenFault(PasshatError):
    """A fault broke its contract: the trial is void, because this says nothing about the agent."""


class Exchange:
    """What happens to one call, and what is known of it afterwards."""

    __slots__ = ("_firing", "_sandbox", "at", "call", "events", "executed", "step", "upstream")

    def __init__(self, firing: Sequence[Armed], call: Call, *, step: int, at: float, sandbox: bool = False) -> None:
        """The exchange of *call*, which began at *at*, under the faults that fire at it.

        *sandbox*: the world says that nothing in it is real, so that upstream may do what the agent did not ask for.
        """
        self._firing = firing
        self._sandbox = sandbox
        self.call = call
        self.step = step
        self.at = at
        self.events: list[FaultEvent] = []
        self.executed = 0
        self.upstream: Any = None

    def run(self) -> Generator[Asked, Any, Any]:
        """Go through the call; the generator's value is what the agent is told."""
        times = 1
        repeated: tuple[FaultEvent, ...] = ()
        for armed in self._firing:
            for effect in _flat(_decided(armed, self.call, _NOTHING)):
                if isinstance(effect, Forward):
                    times, repeated = effect.times, (*repeated, self._forwarded(armed, effect))
                    continue
                told = yield from self._act(armed, effect)
                if told is not _NOTHING:
                    return told
        reply = None
        for _ in range(times):
            if self.executed == 1:  # what upstream refuses is not sent once more: then the fault has not fired
                self.events.extend(repeated)
            self.executed += 1
            reply = yield Ask.RUN
        return (yield from self._answered(reply))

    def _answered(self, reply: object) -> Generator[Asked, Any, Any]:
        if not self._firing:
            return reply
        self.upstream = plain(reply)
        for armed in self._firing:
            for effect in _flat(_decided(armed, self.call, reply)):
                if isinstance(effect, Reply) and _same(effect.value, reply):
                    continue
                told = yield from self._act(armed, effect)
                if told is not _NOTHING:
                    reply = told
        return reply

    def _act(self, armed: Armed, effect: Effect) -> Generator[Asked, Any, Any]:
        """Carry out one effect; its value is what the agent is told instead, if anything."""
        match effect:
            case Proceed():
                return _NOTHING
            case Delay(seconds):
                self._fired(armed, effect)
                yield seconds
                return _NOTHING
            case Hang():
                self._fired(armed, effect)
                yield Ask.HANG
                return _NOTHING
            case Reply(value):
                self._fired(armed, effect)
                return value
            case Fail(kind, message, retry_after):
                self._fired(armed, effect)
                raise ToolError(kind, message, retry_after=retry_after)
            case Forward() | Then():
                raise BrokenFault(f"{armed.name} gave {effect!r}, which cannot happen there")
            case _:
                assert_never(effect)

    def _forwarded(self, armed: Armed, effect: Forward) -> FaultEvent:
        if not self._sandbox:
            raise BrokenFault(f"{armed.name} repeats calls, which needs a world that declares sandbox = True")
        return self._event(armed, effect, visible=False)

    def _fired(self, armed: Armed, effect: Effect) -> None:
        self.events.append(self._event(armed, effect))

    def _event(self, armed: Armed, effect: Effect, *, visible: bool = True) -> FaultEvent:
        fault = armed.injection.fault
        return FaultEvent(
            fault=armed.name,
            step=self.step,
            tool=self.call.tool,
            ordinal=self.call.ordinal,
            phase=Phase.POST if self.executed else Phase.PRE,
            visibility=fault.visibility,
            effect=part_name(type(effect)),
            upstream_executed=bool(self.executed),
            agent_visible=visible,
            dose=armed.dose,
            detail=effect.basis if isinstance(effect, Delay) else "",
        )


def _decided(armed: Armed, call: Call, reply: object) -> Effect:
    """What a fault decides, before upstream (no reply yet) or after; what breaks in it is the fault's own."""
    fault, dice = armed.injection.fault, armed.dice(call.tool, call.ordinal)
    try:
        effect = fault.on_call(call, dice) if reply is _NOTHING else fault.on_reply(call, plain(reply), dice)
    except Exception as error:
        raise BrokenFault(f"{armed.name} raised {type(error).__name__}: {words(error)}") from error
    if not _is_sound(effect):
        raise BrokenFault(f"{armed.name} gave {described(effect)}, which is no effect")
    return effect


def _is_sound(effect: object) -> bool:
    """True for an effect that can be carried out: nothing checked its fields when it was made."""
    match effect:
        case Proceed() | Hang() | Reply():
            return True
        case Delay(int() | float() as seconds, str()):
            return 0 <= seconds < float("inf")
        case Fail(str(), str(), None | int() | float()):
            return True
        case Forward(int() as times):
            return times >= 1
        case Then(first, second):
            return _is_sound(first) and _is_sound(second)
    return False


def _same(told: object, reply: object) -> bool:
    """True where both are the same JSON: 1 and True are not, a tuple and its list are."""
    return encoded_alike(plain(told), plain(reply))


def _flat(effect: Effect) -> list[Effect]:
    """An effect as the sequence that it stands for."""
    return [*_flat(effect.first), *_flat(effect.second)] if isinstance(effect, Then) else [effect]
