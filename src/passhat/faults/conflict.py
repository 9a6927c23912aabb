"""The conflict: somebody else changed the thing first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from passhat.faults._checks import check, one_of
from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Fail
from passhat.model.trial import Call

_REASONS: Mapping[int, str] = {
    409: "the record was changed by another request",
    412: "the version that was sent is not the current one",
}


@dataclass(frozen=True, slots=True)
class Conflict(Fault):
    """A tool answers 409, or 412: somebody else has changed the record. Upstream never runs.

    A good agent reads the record again and decides anew; it does not overwrite what it has not seen.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    status: int = 409

    def __post_init__(self) -> None:
        """Refuse a status that says something else."""
        check(self, one_of("status", self.status, _REASONS))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Fail("conflict", f"{self.status} {HTTPStatus(self.status).phrase}: {_REASONS[self.status]}")
