"""The null result: a reply with nothing in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passhat.faults._checks import check, one_of
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call

_FORMS: Mapping[str, Json] = {"null": None, "object": {}, "text": ""}


@dataclass(frozen=True, slots=True)
class NullResult(Fault):
    """Upstream does the job, and its reply is empty: null, {} or an empty text.

    A good agent takes that for a missing reply and not for "there is nothing": it reads again or says so.
    """

    form: str = "null"

    def __post_init__(self) -> None:
        """Refuse another form."""
        check(self, one_of("form", self.form, _FORMS))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(_FORMS[self.form])
