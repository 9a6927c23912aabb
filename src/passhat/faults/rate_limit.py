"""The rate limit: a service that says 429 before it does anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, seconds
from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Fail
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class RateLimit(Fault):
    """A tool answers 429 Too Many Requests, and upstream never runs.

    A good agent waits for as long as it is told, tries again a bounded number of times, and else says that it
    could not do the job.
    """

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    retry_after: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        check(self, seconds("retry_after", self.retry_after))

    def on_call(self, call: Call, dice: Dice) -> Effect:
        wait = f"{self.retry_after:g}"
        return Fail("rate_limit", f"429 Too Many Requests. Retry-After: {wait}", retry_after=self.retry_after)
