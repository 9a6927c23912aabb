"""The beta-binomial: from moments, by likelihood, and what it says beyond the trials."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln

from passhat.errors import UsageError
from passhat.stats import (
    BetaBinomial,
    beta_binomial_from_moments,
    extrapolate_pass_hat_k,
    fit_beta_binomial,
    pass_hat_curve,
)
from passhat.stats.arrays import Array

# pass^1 … pass^4 as published in the README of τ-bench (github.com/sierra-research/tau-bench).
TAU_BENCH = {
    "retail, claude-3-5-sonnet-20241022": (0.692, 0.576, 0.509, 0.462),
    "retail, gpt-4o": (0.604, 0.491, 0.430, 0.383),
    "airline, claude-3-5-sonnet-20241022": (0.460, 0.326, 0.263, 0.225),
    "airline, gpt-4o": (0.420, 0.273, 0.220, 0.200),
}


def likelihood(n: Array, c: Array, fit: BetaBinomial) -> float:
    """The logarithm of the probability of these counts, in Beta functions; ρ = 0 is a binomial."""
    if not fit.rho:
        return float((c * np.log(fit.mean) + (n - c) * np.log(1 - fit.mean)).sum())
    return float((betaln(fit.a + c, fit.b + n - c) - betaln(fit.a, fit.b)).sum())


def test_moments_give_the_known_parameters() -> None:
    """Of pass^1 = .692 and pass^2 = .576: ρ .4557, a .8264, b .3678."""
    fit = beta_binomial_from_moments(0.692, 0.576)

    assert (fit.rho, fit.a, fit.b) == pytest.approx((0.4557, 0.8264, 0.3678), abs=5e-5)


@pytest.mark.parametrize(("k", "expected"), [(1, 0.692), (2, 0.576), (3, 0.5097), (4, 0.4650), (8, 0.3683)])
def test_extrapolation_gives_the_known_numbers(k: int, expected: float) -> None:
    """The moments come back at k = 1 and 2; pass^3, pass^4 and pass^8 agree with the oracle table."""
    assert extrapolate_pass_hat_k(beta_binomial_from_moments(0.692, 0.576), k) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("row", TAU_BENCH.values(), ids=TAU_BENCH)
def test_published_rows_are_met(row: tuple[float, ...]) -> None:
    """From pass^1 and pass^2 of τ-bench's table, pass^4 is met to .0354; independence misses by .10 or more."""
    fit = beta_binomial_from_moments(row[0], row[1])

    assert abs(extrapolate_pass_hat_k(fit, 4) - row[3]) <= 0.0354
    assert abs(row[0] ** 4 - row[3]) >= 0.1


def test_extrapolation_is_labelled() -> None:
    """What it says is a model's word, and its name for a report says so."""
    assert "model-extrapolated" in beta_binomial_from_moments(0.692, 0.576).method


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 200))
def test_model_lies_between_one_coin_and_fixed_tasks(mean: float, rho: float, k: int) -> None:
    """mean^k ≤ pass^k ≤ mean, falling with k: tasks that differ make a suite more reliable than its mean rate."""
    fit = BetaBinomial(mean, rho)

    assert mean**k - 1e-12 <= extrapolate_pass_hat_k(fit, k) <= mean
    assert extrapolate_pass_hat_k(fit, k + 1) <= extrapolate_pass_hat_k(fit, k)
    assert extrapolate_pass_hat_k(fit, 1) == mean


@pytest.mark.parametrize(
    ("m1", "m2", "rho", "a", "b"),
    [
        (1.0, 1.0, 0, float("inf"), 0),
        (0.0, 0.0, 0, 0, float("inf")),
        (0.5, 0.5, 1, 0, 0),
        (0.5, 0.25, 0, float("inf"), float("inf")),
        (0.5, 0.2, 0, float("inf"), float("inf")),
    ],
)
def test_edges_of_the_moments(m1: float, m2: float, rho: float, a: float, b: float) -> None:
    """All pass, none, fixed tasks, equal tasks, and less spread than chance: all have parameters, and none is NaN."""
    fit = beta_binomial_from_moments(m1, m2)

    assert (fit.mean, fit.rho, fit.a, fit.b) == (m1, rho, a, b)


def test_extrapolation_takes_arrays_and_great_k() -> None:
    """An array in is an array out, and a hundred thousand trials are no trouble."""
    curve = extrapolate_pass_hat_k(beta_binomial_from_moments(0.692, 0.576), np.array([1, 2, 100_000]))

    assert curve[:2].tolist() == pytest.approx([0.692, 0.576])
    assert 0 < curve[2] < 0.02


