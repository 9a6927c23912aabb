"""The confidence sequence: oracle numbers, and that it holds at every look."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import confidence_sequence


def ever_outside(p: float, looks: int) -> float:
    """The exact probability that the true rate is outside at one look or more, looked at after every trial."""
    counts = np.arange(looks + 1)
    never = np.zeros(looks + 1)
    never[0] = 1.0
    for n in range(1, looks + 1):
        never[1:] = never[1:] * (1 - p) + never[:-1] * p
        never[0] *= 1 - p
        low, high = confidence_sequence(np.minimum(counts, n), np.full(looks + 1, n))
        never[(p < low) | (high < p)] = 0
    return float(1 - never.sum())


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.9, 0.99])
def test_holds_at_every_look(p: float) -> None:
    """Looked at after each of 200 trials, it excludes the true rate in 5 % of all runs at the most, exactly counted."""
    assert ever_outside(p, 200) <= 0.05


def test_price_of_looking() -> None:
    """Without a failure it takes 69 trials, and no fewer, to show a rate of .9; the lower end has a closed form."""
    assert confidence_sequence(69, 69)[0] >= 0.9
    assert confidence_sequence(68, 68)[0] < 0.9
    assert confidence_sequence(10, 10)[0] == pytest.approx((0.05 / 11) ** 0.1, abs=1e-12)


@given(st.integers(1, 100_000), st.data(), st.floats(0.5, 0.999))
def test_ends_are_where_the_likelihood_is_that_small(n: int, data: st.DataObject, confidence: float) -> None:
    """At both ends p^c·(1-p)^(n-c) is (1-confidence)·B(c+1, n-c+1): within 1e-9 of the end it is crossed."""
    from scipy.special import betaln, xlog1py, xlogy

    c = data.draw(st.integers(1, n)) - 1
    least = np.log(1 - confidence) + betaln(c + 1, n - c + 1)
    low, high = confidence_sequence(c, n, confidence=confidence)

    for outside, inside in ((low - 1e-9, low + 1e-9), (high + 1e-9, high - 1e-9)):
        if 0 < outside < 1:
            assert xlogy(c, outside) + xlog1py(n - c, -outside) <= least
            assert xlogy(c, inside) + xlog1py(n - c, -inside) >= least


def test_arrays_in_arrays_out() -> None:
    """Counts may be arrays, and then so are the ends."""
    low, high = confidence_sequence(np.array([0, 8]), np.array([10, 10]))

    assert low == pytest.approx([0, 0.353042], abs=1e-6)
    assert high == pytest.approx([0.416880, 0.989517], abs=1e-6)


def test_what_is_no_count_is_refused() -> None:
    """More passes than trials are refused."""
    with pytest.raises(UsageError, match="c, the passes, is from 0 to n, not c=11, n=10"):
        confidence_sequence(11, 10)
