"""One list of messages on its way from an agent to its model, and the faults that meet it there.

The agent keeps its messages itself and passes them on before it asks its model. They may be dicts or a framework's own
objects: a fault sees them as JSON, and what it keeps is given back as the very objects that the agent had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from passhat.engine.arming import Armed
from passhat.engine.deciding import BrokenFault, asked
from passhat.model.base import Json
from passhat.model.effect import Proceed, Reply
from passhat.model.parts import part_name
from passhat.model.plain import described, encoded_alike, json_problem, plain
from passhat.model.trial import Call, FaultEvent, ToolCall
from passhat.surfaces.base import MESSAGES


class Passing:
    """The messages as far as they have come: `shown` is what is left of them, `events` what has met them."""

    __slots__ = ("events", "shown")

    def __init__(self, history: Iterable[Any]) -> None:
        """All of *history*, and nothing has met it yet."""
        self.shown = list(history)
        self.events: list[FaultEvent] = []

    def call(self, ordinal: int, calls: Sequence[ToolCall]) -> Call:
        """The passing on as a call, which is what a fault's dose counts; *calls* are those of tools so far."""
        said: list[Json] = [plain(message) for message in self.shown]
        return Call(tool=MESSAGES, arguments={MESSAGES: said}, ordinal=ordinal, history=tuple(calls), write=False)

    def meet(self, armed: Armed, call: Call, *, step: int) -> None:
        """Let a fault that is due have its way, and write down what came of it: counts, and none of the text."""
        said: Any = call.arguments[MESSAGES]
        told = _told(armed, call, said)
        if told is None or encoded_alike(told, said):
            return
        shown, kept = _as_they_were(told, said, self.shown)
        self.shown = shown
        added = f", {len(told) - kept} put in" if len(told) > kept else ""
        fault = armed.injection.fault
        self.events.append(
            FaultEvent(
                fault=armed.name,
                step=step,
                tool=MESSAGES,
                ordinal=call.ordinal,
                phase=fault.phase,
                visibility=fault.visibility,
                effect=part_name(Reply),
                upstream_executed=False,
                agent_visible=True,
                dose=armed.dose,
                detail=f"{len(said) - kept:,} of {len(said):,} messages left out{added}",
            )
        )


def _told(armed: Armed, call: Call, said: Sequence[Json]) -> list[Json] | None:
    """The messages that a fault leaves, None where it leaves them as they are; what breaks in it is the fault's own."""
    dice = armed.dice(call.tool, call.ordinal)
    effect = asked(armed, lambda: armed.injection.fault.on_messages(list(said), dice))
    if problem := objection_to_messages(effect):
        raise BrokenFault(f"{armed.name} gave {problem}")
    return effect.value if isinstance(effect, Reply) and isinstance(effect.value, list) else None


def objection_to_messages(effect: object) -> str:
    """Why *effect* cannot happen to messages, as the end of a sentence; or nothing."""
    match effect:
        case Proceed():
            return ""
        case Reply(list() as told):
            problem = json_problem(told)
            return f"messages that are not JSON: {problem}" if problem else ""
    return f"{described(effect)} for messages, where a Reply with a list of them can be"


def _as_they_were(told: Sequence[Json], said: Sequence[Json], had: Sequence[Any]) -> tuple[list[Any], int]:
    """*told* in the agent's own objects, as far as they are among those that it *had*, and how many are."""
    shown: list[Any] = []
    kept = place = 0
    for message in told:
        found = next((at for at in range(place, len(said)) if _same(said[at], message)), None)
        if found is None:
            shown.append(message)
        else:
            shown.append(had[found])
            kept, place = kept + 1, found + 1
    return shown, kept


def _same(one: Json, other: Json) -> bool:
    return one is other or encoded_alike(one, other)
