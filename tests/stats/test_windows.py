"""Windows of trials in a row, the truth table over them, and what was observed as a whole."""

from itertools import product
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    observed_pass_at,
    observed_pass_hat,
    pass_at_k,
    pass_at_k_window,
    pass_hat_k,
    pass_hat_k_window,
    window_table,
)
from passhat.stats.arrays import Outcomes

# Ten trials with eight passes, in the order in which TraceLens shows them.
TEN = [True, True, False, True, True, True, False, True, True, True]


@pytest.mark.parametrize(("k", "expected"), [(1, 0.8), (2, 5 / 9), (3, 2 / 8), (5, 0)])
def test_windows_of_the_worked_example(k: int, expected: float) -> None:
    """TraceLens's figures for its ten trials are those of the window."""
    assert pass_hat_k_window(TEN, k) == expected


def test_order_of_ten_trials_decides_the_window() -> None:
    """With eight passes of ten, windows of five give from 0 to .667, and 6 of the 45 orders give TraceLens's row."""
    orders = [[j not in failed for j in range(10)] for failed in product(range(10), repeat=2) if failed[0] < failed[1]]

    shares = [pass_hat_k_window(order, 5) for order in orders]
    rows = [tuple(pass_hat_k_window(order, k) for k in (1, 2, 3, 5)) for order in orders]

    assert (min(shares), max(shares)) == (0, 4 / 6)
    assert rows.count((0.8, 5 / 9, 2 / 8, 0.0)) == 6


@pytest.mark.parametrize("k", [1, 2, 3, 5, 6])
def test_mean_over_all_orders_is_the_unbiased_estimate(k: int) -> None:
    """Averaged over the orders of six trials, the windows' shares are pass^k and pass@k."""
    for c in range(7):
        orders = [order for order in product([False, True], repeat=6) if sum(order) == c]
        assert mean(pass_hat_k_window(order, k) for order in orders) == pytest.approx(pass_hat_k(6, c, k), abs=1e-12)
        assert mean(pass_at_k_window(order, k) for order in orders) == pytest.approx(pass_at_k(6, c, k), abs=1e-12)


def test_truth_table_shows_the_gap() -> None:
    """Any pass counts for pass@3, all passes for pass^3; the rows between are the flakiness."""
    table = window_table([1, 1, 1, 0, 1, 1, 0, 0, 0], 3)

    assert [
        ("".join("FP"[passed] for passed in row.pattern), row.any_passed, row.all_passed, row.windows) for row in table
    ] == [
        ("PPP", True, True, 1),
        ("PPF", True, False, 2),
        ("PFP", True, False, 1),
        ("PFF", True, False, 1),
        ("FPP", True, False, 1),
        ("FFF", False, False, 1),
    ]


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.data())
def test_table_adds_up_to_the_shares(outcomes: list[bool], data: st.DataObject) -> None:
    """The table's windows are all there are, and those that count give the two shares; pass^k ≤ pass@k."""
    k = data.draw(st.integers(1, len(outcomes)))

    table = window_table(outcomes, k)

    windows = sum(row.windows for row in table)
    assert windows == len(outcomes) - k + 1
    assert sum(row.windows for row in table if row.all_passed) / windows == pass_hat_k_window(outcomes, k)
    assert sum(row.windows for row in table if row.any_passed) / windows == pass_at_k_window(outcomes, k)
    assert pass_hat_k_window(outcomes, k) <= pass_at_k_window(outcomes, k)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_observed_values_are_the_window_of_all(outcomes: list[bool]) -> None:
    """What was observed is the one window of all trials, and the unbiased estimate at k = n."""
    n, c = len(outcomes), sum(outcomes)

    assert observed_pass_hat(outcomes) == pass_hat_k_window(outcomes, n) == pass_hat_k(n, c, n)
    assert observed_pass_at(outcomes) == pass_at_k_window(outcomes, n) == pass_at_k(n, c, n)


@pytest.mark.parametrize("given_as", [[1, 0, 1], (1.0, 0.0, 1.0), np.array([1, 0, 1]), np.array([True, False, True])])
def test_outcomes_may_be_booleans_or_numbers(given_as: Outcomes) -> None:
    """Lists, tuples and arrays of booleans, or of 1 and 0, are one thing."""
    assert pass_hat_k_window(given_as, 1) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "outcomes",
    [
        [],
        [2, 0],
        [0.5],
        [float("nan")],
        ["P", "F"],
        "PF",
        [True, None],
        [[True], [True, False]],
        [[True, False]],
        None,
        True,
        {True, False},
        [10**30],
    ],
)
def test_other_outcomes_are_refused(outcomes: Outcomes) -> None:
    """Anything but a list of booleans, or of 1 and 0, is a usage error that says so."""
    for statistic in (observed_pass_hat, observed_pass_at):
        with pytest.raises(UsageError, match=r"a list of True and False \(or 1 and 0\), one a trial and at least one"):
            statistic(outcomes)


@pytest.mark.parametrize("k", [0, -1, 4, 1.5, 2.0])
def test_window_that_does_not_fit_is_refused(k: int) -> None:
    """A window has from 1 trial to all of them."""
    for statistic in (pass_hat_k_window, pass_at_k_window, window_table):
        with pytest.raises(UsageError, match="k is a whole number from 1 to the 3 outcomes, not"):
            statistic([True, False, True], k)
