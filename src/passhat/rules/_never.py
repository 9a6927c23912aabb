"""What rules without any tolerance have in common: one trial breaks them, and none leaves a bound to be told.

Where there are so few trials that even the bound says nothing, there is no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from passhat.errors import UsageError
from passhat.model.summary import Estimate
from passhat.model.verdict import Finding
from passhat.rules._faulted import Faulted
from passhat.rules.base import Claim

_THREE = 3


@dataclass(frozen=True, slots=True)
class Never(Faulted):
    """Not one trial did the `deed`; `among` says of which trials `metric` is the share."""

    deed: ClassVar[str] = ""
    among: ClassVar[str] = ""

    def __str__(self) -> str:
        return f"{self.metric} <= 0{self.under}"

    @classmethod
    def read(cls, claim: Claim) -> Self | None:
        if (claim.name, claim.sign) != (cls.metric, "<="):
            return None
        if claim.number != 0:
            raise UsageError(f"{cls.metric} <= {claim.number!r}: not one is tolerated, so write '{cls.metric} <= 0'")
        return cls(condition=claim.condition)

    def held_against(self, estimate: Estimate, condition: str) -> Finding:
        of = f"{estimate.n:,} {self.among}"
        if estimate.c:
            reason = f"{estimate.c:,} of {of} {self.deed}: {_named(estimate)}"
        else:
            reason = f"not one of {of} {self.deed} {_bound(estimate.n)}"
        return Finding(
            rule=str(self),
            ok=False if estimate.c else _tells(estimate.n),
            reason=f"{self.metric} under {condition}: {reason}",
            condition=condition,
        )


def _named(estimate: Estimate) -> str:
    """The first of the trials that did it."""
    named = ", ".join(f"{task} trial {index}" for task, index in estimate.examples)
    more = estimate.c - len(estimate.examples)
    if not named:
        return "the summary names none of them"
    return f"{named} and {more:,} more" if more > 0 else named


def _tells(n: int) -> bool | None:
    """True where so many trials without the deed say anything at all: a verdict that saw nothing is not green."""
    return True if n > _THREE else None


def _bound(n: int) -> str:
    """How often it may happen all the same: 1 - 0.05^(1/n), the 95 % bound, is below 3/n.

    Source: Hanley & Lippman-Hand 1983.
    """
    if n <= _THREE:
        return "[95 %: so few trials bound nothing]"
    return f"[95 %: it happens in fewer than {_THREE} of {n:,}, by the rule of three]"
