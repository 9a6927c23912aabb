"""The lost reply: upstream did the job, and nobody hears of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, seconds
from passhat.faults._timeout import unanswered
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class LostReply(Fault):
    """Upstream does the job and its reply is lost: after *hang* seconds the client gives up (null: never).

    A good agent reads the state before it repeats a write, or sends the write with an idempotency key: a plain retry
    does the job twice.
    """

    phase: ClassVar[Phase] = Phase.POST
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    hang: float | None = 5.0

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        check(self, "" if self.hang is None else seconds("hang", self.hang))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return unanswered(self.hang)
