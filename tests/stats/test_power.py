"""The detectable drop, against brute force over the exact binomial distribution."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import detectable_drop, one_sided


def chance_of_failing(value: float, blocks: int, truth: float) -> float:
    """The probability that the upper bound is below *value*, by adding up every outcome."""
    return sum(
        comb(blocks, x) * truth**x * (1 - truth) ** (blocks - x)
        for x in range(blocks + 1)
        if one_sided(x, blocks)[1] < value
    )


@pytest.mark.parametrize("value", [0.2, 0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("blocks", [3, 10, 20, 57])
def test_drop_is_the_smallest_that_is_caught(value: float, blocks: int) -> None:
    """At the drop the gate fails with 80 %, a little above it with less: brute force agrees."""
    drop = detectable_drop(value, blocks)

    if drop is None:
        assert chance_of_failing(value, blocks, 0.0) == 0
    else:
        assert chance_of_failing(value, blocks, value - drop) == pytest.approx(0.8, abs=1e-9)
        assert chance_of_failing(value, blocks, value - drop + 0.001) < 0.8


@given(st.floats(0.02, 0.999), st.integers(0, 5000))
def test_drop_lies_below_the_line(value: float, blocks: int) -> None:
    """A drop ends between 0 and the line it falls from."""
    drop = detectable_drop(value, blocks)

    assert drop is None or 0 < drop <= value


@pytest.mark.parametrize("blocks", [0, 1])
def test_too_few_blocks_catch_nothing(blocks: int) -> None:
    """Where not even all failures are rare enough, there is no drop that would be caught."""
    assert detectable_drop(0.9, blocks) is None


def test_more_blocks_catch_less() -> None:
    """A hundred times the blocks see a tenth of the drop."""
    few, many = detectable_drop(0.9, 100), detectable_drop(0.9, 10_000)

    assert few is not None
    assert many is not None
    assert many < few / 8


def test_more_power_needs_a_larger_drop() -> None:
    """What is caught nine times in ten is larger than what is caught eight times in ten."""
    usual, sure = detectable_drop(0.9, 100), detectable_drop(0.9, 100, power=0.9)

    assert usual is not None
    assert sure is not None
    assert usual < sure


@pytest.mark.parametrize(
    ("value", "blocks", "says"),
    [
        (1, 10, "value is above 0 and below 1, not value=1"),
        (0, 10, "value is above 0 and below 1"),
        (0.9, -1, "blocks is a whole number from 0, not blocks=-1"),
        (0.9, 1.5, "blocks is a whole number from 0"),
        (0.9, float("inf"), "blocks is a whole number from 0"),
    ],
)
def test_what_is_out_of_range_is_refused(value: float, blocks: int, says: str) -> None:
    """Bad input is a usage error that names the range."""
    with pytest.raises(UsageError, match=says):
        detectable_drop(value, blocks)
