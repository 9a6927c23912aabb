"""pass@k and pass^k: oracle numbers, exact enumeration, and laws."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import at_least_of_k, pass_at_k, pass_at_k_naive, pass_hat_k, pass_hat_k_naive
from passhat.stats.passk import hypergeometric

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


def exact(value: float, denominator: int) -> Fraction:
    """The fraction that *value* is the nearest float to; *denominator* is the largest that it may have."""
    found = Fraction(value).limit_denominator(denominator)
    assert float(found) == pytest.approx(value, abs=1e-15)
    return found


@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_both_are_unbiased(p: Fraction) -> None:
    """Σ binomial(n, c, p)·U_k(c) = p^k exactly, and the same for pass@k, for every n to 12 and every k ≤ n."""
    for n in range(1, 13):
        weights = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
        for k in range(1, n + 1):
            hat = [exact(pass_hat_k(n, c, k), comb(n, k)) for c in range(n + 1)]
            at = [exact(pass_at_k(n, c, k), comb(n, k)) for c in range(n + 1)]
            assert sum(weight * value for weight, value in zip(weights, hat, strict=True)) == p**k
            assert sum(weight * value for weight, value in zip(weights, at, strict=True)) == 1 - (1 - p) ** k


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


@pytest.mark.parametrize("k", [1, 7, 1000, 50_000, 99_999, 100_000])
def test_stable_at_many_trials(k: int) -> None:
    """At 10⁵ trials with one failure pass^k is (n-k)/n to ten digits: nothing overflows or cancels."""
    n = 100_000

    assert pass_hat_k(n, n - 1, k) == pytest.approx((n - k) / n, abs=1e-10)
    assert pass_at_k(n, 1, k) == pytest.approx(k / n, abs=1e-10)


def test_many_failures_and_large_k_agree_with_whole_numbers() -> None:
    """At 10⁵ trials, where k and the failures are both large, pass^k keeps its digits, however small it is."""
    n, c, k = 100_000, 99_000, 2_000

    expected = float(Fraction(comb(c, k), comb(n, k)))

    assert 0 < expected < 1e-8
    assert pass_hat_k(n, c, k) == pytest.approx(expected, rel=1e-11)
    assert pass_at_k(n, n - c, k) == pytest.approx(1 - expected, abs=1e-12)


def test_what_is_too_small_for_a_float_is_0() -> None:
    """Half the trials failed and k is half of them: pass^k is below any float, so it is 0 and pass@k is 1."""
    assert pass_hat_k(100_000, 50_000, 50_000) == 0
    assert pass_at_k(100_000, 50_000, 50_000) == 1


def test_at_least_of_k_gives_the_known_numbers() -> None:
    """Of ten trials with eight passes, three of four pass with .866667 and all four with .333333."""
    assert at_least_of_k(10, 8, 4, 3) == pytest.approx(0.866667, abs=1e-6)
    assert at_least_of_k(10, 8, 4, 4) == pytest.approx(0.333333, abs=1e-6)


def test_at_least_of_k_is_a_share_of_subsets() -> None:
    """For every n to 12, c, k and threshold it agrees with the definition in exact fractions."""
    cases = [
        (n, c, k, least) for n in range(1, 13) for c in range(n + 1) for k in range(1, n + 1) for least in range(k + 1)
    ]

    n, c, k, least = np.array(cases).T
    expected = [
        Fraction(sum(comb(c, x) * comb(n - c, k - x) for x in range(least, k + 1)), comb(n, k))
        for n, c, k, least in cases
    ]

    assert at_least_of_k(n, c, k, least) == pytest.approx(np.array(expected, dtype=float), abs=1e-13)


@given(counts())
def test_at_least_of_k_covers_both(drawn: tuple[int, int, int]) -> None:
    """With a threshold of 1 it is pass@k, with a threshold of k it is pass^k, and with 0 it is 1."""
    n, c, k = drawn

    assert at_least_of_k(n, c, k, 0) == pytest.approx(1, abs=1e-12)
    assert at_least_of_k(n, c, k, 1) == pytest.approx(pass_at_k(n, c, k), abs=1e-11)
    assert at_least_of_k(n, c, k, k) == pytest.approx(pass_hat_k(n, c, k), abs=1e-11)


@given(counts(), st.integers(1, 300))
def test_at_least_of_k_never_rises_with_the_threshold(drawn: tuple[int, int, int], least: int) -> None:
    """To ask for more passes is never easier."""
    n, c, k = drawn
    least = min(least, k)

    assert 0 <= at_least_of_k(n, c, k, least) <= at_least_of_k(n, c, k, least - 1) + 1e-12 <= 1 + 1e-12


def test_at_least_of_k_is_stable_at_many_trials() -> None:
    """At 10⁵ trials its ends are pass@k and pass^k to ten digits."""
    n, c, k = 100_000, 99_500, 1_000

    assert at_least_of_k(n, c, k, k) == pytest.approx(pass_hat_k(n, c, k), rel=1e-9)
    assert at_least_of_k(n, n - c, k, 1) == pytest.approx(pass_at_k(n, n - c, k), rel=1e-9)


@given(counts())
def test_chances_of_a_subset_are_a_distribution(drawn: tuple[int, int, int]) -> None:
    """The chances of what a random k-subset holds add up to 1, and their mean is k·c/n."""
    n, c, k = drawn

    passes, chance = hypergeometric(n, c, k)

    assert chance.sum() == pytest.approx(1, abs=1e-12)
    assert (passes * chance).sum() == pytest.approx(k * c / n, rel=1e-9)


@pytest.mark.parametrize(
    ("p", "k", "hat", "at"),
    [(0.9, 5, 0.59049, 0.99999), (0.9, 10, 0.348678, 1.0), (0.8, 5, 0.32768, 0.99968), (0.8, 10, 0.107374, 1.0)],
)
def test_naive_forms_give_the_known_numbers(p: float, k: int, hat: float, at: float) -> None:
    """The powers of a rate that a blog post on agent reliability and Vally print."""
    assert pass_hat_k_naive(p, k) == pytest.approx(hat, abs=1e-6)
    assert pass_at_k_naive(p, k) == pytest.approx(at, abs=1e-6)


def test_naive_form_says_how_often_ten_runs_go_wrong() -> None:
    """A 90 percent agent fails at least one of ten runs with .651, an 80 percent one with .893."""
    assert 1 - pass_hat_k_naive(0.9, 10) == pytest.approx(0.651, abs=5e-4)
    assert 1 - pass_hat_k_naive(0.8, 10) == pytest.approx(0.893, abs=5e-4)


@pytest.mark.parametrize(("p", "hat", "at"), [(0.8, 0.478, None), (0.2, None, 0.522)])
def test_naive_forms_are_biased_with_an_estimated_rate(p: float, hat: float | None, at: float | None) -> None:
    """With five trials and k = 5, pass^k comes out as .478 where .328 is true, pass@k as .522 where .672 is."""
    weights = [comb(5, c) * p**c * (1 - p) ** (5 - c) for c in range(6)]
    rates = np.arange(6) / 5

    if hat is not None:
        assert weights @ pass_hat_k_naive(rates, 5) == pytest.approx(hat, abs=5e-4)
    if at is not None:
        assert weights @ pass_at_k_naive(rates, 5) == pytest.approx(at, abs=5e-4)


@given(st.floats(0, 1), st.integers(1, 1000))
def test_naive_forms_mirror_each_other(p: float, k: int) -> None:
    """Some of k pass unless all fail; both stay within 0 and 1."""
    assert 0 <= pass_hat_k_naive(p, k) <= 1
    assert 0 <= pass_at_k_naive(p, k) <= 1
    assert pass_at_k_naive(p, k) == pytest.approx(1 - pass_hat_k_naive(1 - p, k), abs=1e-12)


def test_naive_pass_at_k_keeps_tiny_rates() -> None:
    """A rate of 1e-20 is not lost in 1 - p."""
    assert pass_at_k_naive(1e-20, 100) == pytest.approx(1e-18, rel=1e-12)


def test_scalars_give_a_float() -> None:
    """A number in is a plain number out."""
    assert type(pass_hat_k(10, 8, 3)) is float
    assert type(pass_at_k(10, 8, 3)) is float
    assert type(at_least_of_k(10, 8, 3, 2)) is float
    assert type(pass_hat_k_naive(0.8, 3)) is float
    assert type(pass_at_k_naive(0.8, 3)) is float


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


@pytest.mark.parametrize("least", [-1, 4, 1.5, float("nan")])
def test_threshold_out_of_range_is_refused(least: float) -> None:
    """At least 4 of 3, fewer than none, or half a trial: a usage error."""
    with pytest.raises(UsageError, match="at_least is a whole number from 0 to k"):
        at_least_of_k(10, 8, 3, np.array(least))


@pytest.mark.parametrize(
    ("p", "k", "says"),
    [
        (-0.1, 1, "p, the rate, is from 0 to 1"),
        (1.1, 1, "p, the rate, is from 0 to 1"),
        (float("nan"), 1, "p, the rate, is from 0 to 1"),
        (0.5, 0, "k is a whole number from 1"),
        (0.5, -1, "k is a whole number from 1"),
        (0.5, 1.5, "k is a whole number from 1"),
    ],
)
def test_naive_forms_refuse_what_is_out_of_range(p: float, k: int, says: str) -> None:
    """A rate beyond 0 and 1, or a k below 1, is a usage error that names the range."""
    for estimator in (pass_hat_k_naive, pass_at_k_naive):
        with pytest.raises(UsageError, match=says):
            estimator(p, k)
