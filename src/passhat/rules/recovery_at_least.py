"""The rule about recovery: of the trials that met a fault, so many end as if there had been none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.summary import Estimate
from passhat.model.verdict import Finding
from passhat.rules._faulted import Faulted
from passhat.rules.base import Claim, told_apart
from passhat.stats import detectable_drop, one_sided


@dataclass(frozen=True, slots=True)
class RecoveryAtLeast(Faulted):
    """Of the trials in which a fault fired, at least the share *value* recovered.

    It holds where the lower one-sided 95 % bound reaches the value, is broken where the upper one stays below it, and
    is not to be told in between.
    """

    form: ClassVar[str] = "recovered_share >= VALUE [under CONDITION]"
    metric: ClassVar[str] = "recovered_share"

    value: float

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not 0 < self.value < 1:
            why = "the value is above 0 and below 1 (no count of trials can show a 1)"
            raise UsageError(f"{self.metric} >= {self.value!r}: {why}")

    def __str__(self) -> str:
        return f"{self.metric} >= {self.value!r}{self.under}"

    @classmethod
    def read(cls, claim: Claim) -> RecoveryAtLeast | None:
        if (claim.name, claim.sign) != (cls.metric, ">="):
            return None
        return cls(claim.number, condition=claim.condition)

    def held_against(self, estimate: Estimate, condition: str) -> Finding:
        low, high = one_sided(float(estimate.c), float(estimate.n))
        return Finding(
            rule=str(self),
            ok=True if low >= self.value else False if high < self.value else None,
            reason=self._reason(estimate, condition, low, high),
            condition=condition,
            line=self.value,
            detectable_drop=detectable_drop(self.value, estimate.n, method="exact"),
        )

    def _reason(self, estimate: Estimate, condition: str, low: float, high: float) -> str:
        """One sentence for a person: what was seen, what it shows, and what was asked."""
        low_text, high_text, asked = told_apart(low, high, self.value)
        seen = f"{self.metric} under {condition} is {estimate.c / estimate.n:.2f}"
        if low >= self.value:
            return f"{seen} [95 %: at least {low_text}], {asked} was asked"
        if high < self.value:
            return f"{seen} [95 %: at most {high_text}], {asked} was asked"
        between = f"at least {low_text}, at most {high_text}"
        return f"{seen} [95 %: {between}], {asked} was asked: {estimate.n:,} trials with a fault can't tell"
