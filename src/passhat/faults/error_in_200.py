"""The error in a 200: a reply that says ok and holds an error."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, text
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class ErrorIn_200(Fault):  # noqa: N801 - its name is made from it, and is error_in_200
    """The reply has the status ok, and an error where the data should be. What upstream did is done.

    A good agent reads the whole reply, does not claim success, and looks at the state before it repeats a write.
    """

    message: str = "upstream request timed out"

    def __post_init__(self) -> None:
        """Refuse an error without words."""
        check(self, text("message", self.message))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply({"status": "ok", "data": None, "error": {"code": "UPSTREAM_ERROR", "message": self.message}})
