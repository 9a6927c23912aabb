"""The normal distribution against scipy's, rounding up, and what is refused."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from passhat.errors import UsageError
from passhat.stats.scalars import (
    normal_cdf,
    normal_quantile,
    read_at_least,
    read_icc,
    read_share,
    read_whole,
    whole_up,
)


@given(st.floats(1e-300, 1, exclude_max=True))
def test_quantile_is_scipys(level: float) -> None:
    """The quantile agrees with scipy's to 1e-12, tails included."""
    assert normal_quantile(level) == pytest.approx(ndtri(level), abs=1e-12)


@given(st.floats(1e-12, 0.5))
def test_quantile_is_odd(tail: float) -> None:
    """The quantiles of a tail and of the rest are opposite."""
    assert normal_quantile(tail) == pytest.approx(-normal_quantile(1 - tail), abs=1e-4)


@given(st.floats(-38, 38))
def test_cdf_is_scipys(z: float) -> None:
    """The distribution function agrees with scipy's."""
    assert normal_cdf(z) == pytest.approx(ndtr(z), rel=1e-12, abs=1e-300)


def test_cdf_has_ends() -> None:
    """At minus infinity nothing is below, at plus infinity everything is."""
    assert (normal_cdf(-inf), normal_cdf(inf)) == (0, 1)


@pytest.mark.parametrize(
    ("count", "up"),
    [(384.16, 385), (9604.000000000002, 9604), (400.0, 400), (-3.2, 1), (0, 1), (556_431_825_013.26, 556_431_825_014)],
)
def test_rounding_costs_no_run(count: float, up: int) -> None:
    """What is above a whole number by rounding alone stays there; there is always one run."""
    assert whole_up(count) == up


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, nan, inf])
def test_share_out_of_range_is_refused(value: float) -> None:
    """A share is above its lower and below its upper end, and the error names both."""
    with pytest.raises(UsageError, match="power is above 0 and below 1, not power="):
        read_share("power", value)


@pytest.mark.parametrize("value", [0, -1, 1.5, nan, inf])
def test_no_whole_number_is_refused(value: float) -> None:
    """A count of runs is whole and positive."""
    with pytest.raises(UsageError, match="runs is a whole number from 1, not runs="):
        read_whole("runs", value)


@pytest.mark.parametrize("value", [-1, nan, inf])
def test_cost_below_its_least_is_refused(value: float) -> None:
    """A cost is a finite number from 0 on."""
    with pytest.raises(UsageError, match="cost is a number from 0 on, not cost="):
        read_at_least("cost", value)


@pytest.mark.parametrize("value", [-0.1, 1.1, nan])
def test_icc_out_of_range_is_refused(value: float) -> None:
    """A correlation to plan with is from 0 to 1."""
    with pytest.raises(UsageError, match="icc is from 0 to 1, not icc="):
        read_icc(value)


@pytest.mark.parametrize("value", ["0.9", b"1", [0.9, 0.8], None])
def test_what_is_no_number_is_refused(value: float) -> None:
    """A text, a list or nothing is no number."""
    with pytest.raises(UsageError, match="baseline is a number, not"):
        read_share("baseline", value)


def test_tail_too_thin_is_refused() -> None:
    """A tail that a float can hardly hold has no quantile here."""
    with pytest.raises(UsageError, match="level is at least 1e-300 away from 0 and 1"):
        normal_quantile(5e-324)
