"""The lost owner: a step that nobody has taken over, or two have."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, one_of
from passhat.faults.base import Fault
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Forward, Reply
from passhat.model.trial import Call

_MODES = ("nobody", "both")


@dataclass(frozen=True, slots=True)
class LostOwner(Fault):
    """A step is handed over, and its message is lost or reaches two: nobody does it, or both do.

    With mode=nobody upstream never runs, and the reply is "pending" without an owner. With mode=both it runs twice,
    which needs a world that declares `sandbox = True`.

    A good agent makes sure that the step has exactly one owner: it asks who has it, and looks what was done.
    """

    mode: str = "nobody"

    def __post_init__(self) -> None:
        """Refuse another mode."""
        check(self, one_of("mode", self.mode, _MODES))

    @property
    def phase(self) -> Phase:
        return Phase.PRE if self.mode == "nobody" else Phase.POST

    @property
    def needs_sandbox(self) -> bool:
        return self.mode == "both"

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Reply({"status": "pending", "owner": None}) if self.mode == "nobody" else Forward(2)
