"""pass@k and pass^k: oracle numbers, exact enumeration, and laws."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k

# (n, c, k) and the value, as printed in the sources of the formulas and checked by hand.
PASS_HAT = {
    (10, 8, 1): 0.8,
    (10, 8, 2): 0.622222,
    (10, 8, 3): 0.466667,
    (10, 8, 5): 0.222222,
    (10, 8, 8): 0.022222,
    (10, 8, 9): 0.0,
    (5, 4, 4): 0.2,
    (5, 4, 5): 0.0,
    (5, 3, 2): 0.3,
    (4, 3, 2): 0.5,
}
PASS_AT = {
    (5, 3, 2): 0.9,
    (10, 1, 1): 0.1,
    (10, 0, 3): 0.0,
    (4, 3, 2): 1.0,
    (10, 8, 2): 0.977778,
    (10, 8, 3): 1.0,
    (5, 3, 5): 1.0,
}


@st.composite
def counts(draw: st.DrawFn, most: int = 300) -> tuple[int, int, int]:
    """Trials, passes and k as they may occur."""
    n = draw(st.integers(1, most))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@pytest.mark.parametrize(("given_counts", "expected"), PASS_HAT.items())
def test_pass_hat_k_gives_the_known_numbers(given_counts: tuple[int, int, int], expected: float) -> None:
    """pass^k agrees with the oracle table."""
    assert pass_hat_k(*given_counts) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("given_counts", "expected"), PASS_AT.items())
def test_pass_at_k_gives_the_known_numbers(given_counts: tuple[int, int, int], expected: float) -> None:
    """pass@k agrees with the oracle table."""
    assert pass_at_k(*given_counts) == pytest.approx(expected, abs=1e-6)


def test_both_are_ratios_of_binomial_coefficients() -> None:
    """For every n to 12, every c and every k, both agree with the definition in exact fractions."""
    cases = [(n, c, k) for n in range(1, 13) for c in range(n + 1) for k in range(1, n + 1)]

    n, c, k = np.array(cases).T
    hat = [Fraction(comb(c, k), comb(n, k)) for n, c, k in cases]
    at = [1 - Fraction(comb(n - c, k), comb(n, k)) for n, c, k in cases]

    assert pass_hat_k(n, c, k) == pytest.approx(np.array(hat, dtype=float), abs=1e-13)
    assert pass_at_k(n, c, k) == pytest.approx(np.array(at, dtype=float), abs=1e-13)


@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_both_are_unbiased(p: Fraction) -> None:
    """Σ binomial(n, c, p)·U_k(c) = p^k, and the same for pass@k, for every n to 12 and every k ≤ n."""
    for n in range(1, 13):
        weights = [float(comb(n, c) * p**c * (1 - p) ** (n - c)) for c in range(n + 1)]
        for k in range(1, n + 1):
            hat = sum(weight * pass_hat_k(n, c, k) for c, weight in enumerate(weights))
            at = sum(weight * pass_at_k(n, c, k) for c, weight in enumerate(weights))
            assert hat == pytest.approx(float(p**k), abs=1e-12)
            assert at == pytest.approx(float(1 - (1 - p) ** k), abs=1e-12)


@given(counts())
def test_order_law(drawn: tuple[int, int, int]) -> None:
    """0 ≤ pass^k ≤ pass^1 ≤ pass@k ≤ 1."""
    n, c, k = drawn

    assert 0 <= pass_hat_k(n, c, k) <= c / n <= pass_at_k(n, c, k) <= 1


@given(counts())
def test_identity_law(drawn: tuple[int, int, int]) -> None:
    """At k = 1 both are the share of passes, to the last bit."""
    n, c, _ = drawn

    assert pass_hat_k(n, c, 1) == pass_at_k(n, c, 1) == c / n


@given(counts())
def test_monotony_law(drawn: tuple[int, int, int]) -> None:
    """In k, pass^k never rises and pass@k never falls; in c, neither falls."""
    n, c, k = drawn
    if k < n:
        assert pass_hat_k(n, c, k + 1) <= pass_hat_k(n, c, k)
        assert pass_at_k(n, c, k + 1) >= pass_at_k(n, c, k) - 1e-12
    if c < n:
        assert pass_hat_k(n, c + 1, k) >= pass_hat_k(n, c, k)
        assert pass_at_k(n, c + 1, k) >= pass_at_k(n, c, k) - 1e-12


@given(counts())
def test_mirror_law(drawn: tuple[int, int, int]) -> None:
    """Some of k pass unless all of k fail: pass@k(c) = 1 - pass^k(n - c)."""
    n, c, k = drawn

    assert pass_at_k(n, c, k) == pytest.approx(1 - pass_hat_k(n, n - c, k), abs=1e-12)


@given(st.lists(counts(most=40), min_size=1, max_size=8))
def test_arrays_give_what_scalars_give(drawn: list[tuple[int, int, int]]) -> None:
    """An array in is an array out, each place as if it were given alone."""
    n, c, k = np.array(drawn).T

    assert pass_hat_k(n, c, k).tolist() == pytest.approx([pass_hat_k(*each) for each in drawn])
    assert pass_at_k(n, c, k).tolist() == pytest.approx([pass_at_k(*each) for each in drawn])


@given(st.lists(st.integers(0, 12), min_size=1, max_size=8), st.integers(1, 12))
def test_curves_are_the_mean_of_each_k(passes: list[int], upto: int) -> None:
    """A curve holds, for every k, the mean over the rows, and never a pooled count."""
    c = np.array(passes)
    n = np.full(len(passes), 12)

    hat = [pass_hat_k(n, c, k).mean() for k in range(1, upto + 1)]
    at = [pass_at_k(n, c, k).mean() for k in range(1, upto + 1)]

    assert pass_hat_curve(n, c, upto).tolist() == pytest.approx(hat, abs=1e-12)
    assert pass_at_curve(n, c, upto).tolist() == pytest.approx(at, abs=1e-12)


@pytest.mark.parametrize("k", [1, 7, 1000, 50_000, 99_999, 100_000])
def test_stable_at_many_trials(k: int) -> None:
    """At 10⁵ trials with one failure pass^k is (n-k)/n to ten digits: nothing overflows or cancels."""
    n = 100_000

    assert pass_hat_k(n, n - 1, k) == pytest.approx((n - k) / n, abs=1e-10)
    assert pass_at_k(n, 1, k) == pytest.approx(k / n, abs=1e-10)


def test_scalars_give_a_float() -> None:
    """A number in is a plain number out."""
    assert type(pass_hat_k(10, 8, 3)) is float
    assert type(pass_at_k(10, 8, 3)) is float


@pytest.mark.parametrize(
    ("n", "c", "k", "says"),
    [
        (5, 3, 6, "k is a whole number from 1 to n, not n=5, k=6"),
        (5, 3, 0, "k is a whole number from 1 to n"),
        (5, 3, -1, "k is a whole number from 1 to n"),
        (5, 6, 1, "c, the passes, is a whole number from 0 to n, not n=5, c=6"),
        (5, -1, 1, "c, the passes, is a whole number from 0 to n"),
        (0, 0, 1, "n, the trials, is a whole number from 1"),
        (-5, 0, 1, "n, the trials, is a whole number from 1"),
        (5.5, 3, 1, "n, the trials, is a whole number from 1"),
        (float("nan"), 3, 1, "n, the trials, is a whole number from 1"),
        (float("inf"), 3, 1, "n, the trials, is a whole number from 1"),
    ],
)
def test_what_is_out_of_range_is_refused(n: float, c: int, k: int, says: str) -> None:
    """Bad counts are a usage error that names the range; k > n is never 0 or 1."""
    for estimator in (pass_hat_k, pass_at_k):
        with pytest.raises(UsageError, match=says):
            estimator(n, c, k)


def test_one_bad_row_is_named() -> None:
    """In an array the first place that is out of range is shown."""
    with pytest.raises(UsageError, match="not n=3, k=5"):
        pass_hat_k(np.array([9, 3]), np.array([9, 3]), 5)


def test_arrays_of_unlike_shape_are_refused() -> None:
    """Arrays that do not fit each other are a usage error."""
    with pytest.raises(UsageError, match="of one shape"):
        pass_hat_k(np.array([9, 3]), np.array([9, 3, 1]), 1)
