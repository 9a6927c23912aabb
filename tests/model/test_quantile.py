"""A sketch tells every quantile within its error, and the sketch of two halves is that of the whole."""

from __future__ import annotations

from math import ceil

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.model.quantile import ERROR, LEAST, Sketch, merged, sketch

NUMBERS = st.lists(st.floats(0, 1e12) | st.floats(0, 1) | st.sampled_from([0.0, 1.0, 2.0**-30]), min_size=1)
SHARES = st.floats(0, 1) | st.sampled_from([0.5, 0.9, 0.99])


def exact(numbers: list[float], share: float) -> float:
    """The number of rank ⌈share·n⌉."""
    return sorted(numbers)[max(1, ceil(share * len(numbers) - 1e-9)) - 1]


@given(NUMBERS, SHARES)
def test_quantile_is_within_the_error(numbers: list[float], share: float) -> None:
    """|told - x| ≤ α·x for the number x that has the rank; below the least, 0 is told."""
    told, right = sketch(numbers).quantile(share), exact(numbers, share)

    assert abs(told - right) <= (ERROR + 1e-9) * right if right >= LEAST else told == 0


@given(NUMBERS, NUMBERS)
def test_merged_is_the_sketch_of_all(one: list[float], other: list[float]) -> None:
    """Sketches of parts, merged in either order, are the sketch of the whole."""
    whole = sketch([*one, *other])

    assert merged(sketch(one), sketch(other)) == merged(sketch(other), sketch(one)) == whole
    assert merged(whole, Sketch()) == whole


@given(NUMBERS)
def test_count_and_most_are_exact(numbers: list[float]) -> None:
    """What is counted, and the largest number, are no estimates; no quantile lies above it."""
    found = sketch(numbers)

    assert (found.count, found.most) == (len(numbers), max(numbers))
    assert found.quantile(1) <= found.most


def test_bins_are_few() -> None:
    """A hundred thousand times from a microsecond to minutes need no more than a thousand bins."""
    numbers = [1e-6 * 1e8 ** (at / 100_000) for at in range(100_000)]

    assert len(sketch(numbers).bins) < 1_000
    assert sketch(numbers).quantile(0.99) == pytest.approx(exact(numbers, 0.99), rel=ERROR)


@given(NUMBERS)
def test_sketch_comes_back_from_json(numbers: list[float]) -> None:
    """A sketch can be written down and read back as the same."""
    found = sketch(numbers)

    assert msgspec.json.decode(msgspec.json.encode(found), type=Sketch) == found


@pytest.mark.parametrize("number", [-0.1, float("nan"), float("inf")])
def test_what_is_no_time_is_refused(number: float) -> None:
    """A number below 0, or none at all, has no bin."""
    with pytest.raises(UsageError, match="a sketch counts numbers from 0 on"):
        sketch([1.0, number])


@pytest.mark.parametrize(("numbers", "share"), [([], 0.5), ([1.0], 1.5), ([1.0], -0.1)])
def test_quantile_that_there_is_not_is_refused(numbers: list[float], share: float) -> None:
    """Nothing has no quantile, and none has a share above 1."""
    with pytest.raises(UsageError, match="a quantile is that of a share from 0 to 1"):
        sketch(numbers).quantile(share)
