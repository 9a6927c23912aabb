"""The contract of a perturbation: a frozen dataclass that words a text anew and keeps its meaning.

`perturb` gives None where a text has no valid variant: the original never stands in for one, because an agent that
was shown the original has survived nothing. `intensity` (ε) is the share of eligible places that are changed; the
places of a small ε are among those of a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.condition import Condition, Joined, together
from passhat.model.dice import Dice
from passhat.model.grammar import Term
from passhat.model.parts import build, part_name, part_term


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A change of wording. Subclasses keep protected spans (`passhat.shapes.spans`) byte for byte."""

    bare: ClassVar[str] = "intensity"

    intensity: float

    def __post_init__(self) -> None:
        """Refuse an intensity that is none."""
        number = isinstance(self.intensity, int | float) and not isinstance(self.intensity, bool)
        if not number or not 0 < self.intensity <= 1:
            raise UsageError(f"{self.name}: the intensity is above 0 and at most 1, not {self.intensity!r}")

    def perturb(self, text: str, dice: Dice) -> str | None:
        """A variant of *text*, or None where there is no valid one."""
        raise TypeError(f"{type(self).__name__} is a contract: a perturbation overrides perturb")

    def __and__(self, other: Joined) -> Condition:
        """This perturbation together with *other*."""
        return together(self, other)

    @property
    def name(self) -> str:
        """The name of this kind of perturbation."""
        return part_name(type(self))

    @property
    def term(self) -> Term:
        """The perturbation as text."""
        return part_term(self, bare=self.bare)


def bind(kind: type[Perturbation], term: Term) -> Perturbation:
    """The perturbation that *term* describes."""
    return build(kind, term, bare=kind.bare)
