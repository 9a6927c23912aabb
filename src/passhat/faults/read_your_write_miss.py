"""The missed write: what was just created is not in the list yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._past import answered, versions
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.json import Record, records_without
from passhat.shapes.places import names_a_thing, places
from passhat.shapes.written import in_json, read


@dataclass(frozen=True, slots=True)
class ReadYourWriteMiss(Fault):
    """A list does not show yet what this trial has created: a replica has not caught up.

    Created is what a call returned under an id that it was not given. A count in the reply is lower by as many. Where
    the world declares which tools only read, the replies of those alone are behind.

    A good agent trusts the id that its write returned, reads again, and does not create the thing a second time.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    def concerns(self, call: Call) -> bool:
        return call.may_read and next(_created(call), None) is not None

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if not call.may_read:
            return PROCEED
        created = list(_created(call))
        shown = [_identity(record) for version in versions(call) for _, record in places(read(version))]

        def is_hidden(record: Record) -> bool:
            return _identity(record) in created and _identity(record) not in shown

        return Reply(in_json(reply, lambda found: records_without(found, is_hidden)))


def _created(call: Call) -> Iterator[Json]:
    """The ids of what the calls before this one have made."""
    for past, reply in answered(call):
        made = _identity(read(reply))
        if made is not None and str(made) not in map(str, past.arguments.values()):
            yield made


def _identity(value: Json) -> Json:
    """The id of a record: its first field that is one."""
    if not isinstance(value, dict):
        return None
    return next((item for name, item in value.items() if names_a_thing(name)), None)
