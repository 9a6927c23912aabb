"""The rule about doing a thing twice, read from the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.rules._never import Never


@dataclass(frozen=True, slots=True)
class NoDuplicateEffects(Never):
    """Under a condition that plans a fault, not one trial did something twice, whether or not a fault fired in it.

    What the clean trial of the same task and index does twice, if it passed, may be done twice here.
    """

    form: ClassVar[str] = "duplicate_share <= 0 [under CONDITION]"
    metric: ClassVar[str] = "duplicate_share"
    deed: ClassVar[str] = "did something twice"
    among: ClassVar[str] = "trials with tool calls"
