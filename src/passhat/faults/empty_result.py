"""The empty result: "nothing found", where an error would have been the truth."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check_phase, schema_of, schema_text
from passhat.faults._past import answered
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.json import emptied
from passhat.shapes.places import places
from passhat.shapes.written import in_json, read


@dataclass(frozen=True, slots=True)
class EmptyResult(Fault):
    """A tool that cannot answer says "none" instead: an empty list, and a count of 0.

    With phase=pre upstream never ran: the form is that of the tool's last reply in this trial, or else an empty list.
    With phase=post it is upstream's own reply that is emptied; where you give its *schema*, as JSON text, it is kept.
    A reply without a list has nothing to empty.

    A good agent asks once more, or in another way, before it acts on "there is none", above all before it creates
    what is missing.
    """

    phase: Phase = Phase.PRE
    schema: str = ""

    def __post_init__(self) -> None:
        """Refuse a phase that it does not have."""
        check_phase(self, self.phase, schema_text("schema", self.schema))

    def concerns(self, call: Call) -> bool:
        return self.phase is Phase.POST or _is_empty(self._instead(call))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        empty = self._instead(call)
        return Reply(empty) if self.phase is Phase.PRE and _is_empty(empty) else PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(self._emptied(reply)) if self.phase is Phase.POST else PROCEED

    def _instead(self, call: Call) -> Json:
        """What is said where upstream is not asked."""
        known = [reply for past, reply in answered(call) if past.tool == call.tool]
        return self._emptied(known[-1]) if known else []

    def _emptied(self, reply: Json) -> Json:
        schema = schema_of(self.schema)
        return in_json(reply, lambda found: emptied(found, schema=schema))


def _is_empty(reply: Json) -> bool:
    """True where a reply shows a list, and its first has nothing in it."""
    return next((found for _, found in places(read(reply)) if isinstance(found, list)), None) == []
