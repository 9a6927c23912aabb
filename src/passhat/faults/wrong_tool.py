"""The wrong tool: a planner that sends a step elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, text
from passhat.faults.base import Fault
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Forward
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class WrongTool(Fault):
    """The orchestration sends a step to another tool: the one that was called never runs, and the other one does.

    Without *tool* it is any other tool that takes the same arguments; where there is none, the call is left alone. The
    one that is named gets those of the arguments that it knows. It needs a world that declares `sandbox = True`.

    A good agent sees that the reply does not answer the call, and looks at the state: the step is not done, and
    something else may be. The contract of its orchestrator can see it first.
    """

    phase: ClassVar[Phase] = Phase.PRE

    tool: str = ""

    def __post_init__(self) -> None:
        """Refuse a name that is no text."""
        check(self, text("tool", self.tool, may_be_empty=True))

    @property
    def needs_sandbox(self) -> bool:
        return True

    @property
    def needs_tools(self) -> Collection[str]:
        return (self.tool,) if self.tool else ()

    def concerns(self, call: Call) -> bool:
        return self.tool != call.tool and (bool(self.tool) or bool(_others(call)))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        if not self.concerns(call):
            return PROCEED
        if self.tool:
            taken = call.tools.get(self.tool)
            return Forward(1, self.tool, None if taken is None else taken.fit(call.arguments))
        return Forward(1, dice.choice(_others(call), "tool"))


def _others(call: Call) -> list[str]:
    """The other tools that take just these arguments."""
    given = call.arguments
    return [name for name, taken in sorted(call.tools.items()) if name != call.tool and taken.fit(given) == given]
