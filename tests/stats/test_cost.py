"""What a pass costs."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import cost_normalised_accuracy, cost_of_pass


@given(st.integers(1, 100), st.integers(1, 100), st.floats(0.001, 100))
def test_cost_of_a_pass_is_all_cost_over_all_passes(n: int, c: int, cost: float) -> None:
    """What all trials cost, shared among those that passed."""
    passes = min(n, c)

    assert cost_of_pass(cost, passes / n) == pytest.approx(cost * n / passes)


def test_no_pass_is_not_for_sale() -> None:
    """At a rate of 0 a pass costs infinitely much, even where trials are free."""
    assert cost_of_pass(np.array([0.01, 0.0, 0.0]), np.array([0.0, 0.0, 0.5])).tolist() == [inf, inf, 0]


def test_the_two_figures_are_each_others_inverse() -> None:
    """Points a dollar are a hundred over dollars a pass."""
    assert cost_normalised_accuracy(0.723, 2.87) == pytest.approx(100 / cost_of_pass(2.87, 0.723))


@pytest.mark.parametrize(("cost", "rate"), [(-1, 0.5), (nan, 0.5), (inf, 0.5), (1, 1.5), (1, -0.1)])
def test_what_is_out_of_range_is_refused(cost: float, rate: float) -> None:
    """A cost is finite and from 0, a rate from 0 to 1."""
    with pytest.raises(UsageError):
        cost_of_pass(cost, rate)
    with pytest.raises(UsageError):
        cost_normalised_accuracy(rate, cost)


def test_points_for_nothing_are_refused() -> None:
    """Where trials are free there are no points a dollar."""
    with pytest.raises(UsageError, match="cost is above 0"):
        cost_normalised_accuracy(0.5, 0.0)
