"""Two runs of the same tasks, held against each other: differences with their intervals, and no verdict."""

from __future__ import annotations

from passhat.model.base import Noun
from passhat.model.run import Header
from passhat.model.summary import Estimate


class Difference(Noun, kw_only=True):
    """How one number differs between two runs under one condition: *after* less *before*; or why nobody can say.

    The interval is approximate, as every interval of a difference here is.
    """

    metric: str
    condition: str
    before: Estimate
    after: Estimate
    value: float | None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    method: str = ""
    reason: str = ""

    @property
    def told(self) -> bool:
        """True where the interval does not hold 0, so that chance is a poor explanation."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


class Comparison(Noun, kw_only=True):
    """Two runs, the differences between them, and what a reader should notice or be warned of."""

    before: Header
    after: Header
    differences: tuple[Difference, ...]
    notices: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
