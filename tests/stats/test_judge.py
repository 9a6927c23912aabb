"""Correcting a rate for its judge's errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import corrected_rate

GOOD = st.floats(0.55, 1)


@given(st.floats(0, 1), GOOD, GOOD)
def test_correction_undoes_what_the_judge_does(rate: float, sensitivity: float, specificity: float) -> None:
    """Put a true rate through a judge, correct it, and it is there again."""
    observed = rate * sensitivity + (1 - rate) * (1 - specificity)

    assert corrected_rate(observed, sensitivity, specificity) == pytest.approx(rate, abs=1e-9)


def test_perfect_judge_needs_no_correction() -> None:
    """What a judge without errors reports stands."""
    assert corrected_rate(np.array([0, 0.4, 1]), 1, 1).tolist() == pytest.approx([0, 0.4, 1])


def test_figures_that_do_not_fit_show() -> None:
    """A rate that the judge alone could not have made lies outside, and is not cut."""
    assert corrected_rate(0.05, 0.9, 0.9) == pytest.approx(-0.0625)


@pytest.mark.parametrize(
    ("observed", "sensitivity", "specificity", "says"),
    [
        (0.5, 0.5, 0.5, "better than a coin, not sensitivity=0.5, specificity=0.5"),
        (0.5, 0.3, 0.6, "better than a coin"),
        (1.5, 0.9, 0.9, "observed is from 0 to 1"),
        (0.5, 1.1, 0.9, "sensitivity is from 0 to 1"),
    ],
)
def test_what_is_out_of_range_is_refused(observed: float, sensitivity: float, specificity: float, says: str) -> None:
    """A judge that knows no more than a coin can't be corrected."""
    with pytest.raises(UsageError, match=says):
        corrected_rate(observed, sensitivity, specificity)
