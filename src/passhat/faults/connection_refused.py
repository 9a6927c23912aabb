"""The refused connection: nobody listens there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Fail
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class ConnectionRefused(Fault):
    """Nothing listens at the tool's address, so the call never reaches upstream.

    A good agent retries a few times, as nothing was done, and else says that it could not do the job.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Fail("connection_error", "[Errno 111] Connection refused")
