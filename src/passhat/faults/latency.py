"""Latency: a reply that is right, and late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import above, check, seconds
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Delay, Effect
from passhat.model.trial import Call

_USUAL = 2.0


@dataclass(frozen=True, slots=True)
class Latency(Fault):
    """A reply takes longer: by *seconds* (2 without a word), or by *factor* times the *p99* that you declare of it.

    Up to *jitter* seconds are drawn on top. What the delay was based on is kept with the event.

    A good agent keeps waiting within its own deadline, and does not send the call again while it is pending.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    seconds: float | None = None
    jitter: float = 0.0
    factor: float = 1.5
    p99: float | None = None

    def __post_init__(self) -> None:
        """Refuse times that are none, two bases at once, and a factor that would stay below the p99."""
        both = self.seconds is not None and self.p99 is not None
        check(
            self,
            "" if self.seconds is None else seconds("seconds", self.seconds),
            seconds("jitter", self.jitter),
            above("factor", self.factor, 1),
            "" if self.p99 is None else above("p99", self.p99, 0),
            "give seconds or p99, not both: each says how long it takes" if both else "",
        )

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if self.p99 is None:
            base = _USUAL if self.seconds is None else self.seconds
            basis = f"{base:g} s"
        else:
            base = self.factor * self.p99
            basis = f"{self.factor:g} × the declared p99 of {self.p99:g} s"
        drawn = self.jitter * dice.uniform("jitter")
        return Delay(base + drawn, basis + (f", and up to {self.jitter:g} s more" if self.jitter else ""))
