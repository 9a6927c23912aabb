"""The server error: a service that breaks before it does the job, or after."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from passhat.faults._checks import check_phase, one_of
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Fail
from passhat.model.trial import Call

_STATUSES = (500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class ServerError(Fault):
    """A tool answers 500, 502, 503 or 504. With phase=pre upstream never ran; with phase=post it had done the job.

    A good agent cannot tell the two apart, so it retries a read, and before it repeats a write it looks whether the
    first one went through.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    status: int = 503
    phase: Phase = Phase.PRE

    def __post_init__(self) -> None:
        """Refuse what is no server error."""
        check_phase(self, self.phase, one_of("status", self.status, _STATUSES))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return self._refusal if self.phase is Phase.PRE else PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return self._refusal if self.phase is Phase.POST else PROCEED

    @property
    def _refusal(self) -> Fail:
        return Fail("server_error", f"{self.status} {HTTPStatus(self.status).phrase}")
