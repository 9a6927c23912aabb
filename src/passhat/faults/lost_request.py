"""The lost request: upstream never heard of it, and nobody answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, seconds
from passhat.faults._timeout import unanswered
from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class LostRequest(Fault):
    """A call is lost on its way: upstream never runs, and after *hang* seconds the client gives up (null: never).

    A good agent cannot know whether the job was done. It retries a read, and before it repeats a write it looks
    whether the first one went through.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    hang: float | None = 5.0

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        check(self, "" if self.hang is None else seconds("hang", self.hang))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return unanswered(self.hang)
