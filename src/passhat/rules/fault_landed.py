"""The rule about the faults themselves: what was planned has to fire, or nothing was tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.numbers import counted
from passhat.model.summary import Estimate
from passhat.model.verdict import Finding
from passhat.rules._faulted import Faulted
from passhat.rules.base import Claim


@dataclass(frozen=True, slots=True)
class FaultLanded(Faulted):
    """Every planned fault fired in at least the share *value* of the trials that planned it.

    Below it the evidence is broken: no verdict stands on faults that hardly anybody met. What is held against the line
    is what was seen, without an interval.
    """

    form: ClassVar[str] = "landed_share >= VALUE [under CONDITION]"
    metric: ClassVar[str] = "landed_share"

    value: float

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not 0 < self.value <= 1:
            raise UsageError(f"{self.metric} >= {self.value!r}: the share is above 0 and at most 1")

    def __str__(self) -> str:
        return f"{self.metric} >= {self.value!r}{self.under}"

    @classmethod
    def read(cls, claim: Claim) -> FaultLanded | None:
        if (claim.name, claim.sign) != (cls.metric, ">="):
            return None
        return cls(claim.number, condition=claim.condition)

    def held_against(self, estimate: Estimate, condition: str) -> Finding:
        landed = estimate.c / estimate.n >= self.value  # 7 of 100 are 0.07, and 0.07 * 100 is a little more than 7
        seen = f"{self.metric} under {condition}: a fault fired in {estimate.c:,} of the {counted(estimate.n, 'trial')}"
        asked = f"that planned it, {100 * estimate.c / estimate.n:.3g} %, and {100 * self.value:.3g} % were asked"
        return Finding(
            rule=str(self),
            ok=landed,
            reason=f"{seen} {asked}{'' if landed else ': too few to carry a verdict'}",
            condition=condition,
            broken_evidence=not landed,
        )
