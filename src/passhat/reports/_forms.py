"""The forms that a task's line can have where conditions stand side by side, from the fullest to the narrowest.

Every one has the strip, the trials that passed of those that count, the interval of the rate, and pass^k: where
there is no room for these, conditions stand one below the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from passhat.model.summary import Estimate
from passhat.reports._cells import passed_of
from passhat.reports._figures import PER_CENT, SHARES, Notes, Unit, interval, levels, range_of, value_of
from passhat.reports._view import Block, Line

_STRIPS = (12, 8)


@dataclass(frozen=True, slots=True)
class Form:
    """What a task's line holds: the rate as a number or as its counts alone, and pass^k with its interval or without.

    `most`: the columns of its strip, where there is no room for more.
    """

    rate: bool = False
    hat: Callable[[Estimate | None, Notes, Unit], str] | None = value_of
    unit: Unit = SHARES
    most: int = _STRIPS[0]

    @property
    def dense(self) -> bool:
        """True where no column is to be lost."""
        return self.unit is PER_CENT

    @property
    def apart(self) -> int:
        """What stands before a condition."""
        return 2 if self.dense else 3

    def gaps(self, texts: int) -> tuple[int, ...]:
        """What stands before each of so many texts of a condition."""
        return (1,) * texts if self.dense else (2,) * texts if self.rate else (1, 2)[:texts]

    def heads(self, shown: Sequence[Block]) -> tuple[str, ...]:
        """What stands above the texts."""
        estimates = [one for block in shown for line in block.lines for one in (line.rate, line.hat)]
        level = levels([*estimates, *(one for block in shown for one in (block.at_1, block.hat))])
        rate = ("passed", f"rate [{level}]") if self.rate else (f"passed [{level}]",)
        hat = f"^{shown[0].k}" if self.dense else f"pass^{shown[0].k}"
        return (*rate, hat) if self.hat else rate

    def texts(self, line: Line, counts: int, notes: Notes) -> tuple[str, ...]:
        """What stands right of the strip; *counts* are the columns of the counts."""
        passed = passed_of(line)
        within = f"{passed:>{counts}} {range_of(line.rate, notes, self.unit)}"
        rate = (passed, interval(line.rate, notes, self.unit)) if self.rate else (within,)
        return (*rate, self.hat(line.hat, notes, self.unit)) if self.hat else rate

    def aligned(self, widths: Sequence[int]) -> tuple[int, ...]:
        """Counts and lone numbers stand at the right of their columns, numbers with intervals at the left."""
        last = -widths[-1] if self.hat is value_of else widths[-1]
        return (-widths[0] if self.rate else widths[0], *widths[1:-1], last) if len(widths) > 1 else tuple(widths)

    def facts(self, k: int) -> str:
        """What has to be known to read it."""
        if not self.dense:
            return ""
        return f"numbers in per cent, ^{k} is pass^{k}" if self.hat else "numbers in per cent"


def forms(k: int) -> tuple[Form, ...]:
    """The forms for this k; where it is 1, pass^k is the rate, which has its own column."""
    hat = None if k == 1 else value_of
    fullest = () if k == 1 else (Form(rate=True, hat=interval),)
    dense = (Form(hat=hat, unit=PER_CENT, most=most) for most in _STRIPS)
    return (*fullest, Form(rate=True, hat=hat), Form(hat=hat), *dense)
