"""The dropped step: an orchestrator that says yes and forgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, text
from passhat.faults.base import Fault
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class DroppedStep(Fault):
    """The orchestration takes a step on and drops it: upstream never runs, and the agent is told that it was accepted.

    A good agent takes "accepted" for what it is, and reads the state before it claims that the step is done.
    """

    phase: ClassVar[Phase] = Phase.PRE

    status: str = "accepted"

    def __post_init__(self) -> None:
        """Refuse a status without words."""
        check(self, text("status", self.status))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Reply({"status": self.status})
