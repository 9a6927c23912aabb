"""The wrong tool: a planner that sends a step elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._past import answered
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class WrongTool(Fault):
    """The orchestration routes a step to another tool: the one that was called never runs, and another one replies.

    The reply is the latest that another tool gave in this trial, so it concerns calls that have such a past.

    A good agent sees that the reply does not answer the call, and does not go on as if the step were done; the
    contract of its orchestrator can see it first.
    """

    phase: ClassVar[Phase] = Phase.PRE

    def concerns(self, call: Call) -> bool:
        return bool(_others(call))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        others = _others(call)
        return Reply(others[-1]) if others else PROCEED


def _others(call: Call) -> list[Json]:
    """What other tools have replied in this trial, the latest last."""
    return [reply for past, reply in answered(call) if past.tool != call.tool]
