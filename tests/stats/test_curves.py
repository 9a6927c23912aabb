"""Means over a suite for every k at once, and the table of distinct counts that they stand on."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import count_table, pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
from passhat.stats.arrays import Array


@st.composite
def suites(draw: st.DrawFn) -> tuple[Array, Array, int]:
    """Trials and passes of some tasks, and a k that all have trials for."""
    n = draw(st.lists(st.integers(1, 30), min_size=1, max_size=12))
    c = [draw(st.integers(0, each)) for each in n]
    return np.array(n), np.array(c), draw(st.integers(1, min(n)))


@given(suites())
def test_curves_are_the_mean_of_each_k(suite: tuple[Array, Array, int]) -> None:
    """A curve holds, for every k, the mean over the tasks, and never a pooled count; tasks may differ in n."""
    n, c, upto = suite

    hat = [pass_hat_k(n, c, k).mean() for k in range(1, upto + 1)]
    at = [pass_at_k(n, c, k).mean() for k in range(1, upto + 1)]

    assert pass_hat_curve(n, c, upto).tolist() == pytest.approx(hat, abs=1e-12)
    assert pass_at_curve(n, c, upto).tolist() == pytest.approx(at, abs=1e-12)


def test_curves_agree_with_fractions() -> None:
    """For a suite of unequal n the means are those of exact fractions."""
    n, c, upto = [12, 12, 12, 7, 9], [12, 8, 0, 5, 9], 7

    hat = [sum(Fraction(comb(b, k), comb(a, k)) for a, b in zip(n, c, strict=True)) / 5 for k in range(1, upto + 1)]
    at = [
        1 - sum(Fraction(comb(a - b, k), comb(a, k)) for a, b in zip(n, c, strict=True)) / 5 for k in range(1, upto + 1)
    ]

    assert pass_hat_curve(np.array(n), np.array(c), upto) == pytest.approx(np.array(hat, dtype=float), abs=1e-14)
    assert pass_at_curve(np.array(n), np.array(c), upto) == pytest.approx(np.array(at, dtype=float), abs=1e-14)


@given(suites(), st.integers(0, 99))
def test_order_of_the_tasks_says_nothing(suite: tuple[Array, Array, int], seed: int) -> None:
    """Tasks in another order give the same curves, to the last bit."""
    n, c, upto = suite
    order = np.random.default_rng(seed).permutation(n.size)

    assert pass_hat_curve(n[order], c[order], upto).tolist() == pass_hat_curve(n, c, upto).tolist()
    assert pass_at_curve(n[order], c[order], upto).tolist() == pass_at_curve(n, c, upto).tolist()


@given(suites())
def test_curves_keep_the_order_law(suite: tuple[Array, Array, int]) -> None:
    """0 ≤ pass^k ≤ pass^1 = pass@1 ≤ pass@k ≤ 1; pass^k never rises with k, and pass@k never falls."""
    n, c, upto = suite

    hat, at = pass_hat_curve(n, c, upto), pass_at_curve(n, c, upto)

    assert hat[0] == at[0]
    assert (np.diff(hat) <= 0).all()
    assert (np.diff(at) >= 0).all()
    assert hat.min() >= 0
    assert at.max() <= 1


@given(st.lists(st.integers(0, 7), min_size=1, max_size=30))
def test_first_value_is_the_nearest_float_where_n_is_equal(passes: list[int]) -> None:
    """With equal n, pass^1 and pass@1 are all passes over all trials, divided once."""
    n, c = np.full(len(passes), 7), np.array(passes)

    assert pass_hat_curve(n, c, 3)[0] == pass_at_curve(n, c, 3)[0] == sum(passes) / (7 * len(passes))


@given(suites())
def test_table_counts_every_task_once(suite: tuple[Array, Array, int]) -> None:
    """Repeating each row of the table as often as it says gives the tasks back, sorted."""
    n, c, _ = suite

    table = count_table(n, c)

    rows = np.repeat(np.stack([table.n, table.c]), table.tasks, axis=1)
    assert rows.T.tolist() == sorted([*row] for row in zip(n.tolist(), c.tolist(), strict=True))


def test_table_of_thinly_spread_counts() -> None:
    """Counts that lie too far apart for a histogram are sorted instead, with the same answer."""
    n = np.array([10**9, 3, 10**9, 10**12])

    table = count_table(n, np.array([10**8, 2, 10**8, 0]))

    assert [column.tolist() for column in table] == [[3, 10**9, 10**12], [2, 10**8, 0], [1, 2, 1]]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64])
def test_any_kind_of_whole_numbers_will_do(kind: type) -> None:
    """Small, unsigned and floating numbers are counted like others: nothing wraps around."""
    n: Array = np.array([100, 100, 90], dtype=kind)
    c: Array = np.array([99, 0, 90], dtype=kind)

    assert [column.tolist() for column in count_table(n, c)] == [[90, 100, 100], [90, 0, 99], [1, 1, 1]]
    assert pass_hat_curve(n, c, 3).tolist() == pytest.approx([pass_hat_k(n, c, k).mean() for k in (1, 2, 3)])


def test_one_n_for_all_tasks_may_be_a_number() -> None:
    """Where all tasks have as many trials, n may be given once."""
    assert [column.tolist() for column in count_table(np.array(10), np.array([8, 8, 9]))] == [[10, 10], [8, 9], [2, 1]]


def test_curves_reach_all_trials_of_many() -> None:
    """A curve may go up to every k of thousands of trials, in bounded memory."""
    n, c = np.array([5_000] * 400), np.arange(4_600, 5_000)

    curve = pass_hat_curve(n, c, 5_000)

    assert curve[[0, 99, 4_999]].tolist() == pytest.approx([pass_hat_k(n, c, k).mean() for k in (1, 100, 5_000)])


@pytest.mark.parametrize(
    ("n", "c", "upto", "says"),
    [
        ([5, 4], [3, 5], 1, "c, the passes, is a whole number from 0 to n, not n=4, c=5"),
        ([5, 4], [3, -1], 1, "c, the passes, is a whole number from 0 to n, not n=4, c=-1"),
        ([5, 0], [3, 0], 1, "n, the trials, is a whole number from 1, not n=0"),
        ([5, 4.5], [3, 2], 1, "n, the trials, is a whole number from 1, not n=4.5"),
        ([5, 4], [3, float("nan")], 1, "n, the trials, is a whole number from 1, not n=4, c=nan"),
        ([5, 4], [3, 4], 5, "k is a whole number from 1 to n, not n=4, k=5"),
        ([5, 4], [3, 4], 0, "k is a whole number from 1 to n"),
        ([5, 4], [3, 4, 1], 1, "of one shape"),
        ([], [], 1, "one number a task and 1 or more, not 0"),
        ([[5, 4]], [[3, 4]], 1, "one number a task and 1 or more, not an array of 2 dimensions"),
        ([2.0**60], [1], 1, "below 2.53"),
    ],
)
def test_what_is_out_of_range_is_refused(n: list[float], c: list[float], upto: int, says: str) -> None:
    """The first task that is out of range is shown, with the range."""
    for curve in (pass_hat_curve, pass_at_curve):
        with pytest.raises(UsageError, match=says):
            curve(np.array(n), np.array(c), upto)
