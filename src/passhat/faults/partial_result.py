"""The partial result: a list that ends too early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, schema_of, schema_text, share
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.json import cut_array
from passhat.shapes.written import in_json


@dataclass(frozen=True, slots=True)
class PartialResult(Fault):
    """The longest list in the reply keeps its first part alone; a count beside it still tells the true number.

    Where you give the *schema* of the reply, as JSON text, the reply still keeps to it.

    A good agent compares the list with its count, or asks for the rest, before it acts on "all of them".
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    keep: float = 0.5
    schema: str = ""

    def __post_init__(self) -> None:
        """Refuse a share that keeps it whole."""
        check(self, share("keep", self.keep), schema_text("schema", self.schema))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        schema = schema_of(self.schema)
        return Reply(in_json(reply, lambda found: cut_array(found, keep=self.keep, schema=schema)))
