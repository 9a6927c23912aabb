"""The rule about the surroundings: too many void trials, and no verdict can stand on the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.numbers import counted
from passhat.model.summary import Summary
from passhat.model.verdict import Finding
from passhat.rules.base import Claim, Rule


@dataclass(frozen=True, slots=True)
class MaxVoidShare(Rule):
    """At most this *share* of the trials under any condition is void; beyond it the evidence is broken.

    It looks at each condition by itself: voids under one alone would tilt every comparison with it.
    """

    form: ClassVar[str] = "void_share <= VALUE"

    share: float = 0.05

    def __post_init__(self) -> None:
        if isinstance(self.share, bool) or not 0 <= self.share < 1:
            raise UsageError(f"void_share <= {self.share!r}: the share is from 0 up to, and not including, 1")

    @property
    def needs(self) -> tuple[str, ...]:
        return ("void_share",)

    def __str__(self) -> str:
        return f"void_share <= {self.share!r}"

    @classmethod
    def read(cls, claim: Claim) -> MaxVoidShare | None:
        if (claim.name, claim.sign, claim.condition) != ("void_share", "<=", None):
            return None
        return cls(claim.number)

    def judge(self, summary: Summary) -> Sequence[Finding]:
        tally, broken, worst = summary.tally, [], 0.0
        for position, condition in enumerate(tally.conditions):
            void = sum(tally.void[cell] for cell in tally.of(position))
            stored = void + sum(tally.valid(cell) for cell in tally.of(position))
            found = void / stored if stored else 0.0  # 29 of 100 are 0.29, and 0.29 × 100 is less than 29
            worst = max(worst, found)
            if found > self.share:
                broken.append(self._broken(condition, void, stored))
        if broken:
            return broken
        seen = f"at most {_percent(worst)} of the trials under any condition are void"
        reason = f"{seen}, and {_percent(self.share)} may be"
        return (Finding(rule=str(self), ok=True, reason=reason),)

    def _broken(self, condition: str, void: int, stored: int) -> Finding:
        stand = counted(stored, "trial is", some="trials are")
        reason = (
            f"under {condition} {void:,} of {stand} void, {_percent(void / stored)}: "
            f"with more than {_percent(self.share)} no verdict can stand on the rest"
        )
        return Finding(rule=str(self), ok=False, reason=reason, condition=condition, broken_evidence=True)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
