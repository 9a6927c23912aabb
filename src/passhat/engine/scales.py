"""Does something fail more often than at a rate, or less often? Decided from as few trials as can be, and no sooner.

A confidence sequence may be looked at after every trial, so trials may stop as soon as it lies on one side of the rate.
Where many things are weighed one after the other, the j-th may err with probability alpha / (j (j + 1)). These add up
to alpha, so all decisions hold together with confidence 1 - alpha, whatever made one weigh the next thing.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.model.minimal import Decision
from passhat.stats import confidence_sequence


@dataclass(frozen=True, slots=True)
class Scales:
    """Holds a share of failures against *rate*; one decision is right with *confidence*."""

    rate: float
    confidence: float

    def interval(self, failed: int, n: int) -> tuple[float, float]:
        """Where the share of failures lies after *failed* of *n* trials."""
        if n == 0:
            return 0.0, 1.0
        low, high = confidence_sequence(failed, n, confidence=self.confidence)
        return float(low), float(high)

    def decide(self, failed: int, n: int) -> Decision:
        """On which side of the rate it lies, if that is known."""
        low, high = self.interval(failed, n)
        return Decision.FAILS if low > self.rate else Decision.PASSES if high < self.rate else Decision.OPEN

    def least(self, failed: int, n: int, *, most: int) -> int | None:
        """How many more trials it takes at the least, all alike; None where *most* more cannot be enough."""
        sides = [self._least(failed, n, most, fails=fails) for fails in (True, False)]
        return min((count for count in sides if count is not None), default=None)

    def reaches_both(self, most: int) -> bool:
        """True where *most* trials can be enough for either decision."""
        return all(self._least(0, 0, most, fails=fails) is not None for fails in (True, False))

    def _least(self, failed: int, n: int, most: int, *, fails: bool) -> int | None:
        """The same where all that come fail, or all pass: the more of them, the surer."""
        wanted = Decision.FAILS if fails else Decision.PASSES
        reached = range(1, most + 1)
        low, high = 1, most + 1
        while low < high:
            middle = (low + high) // 2
            if self.decide(failed + middle * fails, n + middle) is wanted:
                high = middle
            else:
                low = middle + 1
        return low if low in reached else None


def part_of(confidence: float, place: int) -> float:
    """The confidence of the decision at *place*, from 1 on, so that all hold together with *confidence*.

    >>> round(sum(1 - part_of(0.95, place) for place in range(1, 100_000)), 4)
    0.05
    """
    return 1 - (1 - confidence) / (place * (place + 1))
