"""Memory drift: a note that no longer says what is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, text
from passhat.faults._past import versions
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.values import drifted
from passhat.shapes.written import in_json, read


@dataclass(frozen=True, slots=True)
class MemoryDrift(Fault):
    """One value that is remembered, the first or *field*, is no longer the true one, and is so at every reading.

    It has the value of an earlier reading where that was another, else it has been altered. Where the world declares
    which tools only read, it concerns those alone; say with `match=` which of them is the memory. Where no dose is
    given, reading it again does not help.

    A good agent reads what matters from its source, and not from its notes, before it acts.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    field: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no name."""
        check(self, text("field", self.field, may_be_empty=True))

    def concerns(self, call: Call) -> bool:
        return call.may_read

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if not call.may_read:
            return PROCEED
        older = [read(one) for one in versions(call)]
        return Reply(in_json(reply, lambda found: drifted(found, older, field=self.field)))
