"""Run counts for a claim: the known numbers, the bound they reach, and exact fractions."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import one_sided, runs_for_pass_hat_k, zero_failure_runs


@pytest.mark.parametrize(("at_least", "runs"), [(0.8, 14), (0.9, 29), (0.95, 59), (0.99, 299), (0.999, 2995)])
def test_runs_without_a_failure(at_least: float, runs: int) -> None:
    """So many runs without a failure prove the rate: the lower bound reaches it, and with one run less it does not."""
    assert zero_failure_runs(at_least) == runs
    assert one_sided(runs, runs)[0] >= at_least > one_sided(runs - 1, runs - 1)[0]


@pytest.mark.parametrize(("k", "at_least", "runs"), [(10, 0.9, 285), (5, 0.9, 143), (5, 0.8, 68)])
def test_runs_for_a_pass_hat_k(k: int, at_least: float, runs: int) -> None:
    """The known counts for a claim about pass^k."""
    assert runs_for_pass_hat_k(k, at_least) == runs


@given(st.integers(1, 10), st.floats(0.3, 0.99), st.integers(0, 30), st.floats(0.5, 0.99))
def test_count_reaches_the_claim_and_no_more(k: int, at_least: float, failures: int, confidence: float) -> None:
    """With so many failures the lower bound to the power of k reaches the claim, and one run less does not."""
    runs = runs_for_pass_hat_k(k, at_least, confidence=confidence, failures=failures)

    assert one_sided(runs - failures, runs, confidence=confidence)[0] ** k >= at_least * (1 - 1e-9)
    if runs > max(k, failures + 1):
        fewer = one_sided(runs - 1 - failures, runs - 1, confidence=confidence)[0]
        assert fewer**k < at_least * (1 + 1e-9)


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_count_is_that_of_exact_fractions(failures: int) -> None:
    """For a rate of one half the count is found by adding up exact probabilities."""
    half, surprise = Fraction(1, 2), Fraction(1, 10)

    def chance(n: int) -> Fraction:
        return sum((comb(n, i) * half**n for i in range(failures + 1)), Fraction(0))

    least = next(n for n in range(1, 40) if chance(n) <= surprise)

    assert runs_for_pass_hat_k(1, 0.5, confidence=0.9, failures=failures) == least


def test_many_failures_are_counted_too() -> None:
    """Hundreds of failures underflow nothing: the lower bound still reaches the claim."""
    runs = runs_for_pass_hat_k(1, 0.5, failures=2000)

    assert one_sided(runs - 2000, runs)[0] >= 0.5 > one_sided(runs - 2001, runs - 1)[0]


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"k": 0, "at_least": 0.9}, "k is a whole number from 1, not k=0"),
        ({"k": -2, "at_least": 0.9}, "k is a whole number from 1, not k=-2"),
        ({"k": 5, "at_least": 1}, "at_least is above 0 and below 1, not at_least=1"),
        ({"k": 5, "at_least": 0.9, "confidence": 1}, "confidence is above 0 and below 1, not confidence=1"),
        ({"k": 5, "at_least": 0.9, "failures": -1}, "failures is a whole number from 0, not failures=-1"),
        ({"k": 5, "at_least": 0.9, "failures": 10**6}, "failures is at most 10,000, not failures=1000000"),
    ],
)
def test_what_is_out_of_range_is_refused(given_: dict[str, float], says: str) -> None:
    """Bad input is a usage error that names the range."""
    with pytest.raises(UsageError, match=says):
        runs_for_pass_hat_k(**given_)  # type: ignore[arg-type]  # values of several kinds, some wrong
