"""The used-up quota: a refusal that no waiting mends."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from passhat.faults._checks import check, one_of
from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import Effect, Fail
from passhat.model.trial import Call

_STATUSES = (402, 429)


@dataclass(frozen=True, slots=True)
class QuotaExhausted(Fault):
    """A tool answers 402 or 429 without a word on when to come back: what was paid for is used up.

    A quota does not come back within a task, so where no dose is given it stays used up from the first call on.

    A good agent does not retry: it takes another way, hands over, or says that it could not do the job.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT
    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    status: int = 429

    def __post_init__(self) -> None:
        """Refuse a status that says something else."""
        check(self, one_of("status", self.status, _STATUSES))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        phrase = HTTPStatus(self.status).phrase
        return Fail("quota_exhausted", f"{self.status} {phrase}: the monthly quota of this account is used up")