@pytest.mark.parametrize("seed", range(6))
def test_fit_is_the_likeliest(seed: int) -> None:
    """No neighbour, near or far, makes the counts likelier, for tasks with unequal n."""
    dice = np.random.default_rng(seed)
    n = dice.integers(3, 12, 30)
    c = dice.binomial(n, dice.beta(dice.uniform(0.3, 4), dice.uniform(0.3, 4), 30))

    fit = fit_beta_binomial(n, c)

    best = likelihood(n, c, fit)
    for mean, rho in np.random.default_rng(0).uniform(0.001, 0.999, (300, 2)):
        assert likelihood(n, c, BetaBinomial(mean, rho)) <= best + 1e-9
    for step in (1e-2, 1e-3):
        neighbours = [(fit.mean + step, fit.rho), (fit.mean - step, fit.rho), (fit.mean, fit.rho + step)]
        if fit.rho:
            neighbours.append((fit.mean, fit.rho - step))
        assert all(likelihood(n, c, BetaBinomial(mean, rho)) < best for mean, rho in neighbours)


@pytest.mark.parametrize(("a", "b"), [(0.8264, 0.3678), (9, 1), (2, 2), (0.1, 0.1)])
def test_fit_finds_the_parameters(a: float, b: float) -> None:
    """From as many tasks of each count as the model expects, it finds the model."""
    n, c = 12, np.arange(13)
    weights = np.array([comb(n, x) for x in range(13)]) * np.exp(betaln(a + c, b + n - c) - betaln(a, b))
    passes = np.repeat(c, (weights * 1e6).round().astype(int))

    fit = fit_beta_binomial(np.full(passes.size, n), passes)

    assert fit.a == pytest.approx(a, rel=1e-3)
    assert fit.b == pytest.approx(b, rel=1e-3)


@pytest.mark.parametrize(
    ("n", "c", "mean", "rho"),
    [
        ([10, 10, 10], [10, 10, 10], 1, 0),
        ([10, 10, 10], [0, 0, 0], 0, 0),
        ([10, 10, 8], [5, 5, 4], 0.5, 0),
        ([10, 10, 10, 10], [10, 0, 10, 10], 0.75, 1),
    ],
)
def test_edges_of_the_fit(n: list[int], c: list[int], mean: float, rho: float) -> None:
    """All pass, none, no over-dispersion, and no mixed task: each has a fit."""
    fit = fit_beta_binomial(np.array(n), np.array(c))

    assert (fit.mean, fit.rho) == pytest.approx((mean, rho), abs=1e-12)


def test_fit_without_overdispersion_is_the_binomial() -> None:
    """Where tasks differ no more than coins do, the mean is the pooled rate and pass^k is its power."""
    n, c = np.array([10, 6, 8]), np.array([8, 5, 6])

    fit = fit_beta_binomial(n, c)

    assert fit.rho == 0
    assert extrapolate_pass_hat_k(fit, 5) == pytest.approx((c.sum() / n.sum()) ** 5)


def test_fit_follows_the_unbiased_curve() -> None:
    """On tasks that the model made, it gives the unbiased pass^k within the trials, and goes on beyond them."""
    dice = np.random.default_rng(8)
    n = np.full(20_000, 10)
    c = dice.binomial(10, dice.beta(3, 1, 20_000))

    fit = fit_beta_binomial(n, c)

    curve = extrapolate_pass_hat_k(fit, np.arange(1, 11))
    assert curve == pytest.approx(pass_hat_curve(n, c, 10), abs=0.005)
    assert extrapolate_pass_hat_k(fit, 20) == pytest.approx(3 / 23, abs=0.005)


@pytest.mark.parametrize(
    ("m1", "m2", "says"),
    [
        (1.1, 0.5, "m1, the suite's pass.1, is from 0 to 1"),
        (0.5, 0.6, "m2, the suite's pass.2, is from 0 to m1"),
        (0.5, -0.1, "m2, the suite's pass.2, is from 0 to m1"),
        (float("nan"), 0.5, "m1, the suite's pass.1, is from 0 to 1"),
    ],
)
def test_moments_out_of_range_are_refused(m1: float, m2: float, says: str) -> None:
    """A pass^2 above pass^1 is no pair of moments."""
    with pytest.raises(UsageError, match=says):
        beta_binomial_from_moments(m1, m2)


@pytest.mark.parametrize(
    ("n", "c", "says"),
    [
        ([10], [5], "one number a task and 2 or more, not 1"),
        ([1, 1], [1, 0], "needs a task with two trials or more"),
        ([10, 10], [11, 5], "c, the passes, is a whole number from 0 to n"),
    ],
)
def test_counts_without_a_fit_are_refused(n: list[int], c: list[int], says: str) -> None:
    """One task, or one trial a task, tells nothing of the correlation."""
    with pytest.raises(UsageError, match=says):
        fit_beta_binomial(np.array(n), np.array(c))


@pytest.mark.parametrize("k", [0, -1, 1.5, float("inf")])
def test_k_out_of_range_is_refused(k: float) -> None:
    """It goes beyond n, and still k is a whole number from 1."""
    with pytest.raises(UsageError, match="k is a whole number from 1"):
        extrapolate_pass_hat_k(BetaBinomial(0.5, 0.5), k)
