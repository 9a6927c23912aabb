"""The reset connection: it breaks before the job is done, or after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check_phase
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Fail
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class ConnectionReset(Fault):
    """The connection breaks. With phase=pre upstream never ran; with phase=post it had done the job.

    A good agent cannot tell the two apart, so it retries a read, and before it repeats a write it looks whether the
    first one went through.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    phase: Phase = Phase.PRE

    def __post_init__(self) -> None:
        """Refuse a phase that it does not have."""
        check_phase(self, self.phase)

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return _RESET if self.phase is Phase.PRE else PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return _RESET if self.phase is Phase.POST else PROCEED


_RESET = Fail("connection_error", "[Errno 104] Connection reset by peer")
