"""The expired login: a token that was good a moment ago."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Fail
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class AuthExpired(Fault):
    """A tool answers 401: the token has expired. Upstream never runs.

    A good agent renews its token or logs in once, then goes on; where it cannot, it hands over.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Fail("unauthorized", "401 Unauthorized: the access token has expired")
