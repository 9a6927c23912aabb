"""The cluster bootstrap: its mean, its spread, and that its dice are the seed's."""

import numpy as np
import pytest

from passhat.stats import cluster_bootstrap, pass_hat_k

N, C = np.full(60, 10), np.tile([10, 9, 7, 10, 2, 6], 10)


def test_spread_is_that_of_drawing_tasks() -> None:
    """Mean and standard deviation of the resampled means are U and sd(U_i)/√T, within 4 Monte Carlo errors."""
    each = pass_hat_k(N, C, 3)
    spread = each.std() / np.sqrt(each.size)

    means = cluster_bootstrap(N, C, 3, seed=5)

    assert abs(means.mean() - each.mean()) <= 4 * spread / np.sqrt(10_000)
    assert abs(means.std() - spread) <= 4 * spread / np.sqrt(20_000)


def test_tiny_suite_has_its_exact_distribution() -> None:
    """Of two tasks, one all pass and one none, a quarter of the resamples has mean 1 and a half has ½."""
    means = cluster_bootstrap([4, 4], [4, 0], 2, resamples=40_000, seed=2)

    assert set(means.tolist()) == {0.0, 0.5, 1.0}
    assert abs((means == 1).mean() - 0.25) <= 4 * np.sqrt(0.25 * 0.75 / 40_000)
    assert abs((means == 0.5).mean() - 0.5) <= 4 * np.sqrt(0.25 / 40_000)


def test_same_seed_same_draws() -> None:
    """A seed gives the same resamples every time, another seed others; more resamples begin with the same."""
    assert cluster_bootstrap(N, C, 2, seed=1).tolist() == cluster_bootstrap(N, C, 2, seed=1).tolist()
    assert cluster_bootstrap(N, C, 2, seed=1).tolist() != cluster_bootstrap(N, C, 2, seed=2).tolist()
    assert cluster_bootstrap(N, C, 2, resamples=7, seed=1).tolist() == cluster_bootstrap(N, C, 2, seed=1)[:7].tolist()


def test_tasks_with_different_counts_are_drawn_alike() -> None:
    """Tasks with other trials are rows of their own, and each task has the same chance."""
    means = cluster_bootstrap([2, 4, 8], [2, 0, 0], 1, seed=3)

    assert means.mean() == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 3 / 10_000))
