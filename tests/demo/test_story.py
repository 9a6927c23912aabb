"""The demo's argument holds for every seed, not for one that was picked."""

from __future__ import annotations

from math import comb

import pytest

from passhat.demo.agents import careful, hasty
from tests.demo.drive import passes

SEEDS = range(50)


def pass_at_1(counts: list[int]) -> float:
    """The mean pass rate."""
    return sum(counts) / (10 * len(counts))


def pass_hat_5(counts: list[int]) -> float:
    """The mean chance that five of the ten trials all pass."""
    return sum(comb(count, 5) / comb(10, 5) for count in counts) / len(counts)


@pytest.mark.parametrize("seed", SEEDS)
def test_most_runs_pass_and_few_tasks_pass_always(seed: int) -> None:
    """A single clean run passes in 80 % to 95 % of cases, and five in a row far less often."""
    clean = passes(hasty, seed)

    assert 0.80 <= pass_at_1(clean) <= 0.95
    assert pass_hat_5(clean) < min(0.8, pass_at_1(clean) - 0.1)


@pytest.mark.parametrize("seed", SEEDS)
def test_rate_limits_make_it_worse(seed: int) -> None:
    """Under rate limits a run passes less often, and five in a row hardly ever."""
    clean, limited = passes(hasty, seed), passes(hasty, seed, rate=0.2)

    assert pass_at_1(limited) < pass_at_1(clean) - 0.05
    assert pass_hat_5(limited) < pass_hat_5(clean) - 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_typing_errors_hurt_a_little(seed: int) -> None:
    """Mistyped requests cost a hasty reader something, and less than half of its passes."""
    clean, mistyped = passes(hasty, seed), passes(hasty, seed, intensity=0.05)

    assert pass_at_1(clean) / 2 < pass_at_1(mistyped) < pass_at_1(clean)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_careful_clerk_passes_under_rate_limits(seed: int) -> None:
    """The improved agent does every job every time, under rate limits too."""
    assert passes(careful, seed, rate=0.2) == [10] * 12
