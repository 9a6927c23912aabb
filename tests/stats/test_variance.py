"""How much pass^k varies: oracle numbers, exact enumeration, and what is refused."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import exact_variance, pass_hat_k, standard_error, variance_pass_hat_k
from passhat.stats.suite_table import smoothed_variances, suite_table, unbiased_variances
from passhat.stats.variance import overlaps

RATES = (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(9, 10), Fraction(1))


def weights(n: int, p: Fraction) -> list[Fraction]:
    """The exact probability of each number of passes."""
    return [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]


def share(n: int, c: int, k: int) -> Fraction:
    """pass^k in exact fractions."""
    return Fraction(comb(c, k), comb(n, k))


def test_known_numbers() -> None:
    """The estimate for 8 of 10 at k = 3, and the truth at a rate of .8."""
    assert variance_pass_hat_k(10, 8, 3) == pytest.approx(0.084444, abs=1e-6)
    assert exact_variance(10, 0.8, 3) == pytest.approx(0.062293, abs=1e-6)


def test_standard_errors_give_the_known_numbers() -> None:
    """Four tasks of four trials at k = 2: over tasks like these, and over just these."""
    n, c = [4, 4, 4, 4], [4, 3, 1, 0]

    assert standard_error(n, c, 2, tasks="like-these") == pytest.approx(0.239357, abs=1e-6)
    assert standard_error(n, c, 2) == standard_error(n, c, 2, tasks="these") == pytest.approx(0.125, abs=1e-6)


@pytest.mark.parametrize("p", RATES)
def test_exact_variance_is_the_enumerated_one(p: Fraction) -> None:
    """For every n to 12 and every k it is E[U²] - E[U]² over all outcomes, in exact fractions."""
    for n in range(1, 13):
        ks = np.arange(1, n + 1)
        expected = [
            float(sum(w * share(n, c, k) ** 2 for c, w in enumerate(weights(n, p))) - p ** (2 * k))
            for k in range(1, n + 1)
        ]

        assert exact_variance(np.full(n, n), np.full(n, float(p)), ks) == pytest.approx(np.array(expected), abs=1e-13)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9, 0.99])
def test_estimated_variance_is_unbiased(p: float) -> None:
    """Its mean over all outcomes is the exact variance, for every n to 12 and every k to n/2."""
    for n in range(2, 13):
        passes = np.arange(n + 1)
        probabilities = np.array([float(w) for w in weights(n, Fraction(p))])
        for k in range(1, n // 2 + 1):
            estimates = variance_pass_hat_k(np.full(n + 1, n), passes, k)

            assert probabilities @ estimates == pytest.approx(exact_variance(float(n), p, k), abs=1e-13)


@given(st.integers(1, 100_000), st.floats(0, 1), st.data())
def test_variance_law(n: int, p: float, data: st.DataObject) -> None:
    """It is never negative, and never more than k/n of what one draw of that probability has."""
    k = data.draw(st.integers(1, min(n, 50)))
    whole = p**k

    assert -1e-15 <= exact_variance(float(n), p, k) <= k / n * whole * (1 - whole) + 1e-12


def test_few_failures_in_many_trials_keep_their_digits() -> None:
    """At n = 100 000 and a rate of 1 - 1/n it is k²·p^(2k-1)·(1-p)/n, to the order that this leaves out."""
    n, k, p = 100_000, 100, 1 - 1e-5

    assert exact_variance(float(n), p, k) == pytest.approx(k**2 * p ** (2 * k - 1) * (1 - p) / n, rel=1e-4)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=9), st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_matrices_give_the_variance_of_each_row(passes: list[int], ks: list[int]) -> None:
    """The smoothed variances of all rows at all k's are those of each row by itself, n equal or not."""
    n = np.array([20 + 3 * (i % 3) for i in range(len(passes))])
    suite = suite_table(n, np.array(passes), ks)

    expected = [exact_variance(suite.n, (suite.c + 0.5) / (suite.n + 1), k) for k in ks]

    assert pytest.approx(np.array(expected), rel=1e-9) == smoothed_variances(suite).T


@given(st.lists(st.integers(0, 20), min_size=1, max_size=9), st.integers(1, 10))
def test_table_gives_the_unbiased_variance(passes: list[int], k: int) -> None:
    """From the table of counts it is what it is task by task."""
    n = np.full(len(passes), 20)

    suite = suite_table(n, np.array(passes), [k])

    error = np.sqrt(suite.tasks @ unbiased_variances(suite)) / len(passes)
    assert error == pytest.approx([standard_error(n, np.array(passes), k)], abs=1e-12)


def test_table_holds_every_task_once() -> None:
    """Distinct counts in order, with how many tasks have each: also where they are far apart."""
    near = suite_table([4, 4, 4, 3], [3, 4, 3, 3], np.array([2]))
    far = suite_table([100_000, 4, 100_000], [99_999, 4, 99_999], np.array([2]))

    assert (near.n.tolist(), near.c.tolist(), near.tasks.tolist()) == ([3, 4, 4], [3, 3, 4], [1, 2, 1])
    assert (far.n.tolist(), far.c.tolist(), far.tasks.tolist()) == ([4, 100_000], [4, 99_999], [1, 2])
    assert far.shares[:, 0] == pytest.approx(pass_hat_k(far.n, far.c, 2), rel=1e-12)


def test_overlaps_are_shares() -> None:
    """Two halves of ten trials have as many trials in common, or more, as often as one can count."""
    counted = [sum(comb(5, i) * comb(5, 5 - i) for i in range(j, 6)) / comb(10, 5) for j in range(6)]

    assert overlaps(np.array(10.0), np.array(5.0), 5) == pytest.approx(np.array(counted), abs=1e-15)
    assert overlaps(np.array(3.0), np.array(3.0), 4).tolist() == [1, 1, 1, 1, 0]


def test_what_has_no_variance_is_refused() -> None:
    """2k trials are needed to see how much k of them vary; a rate is from 0 to 1; a spread needs two tasks."""
    with pytest.raises(
        UsageError, match="k is at most n/2, since 2k trials tell how much k of them vary, not n=5, k=3"
    ):
        variance_pass_hat_k(5, 4, 3)
    with pytest.raises(UsageError, match=r"p, a rate, is from 0 to 1, not p=1\.5"):
        exact_variance(10, 1.5, 3)
    with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
        exact_variance(10, 0.5, 11)
    with pytest.raises(UsageError, match="a spread between tasks needs 2 of them, not tasks=1"):
        standard_error([4], [3], 2, tasks="like-these")
    with pytest.raises(UsageError, match="one number a task and 1 or more"):
        standard_error([], [], 2)
    with pytest.raises(UsageError, match="there is no kind of tasks called 'all': there are these, like-these"):
        standard_error([4], [3], 2, tasks="all")
