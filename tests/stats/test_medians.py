"""The interval of a median: exact for every distribution, and honest where there are too few values."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import median_interval

numbers = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


def covering(n: int, confidence: float) -> tuple[Fraction, int]:
    """How often the interval of *n* values holds the median, counted through all cases; and its rank from below.

    Of values without ties each lies below the median or above it with chance 1/2.
    """
    found = median_interval(range(1, n + 1), confidence=confidence)
    if found is None:
        return Fraction(1), 0
    rank = int(found[0])
    assert found[1] == n + 1 - rank
    held = sum(comb(n, below) for below in range(rank, n - rank + 1))
    return Fraction(held, 2**n), rank


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", range(1, 61))
def test_interval_keeps_its_level_and_is_no_wider_than_it_must(n: int, confidence: float) -> None:
    """It holds the median as often as it says, and one rank further in it would not, on one side alone."""
    held, rank = covering(n, confidence)
    tail = Fraction(sum(comb(n, below) for below in range(rank + 1)), 2**n)

    assert held >= Fraction(confidence)
    assert tail > Fraction((1 - confidence) / 2)


@pytest.mark.parametrize(("n", "known"), [(5, None), (6, (1, 6)), (10, (2, 9)), (20, (6, 15)), (25, (8, 18))])
def test_ranks_are_those_of_the_tables(n: int, known: tuple[int, int] | None) -> None:
    """The ranks of the 95 % interval, as tables of the sign test have them."""
    assert median_interval(range(1, n + 1)) == known


@given(numbers)
def test_interval_holds_the_middle_of_the_values(values: list[float]) -> None:
    """The median of what was seen lies in it, and its ends are values that were seen."""
    found = median_interval(values)
    ordered = sorted(values)

    assert found is None or (found[0] <= ordered[(len(values) - 1) // 2] <= ordered[len(values) // 2] <= found[1])
    assert found is None or set(found) <= set(values)


@given(numbers, st.floats(-1e3, 1e3), st.sampled_from([0.5, 2.0, 8.0]))
def test_other_units_give_the_same_interval(values: list[float], shift: float, scale: float) -> None:
    """A cost in other units has its interval in those units."""
    found, moved = median_interval(values), median_interval([scale * one + shift for one in values])

    assert (found is None) == (moved is None)
    assert found is None or moved == tuple(scale * end + shift for end in found)


@pytest.mark.parametrize("values", [[], [[1.0, 2.0]], [float("nan")], [float("inf")], 7.0])
def test_what_is_no_list_of_numbers_is_refused(values: object) -> None:
    """No value, a table, and what is not finite have no median."""
    with pytest.raises(UsageError, match="values holds one number or more, each finite"):
        median_interval(values)  # type: ignore[arg-type]
