"""The wrong entity: a reply about another thing than the one that was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, one_of
from passhat.faults._past import answered, versions
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.plain import encoded_alike
from passhat.model.trial import Call
from passhat.shapes.values import other_identity
from passhat.shapes.written import in_json

_WAYS = ("any", "history", "id")


@dataclass(frozen=True, slots=True)
class WrongEntity(Fault):
    """The reply is about another thing: the one that an earlier call of this tool asked for, or one with another id.

    With how=history or how=id only the one or the other; "any" takes the history where it has something.

    A good agent compares the id in the reply with the id that it asked for, before it writes anything.
    """

    how: str = "any"

    def __post_init__(self) -> None:
        """Refuse another way."""
        check(self, one_of("how", self.how, _WAYS))

    def concerns(self, call: Call) -> bool:
        return self.how != "history" or bool(_others(call))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        others = [other for other in _others(call) if not encoded_alike(other, reply)]
        if others and self.how != "id":
            return Reply(dice.choice(others, "other"))
        return PROCEED if self.how == "history" else Reply(in_json(reply, other_identity))


def _others(call: Call) -> list[Json]:
    """What this tool has replied in this trial to other calls, and never to this one."""
    said = versions(call)
    replies = [reply for past, reply in answered(call) if past.tool == call.tool]
    return [reply for reply in replies if not any(encoded_alike(reply, version) for version in said)]
