"""The doubled step: an orchestrator that does a step twice."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults.base import Fault
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Forward
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class DoubledStep(Fault):
    """The orchestration carries a step out twice, one after the other, and the agent sees the second reply.

    To a single call this is what `duplicate_delivery` does; the cause is above the tools, so a key that the
    orchestration makes anew for each of its steps does not help. It needs a world that declares `sandbox = True`.

    A good agent compares the reply, or the state, with what one step should have done, and says or mends what is too
    much.
    """

    @property
    def needs_sandbox(self) -> bool:
        return True

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Forward(2)
