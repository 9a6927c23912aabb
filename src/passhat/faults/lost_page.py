"""The lost page: a list whose pages do not follow each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, one_of, schema_of, schema_text
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.json import cursor_of, drop_cursor, repeat_cursor
from passhat.shapes.written import in_json

_MODES = ("drop", "repeat")


@dataclass(frozen=True, slots=True)
class LostPage(Fault):
    """The way to the next page is lost: this page looks like the last one, or leads to itself once more.

    With mode=repeat it concerns calls that ask for a page by its cursor. Where you give the *schema* of the reply, as
    JSON text, the reply still keeps to it.

    A good agent checks what it has against the total, and notices when it reads the same things again.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    mode: str = "drop"
    schema: str = ""

    def __post_init__(self) -> None:
        """Refuse another mode."""
        check(self, one_of("mode", self.mode, _MODES), schema_text("schema", self.schema))

    def concerns(self, call: Call) -> bool:
        return self.mode == "drop" or cursor_of(call.arguments) is not None

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        schema = schema_of(self.schema)
        if self.mode == "drop":
            return Reply(in_json(reply, lambda found: drop_cursor(found, schema=schema)))
        cursor = cursor_of(call.arguments)
        return Reply(in_json(reply, lambda found: repeat_cursor(found, cursor, schema=schema)))
