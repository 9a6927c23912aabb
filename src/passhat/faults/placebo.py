"""A placebo: the way of a fault through passhat, and no fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults.base import Fault
from passhat.model.dose import Dose, PermanentFrom


@dataclass(frozen=True, slots=True)
class Placebo(Fault):
    """Nothing happens. Every call takes the long way of a call that a fault may change, and comes out as it was.

    Held against the same trials without it, it shows what that way costs by itself.

    A good agent does what it does without it.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)
