"""Schema drift: a service whose replies have changed their form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from passhat.faults._checks import check, one_of, text
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.json import extra_field, nest_field, remove_field, rename_field, retype_field
from passhat.shapes.written import in_json

_MODES: Mapping[str, Callable[..., Json]] = {
    "rename": rename_field,
    "remove": remove_field,
    "retype": retype_field,
    "extra": extra_field,
    "nest": nest_field,
}


@dataclass(frozen=True, slots=True)
class SchemaDrift(Fault):
    """A field of the reply, a drawn one or *field*, is renamed, removed, of another type, new, or one level deeper.

    A good agent finds the value where it now stands, or says that it is missing; it does not go on with a 0 or a
    guess in its place.
    """

    mode: str = "rename"
    field: str = ""

    def __post_init__(self) -> None:
        """Refuse another mode."""
        check(self, one_of("mode", self.mode, _MODES), text("field", self.field, may_be_empty=True))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(in_json(reply, lambda found: _MODES[self.mode](found, dice, field=self.field)))
