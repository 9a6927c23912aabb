"""Posterior means of pass^k, of a task and of a suite."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import bayes_pass_hat_k, bayes_suite, one_sided, posterior_at_least
from passhat.stats.bayes import BayesSuite


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"), [(10, 8, 3, 0.453297), (10, 10, 10, 0.523810), (5, 4, 5, 0.272727)]
)
def test_uniform_prior_gives_the_known_numbers(n: int, c: int, k: int, expected: float) -> None:
    """The posterior mean of p^k under the uniform prior agrees with the oracle table."""
    assert bayes_pass_hat_k(n, c, k) == pytest.approx(expected, abs=1e-6)


def test_posterior_mean_is_a_product_of_ratios() -> None:
    """For every n to 8, c and k, and two priors, it agrees with the Beta moment in exact fractions."""
    for a0, b0 in ((Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(1, 2))):
        cases = [(n, c, k) for n in range(1, 9) for c in range(n + 1) for k in range(1, n + 1)]
        for n, c, k in cases:
            expected = Fraction(1)
            for i in range(k):
                expected *= (a0 + c + i) / (a0 + b0 + n + i)
            got = bayes_pass_hat_k(n, c, k, prior=(float(a0), float(b0)))
            assert got == pytest.approx(float(expected), abs=1e-14)


def test_suite_gives_scorio_s_numbers() -> None:
    """The example of scorio, five trials of two tasks with three and four passes: pass^2 and pass^1."""
    two, one = bayes_suite(np.array([5, 5]), np.array([3, 4]), 2), bayes_suite(np.array([5, 5]), np.array([3, 4]), 1)

    assert (two.mean, two.sd) == pytest.approx((0.446429, 0.146167), abs=1e-6)
    assert (two.low, two.high) == pytest.approx((0.1599, 0.7329), abs=5e-5)
    assert (one.mean, one.sd) == pytest.approx((0.642857, 0.118451), abs=1e-6)


def test_suite_says_that_it_is_approximate() -> None:
    """The interval is labelled, so that nobody gates on it."""
    assert "approximate" in BayesSuite.method


@given(st.lists(st.integers(0, 10), min_size=1, max_size=10), st.integers(1, 10))
def test_suite_is_the_mean_of_its_tasks_within_its_interval(passes: list[int], k: int) -> None:
    """The suite's mean is that of the tasks' posterior means, and lies within the interval, which lies in [0, 1]."""
    n, c = np.full(len(passes), 10), np.array(passes)

    suite = bayes_suite(n, c, k)

    assert suite.mean == pytest.approx(bayes_pass_hat_k(n, c, k).mean(), abs=1e-14)
    assert 0 <= suite.low <= suite.mean <= suite.high <= 1
    assert suite.low < suite.high


@given(st.integers(1, 200), st.data())
def test_posterior_falls_with_k_and_rises_with_c(n: int, data: st.DataObject) -> None:
    """More trials that must all pass are less likely to, and more passes make it more so."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))

    if k < n:
        assert bayes_pass_hat_k(n, c, k + 1) < bayes_pass_hat_k(n, c, k)
    if c < n:
        assert bayes_pass_hat_k(n, c + 1, k) > bayes_pass_hat_k(n, c, k)


def test_posterior_of_many_trials_nears_the_rate() -> None:
    """With 10⁵ trials the prior is forgotten, and nothing overflows."""
    assert bayes_pass_hat_k(100_000, 90_000, 10) == pytest.approx(0.9**10, rel=1e-3)
    assert 0 <= bayes_pass_hat_k(100_000, 50_000, 100_000) < 1e-300


@pytest.mark.parametrize("prior", [(0.0, 1.0), (1.0, -1.0), (1.0,), (float("inf"), 1.0), (float("nan"), 1.0)])
def test_prior_out_of_range_is_refused(prior: tuple[float, float]) -> None:
    """A prior of other than two numbers above 0 is a usage error."""
    with pytest.raises(UsageError, match="prior is two numbers above 0"):
        bayes_pass_hat_k(10, 8, 3, prior=prior)


@pytest.mark.parametrize("k", [0, -1, 6])
def test_k_out_of_range_is_refused(k: int) -> None:
    """A k above n is refused here too: beyond the trials there is no data for it."""
    with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
        bayes_pass_hat_k(5, 4, k)
    with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
        bayes_suite(np.array([5, 9]), np.array([4, 9]), k)


@pytest.mark.parametrize("confidence", [0, 1, 1.5])
def test_confidence_out_of_range_is_refused(confidence: float) -> None:
    """A confidence of 0 or 1 has no interval."""
    with pytest.raises(UsageError, match="confidence is above 0 and below 1"):
        bayes_suite(np.array([5]), np.array([4]), 1, confidence=confidence)


@pytest.mark.parametrize(
    ("n", "c", "expected"),
    [(10, 9, 0.302643), (10, 10, 0.686189), (20, 20, 0.890581), (28, 28, 0.952899), (100, 95, 0.945810)],
)
def test_belief_in_nine_of_ten(n: int, c: int, expected: float) -> None:
    """How probable a rate of .9 or more is under the uniform prior agrees with the oracle table."""
    assert posterior_at_least(n, c, 0.9) == pytest.approx(expected, abs=1e-6)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_belief_without_a_failure_has_a_closed_form(n: int, line: float) -> None:
    """Where all passed, the uniform prior believes 1 - t^(n+1)."""
    assert posterior_at_least(n, n, line) == pytest.approx(1 - line ** (n + 1), abs=1e-10)


def test_belief_is_a_sum_of_binomial_terms() -> None:
    """For every n to 8, P(p ≥ t) is the chance of at most c passes in n+1 trials at rate t, in exact fractions."""
    line = Fraction(7, 10)
    cases = [(n, c) for n in range(1, 9) for c in range(n + 1)]
    for n, c in cases:
        expected = sum(comb(n + 1, x) * line**x * (1 - line) ** (n + 1 - x) for x in range(c + 1))
        assert posterior_at_least(n, c, 0.7) == pytest.approx(float(expected), abs=1e-14)


def test_belief_and_confidence_are_not_the_same() -> None:
    """28 of 28 make .9 more than 95 % probable, and are too few to show it with 95 % confidence."""
    assert posterior_at_least(28, 28, 0.9) > 0.95
    assert one_sided(28, 28)[0] < 0.9


def test_belief_takes_lines_and_counts_as_arrays() -> None:
    """Counts and lines are of one shape, as everywhere; the edges are certain."""
    assert posterior_at_least(np.array([10, 10]), np.array([0, 10]), np.array([0.0, 1.0])).tolist() == [1, 0]


@pytest.mark.parametrize("line", [-0.1, 1.1, float("nan")])
def test_line_that_is_no_rate_is_refused(line: float) -> None:
    """A rate is from 0 to 1."""
    with pytest.raises(UsageError, match="at_least, a rate, is from 0 to 1"):
        posterior_at_least(10, 8, line)
