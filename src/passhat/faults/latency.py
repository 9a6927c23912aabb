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
from passhat.model.pace import Pace
from passhat.model.trial import Call

MEASURED = "measured"
# From here on the slowest of so many calls lies above their p99 with a chance of 95 %: 1 - 0.99^299 > 0.95.
ENOUGH = 299
_USUAL = 2.0


@dataclass(frozen=True, slots=True)
class Latency(Fault):
    """A reply takes longer: by *seconds* (2 without a word), or by *factor* times the *p99* of the tool.

    You declare the p99, or it is `measured` on the clean calls of the run so far. Fewer than 299 of them tell no p99,
    and twice the slowest stands in for it; before the first, *seconds* do. Up to *jitter* seconds are drawn on top.
    What the delay was based on is kept with the event.

    A good agent keeps waiting within its own deadline, and does not send the call again while it is pending.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    seconds: float | None = None
    jitter: float = 0.0
    factor: float = 1.5
    p99: float | str | None = None

    def __post_init__(self) -> None:
        """Refuse times that are none, two bases at once, and a factor that would stay below the p99."""
        both = self.seconds is not None and self.p99 is not None and self.p99 != MEASURED
        check(
            self,
            "" if self.seconds is None else seconds("seconds", self.seconds),
            seconds("jitter", self.jitter),
            above("factor", self.factor, 1),
            "" if self.p99 is None else above("p99", self.p99, 0, word=MEASURED),
            "give seconds or p99, not both: each says how long it takes" if both else "",
        )

    @property
    def needs_pace(self) -> bool:
        return self.p99 == MEASURED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        base, basis = self._base(call.pace)
        drawn = self.jitter * dice.uniform("jitter")
        return Delay(base + drawn, basis + (f", and up to {self.jitter:g} s more" if self.jitter else ""))

    def _base(self, pace: Pace | None) -> tuple[float, str]:
        """The delay before any jitter, and what it is based on."""
        declared = _USUAL if self.seconds is None else self.seconds
        if self.p99 is None:
            return declared, f"{declared:g} s"
        if not isinstance(self.p99, str):
            return self.factor * self.p99, f"{self.factor:g} × the declared p99 of {self.p99:g} s"
        if pace is None or not pace.calls:
            return declared, f"{declared:g} s, as no clean call was measured before"
        p99, told = pace.p99, f"the p99 measured on {_clean(pace)}"
        if pace.calls < ENOUGH:
            p99, told = 2 * pace.slowest, f"twice the slowest of {_clean(pace)}"
        if not p99:  # the clock is too coarse to tell
            return declared, f"{declared:g} s, as {_clean(pace)} took no time that could be measured"
        return self.factor * p99, f"{self.factor:g} × {p99:.3g} s, {told}"


def _clean(pace: Pace) -> str:
    return "1 clean call" if pace.calls == 1 else f"{pace.calls:,} clean calls"
