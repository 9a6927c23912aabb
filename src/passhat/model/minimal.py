"""What a search for the smallest set of faults speaks of: the suspects, the sets that were tried, what is left.

Values alone: how sets are tried is the engine's, how they are shown is the reports'.
"""

from __future__ import annotations

from enum import StrEnum

from passhat.model.base import Noun


class Suspect(Noun, kw_only=True):
    """One thing that a condition did to a trial: a fault at one call, or, without a tool, another wording.

    `number` is how people name it, from 1 on; `part` is its address among the parts of the condition.
    """

    number: int
    name: str
    part: str
    tool: str = ""
    ordinal: int = 0

    @property
    def wording(self) -> bool:
        """True for another wording of the input, which meets no call."""
        return not self.tool


class Decision(StrEnum):
    """What the trials of one set say: it fails more often than asked about, or less often, or nobody can tell yet."""

    FAILS = "fails"
    PASSES = "passes"
    OPEN = "undecided"


class Tried(Noun, kw_only=True):
    """The suspects of one set, and what came of the trials in which they alone were at work.

    `n` leaves out the void trials, of which `why` gives the first one's reason. `low` and `high` hold the share of
    failures with `confidence`, however often it was looked at.
    """

    numbers: tuple[int, ...]
    failed: int
    n: int
    void: int
    decision: Decision
    confidence: float
    low: float
    high: float
    why: str = ""


class Minimal(Noun, kw_only=True):
    """What a search came to. `numbers` is the smallest set that was seen to fail, None where not even all of them do.

    `rate` is the share of trials that makes a failure. All that is decided here holds together with `confidence`.
    `condition` does the same to the trial as a condition of its own; empty where none can be written.
    """

    suspects: tuple[Suspect, ...]
    tried: tuple[Tried, ...]
    numbers: tuple[int, ...] | None
    rate: float
    confidence: float
    condition: str = ""

    def of(self, numbers: tuple[int, ...]) -> Tried | None:
        """What came of this set, where it was tried."""
        return next((one for one in self.tried if one.numbers == numbers), None)

    @property
    def found(self) -> Tried | None:
        """What came of the smallest set."""
        return None if self.numbers is None else self.of(self.numbers)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Members of the smallest set that were kept because nobody could tell whether it fails without them."""
        return tuple(number for number in self.numbers or () if not self._needed(number))

    def _needed(self, number: int) -> bool:
        without = self.of(tuple(other for other in self.numbers or () if other != number))
        return without is not None and without.decision is Decision.PASSES
