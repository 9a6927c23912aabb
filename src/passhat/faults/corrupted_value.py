"""The corrupted value: one number, date or unit that is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, one_of, schema_of, schema_text, text
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.values import EDITS, corrupted
from passhat.shapes.written import in_json


@dataclass(frozen=True, slots=True)
class CorruptedValue(Fault):
    """One value in the reply, a drawn one or *field*, is wrong, and the reply is as valid as before.

    Digits are swapped, a point is one place off, a sign or a unit is another, a date is one day off: a drawn one of
    these, or *how*. Where you give the *schema* of the reply, as JSON text, the reply keeps to it.

    A good agent asks itself whether the value is plausible, and reads it a second time or elsewhere before it acts.
    """

    how: str = "any"
    field: str = ""
    schema: str = ""

    def __post_init__(self) -> None:
        """Refuse another way."""
        check(
            self,
            one_of("how", self.how, ("any", *EDITS)),
            text("field", self.field, may_be_empty=True),
            schema_text("schema", self.schema),
        )

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        schema = schema_of(self.schema)
        return Reply(
            in_json(reply, lambda found: corrupted(found, dice, how=self.how, field=self.field, schema=schema))
        )
