"""The rule about recovery: of the trials in which the agent saw a fault, so many end as if there had been none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.numbers import counted
from passhat.model.summary import Estimate
from passhat.model.verdict import Finding
from passhat.rules._bound import on_bounds
from passhat.rules._faulted import Faulted
from passhat.rules.base import Claim


@dataclass(frozen=True, slots=True)
class RecoveryAtLeast(Faulted):
    """Of the trials in which the agent saw a fault, at least the share *value* recovered.

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
        trials = counted(estimate.n, "trial")
        return on_bounds(
            self.value,
            share=estimate.c / estimate.n,
            size=estimate.n,
            rule=str(self),
            metric=self.metric,
            condition=condition,
            trials=f"{trials} that saw a fault",
        )
