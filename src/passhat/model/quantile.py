"""A sketch of many numbers that tells their quantiles without keeping them: a histogram whose bins grow by one ratio.

Pure values: a sketch is made, and merged with others, and never changed. It knows nothing of what was counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import ceil, isfinite, log

from passhat.errors import UsageError
from passhat.model.base import Noun

ERROR = 0.01
LEAST = 1e-9  # what is smaller counts as 0: where numbers are seconds, no clock here tells it from none
_RATIO = (1 + ERROR) / (1 - ERROR)
_LOG_RATIO = log(_RATIO)
_NOISE = 1e-9  # 0.07 · 100 is a little more than 7


class Sketch(Noun, kw_only=True):
    """Numbers from 0 on, counted in bins: bin i holds those above ratio^(i-1), up to ratio^i.

    Formula: the bin of x is ⌈log x / log γ⌉ with γ = (1 + α) / (1 - α), and 2·γ^i / (γ + 1) stands for all in it.
    Valid when: a quantile is told within α = 1 % of the number that has its rank, whatever the numbers are.
    Source: Masson, Rim and Lee 2019, "DDSketch".

    >>> few = sketch([0.2, 0.1, 0.4])
    >>> few.count, few.most, round(few.quantile(0.5), 2)
    (3, 0.4, 0.2)
    """

    bins: Mapping[int, int] = {}
    zeros: int = 0
    most: float = 0.0

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return self.zeros + sum(self.bins.values())

    def quantile(self, share: float) -> float:
        """The number of rank ⌈share·n⌉ among the n in ascending order, within `ERROR` of it."""
        count = self.count
        if not count or not 0 <= share <= 1:
            raise UsageError(f"a quantile is that of a share from 0 to 1 of some numbers, not {share!r} of {count}")
        rank = max(1, ceil(share * count - _NOISE))
        if rank <= self.zeros:
            return 0.0
        ordered = sorted(self.bins)
        below = accumulate((self.bins[one] for one in ordered), initial=self.zeros)
        next(below)
        found = next(one for one, reached in zip(ordered, below, strict=True) if reached >= rank)
        return min(self.most, 2 * _RATIO**found / (_RATIO + 1))


def sketch(numbers: Iterable[float]) -> Sketch:
    """The sketch of *numbers*; one that is below 0 or no number is refused."""
    bins: Counter[int] = Counter()
    zeros, most = 0, 0.0
    for number in numbers:
        if not isfinite(number) or number < 0:
            raise UsageError(f"a sketch counts numbers from 0 on, not {number!r}")
        most = max(most, number)
        if number < LEAST:
            zeros += 1
        else:
            bins[ceil(log(number) / _LOG_RATIO)] += 1
    return Sketch(bins=dict(bins), zeros=zeros, most=most)


def merged(one: Sketch, other: Sketch) -> Sketch:
    """The sketch of the numbers of both: the same as if it had been made of them at once."""
    bins = dict(one.bins)
    for place, count in other.bins.items():
        bins[place] = bins.get(place, 0) + count
    return Sketch(bins=bins, zeros=one.zeros + other.zeros, most=max(one.most, other.most))
