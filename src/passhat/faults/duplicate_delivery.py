"""The duplicate delivery: a network that sends a call more than once."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, whole
from passhat.faults.base import Fault
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Forward
from passhat.model.trial import Call

_MOST = 100


@dataclass(frozen=True, slots=True)
class DuplicateDelivery(Fault):
    """A call reaches upstream *times* times, as a queue does that delivers at least once; the last reply is seen.

    It needs a world that declares `sandbox = True`.

    A good agent sends its writes with an idempotency key, and checks the state afterwards.
    """

    times: int = 2

    def __post_init__(self) -> None:
        """Refuse what is no repetition."""
        check(self, whole("times", self.times, 2, _MOST))

    @property
    def needs_sandbox(self) -> bool:
        return True

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Forward(self.times)
