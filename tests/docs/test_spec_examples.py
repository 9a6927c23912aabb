"""The worked examples of the documents in docs/specs.md: their figures, or what holds instead.

Only what is built stands here; the rows that come later have no example yet.
"""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from passhat.stats import clopper_pearson, detectable_drop, pass_at_k, pass_hat_k

FAILED, PASSED = 0, 1
# Ten trials with eight passes, in the order in which TraceLens shows them.
TEN = (1, 1, 0, 1, 1, 1, 0, 1, 1, 1)


@pytest.mark.parametrize("outcomes", list(product((FAILED, PASSED), repeat=4)))
def test_any_and_all_of_what_was_observed(outcomes: tuple[int, ...]) -> None:
    """At k = n, pass@k says whether any run passed and pass^k, the outcomes' product, whether all did."""
    n, c = len(outcomes), sum(outcomes)

    assert pass_at_k(n, c, n) == any(outcomes)
    assert pass_hat_k(n, c, n) == all(outcomes)


@pytest.mark.parametrize(
    ("window", "any_pass", "all_pass"),
    [("PPP", 1, 1), ("PPF", 1, 0), ("PFP", 1, 0), ("FPP", 1, 0), ("FFF", 0, 0)],
)
def test_truth_table_of_a_window(window: str, any_pass: int, all_pass: int) -> None:
    """Of five windows of three trials, pass@3 counts four and pass^3 one."""
    passes = window.count("P")

    assert (pass_at_k(3, passes, 3), pass_hat_k(3, passes, 3)) == (any_pass, all_pass)


@pytest.mark.parametrize(("k", "at", "hat"), [(1, 0.8, 0.8), (2, 0.978, 0.622), (3, 1.0, 0.467), (5, 1.0, 0.222)])
def test_ten_trials_at_several_k(k: int, at: float, hat: float) -> None:
    """TraceLens's ten trials: its figures for pass@k, and the unbiased ones for pass^k."""
    n, c = len(TEN), sum(TEN)

    assert round(pass_at_k(n, c, k), 3) == at
    assert round(pass_hat_k(n, c, k), 3) == hat


def test_five_trials_with_three_passes() -> None:
    """Vally's example: three passes in five trials make pass@5 certain."""
    assert pass_at_k(5, 3, 5) == 1.0


def test_five_trials_with_four_passes() -> None:
    """Vally's example of four passes in five: the rate is .8; unbiased, pass@5 is 1 and pass^5 is 0."""
    assert pass_hat_k(5, 4, 1) == 0.8
    assert pass_at_k(5, 4, 5) == 1.0
    assert pass_hat_k(5, 4, 5) == 0.0


def test_the_formula_in_binomials() -> None:
    """pass@k is 1 - C(n-c, k) / C(n, k), argument for argument."""
    for n, k in ((5, 2), (8, 3), (12, 5)):
        for c in range(n + 1):
            assert pass_at_k(n, c, k) == pytest.approx(1 - comb(n - c, k) / comb(n, k), abs=1e-12)


def expected(p: Fraction, n: int, k: int) -> tuple[float, float]:
    """The means of pass@k and pass^k over all that n trials at the rate p can give."""
    weights = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    at = sum(float(weight) * pass_at_k(n, c, k) for c, weight in enumerate(weights))
    hat = sum(float(weight) * pass_hat_k(n, c, k) for c, weight in enumerate(weights))
    return at, hat


@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize(("n", "k"), [(5, 5), (5, 2), (10, 3)])
def test_right_on_average(p: Fraction, n: int, k: int) -> None:
    """For independent runs at one rate, pass@k has the mean 1 - (1-p)^k and pass^k the mean p^k."""
    at, hat = expected(p, n, k)

    assert at == pytest.approx(float(1 - (1 - p) ** k))
    assert hat == pytest.approx(float(p**k))


def test_powers_of_the_observed_rate_are_wrong_on_average() -> None:
    """The naive forms miss: .478 for a true .328, and .522 for a true .672."""
    reliable = [comb(5, c) * 0.8**c * 0.2 ** (5 - c) for c in range(6)]
    feeble = [comb(5, c) * 0.2**c * 0.8 ** (5 - c) for c in range(6)]

    naive_hat = sum(weight * (c / 5) ** 5 for c, weight in enumerate(reliable))
    naive_at = sum(weight * (1 - (1 - c / 5) ** 5) for c, weight in enumerate(feeble))

    assert (round(naive_hat, 3), round(expected(Fraction(4, 5), 5, 5)[1], 3)) == (0.478, 0.328)
    assert (round(naive_at, 3), round(expected(Fraction(1, 5), 5, 5)[0], 3)) == (0.522, 0.672)


def test_the_two_metrics_part_as_k_grows() -> None:
    """pass@k never falls with k and reaches 1; pass^k never rises and reaches 0."""
    for c in range(1, 10):
        at = [pass_at_k(10, c, k) for k in range(1, 11)]
        hat = [pass_hat_k(10, c, k) for k in range(1, 11)]

        assert at == sorted(at)
        assert hat == sorted(hat, reverse=True)
        assert (at[-1], hat[-1]) == (1, 0)


def test_equal_rates_are_told_apart() -> None:
    """Two suites that pass half of their runs: one is half reliable, the other not at all."""
    all_or_nothing, coin_flips = (10, 0), (5, 5)

    halves = [sum(pass_hat_k(10, c, 5) for c in suite) / 2 for suite in (all_or_nothing, coin_flips)]

    assert [round(half, 3) for half in halves] == [0.5, 0.004]


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_interval_covers_as_often_as_it_says(confidence: float) -> None:
    """Over all that ten runs can give, the interval holds the true rate as often as its level, or more."""
    bounds = [clopper_pearson(c, 10, confidence=confidence) for c in range(11)]
    for p in (0.05, 0.3, 0.5, 0.8, 0.9, 0.99):
        holds = [low <= p <= high for low, high in bounds]
        covered = sum(comb(10, c) * p**c * (1 - p) ** (10 - c) for c in range(11) if holds[c])

        assert covered >= confidence


def drop(baseline: float, runs: int) -> float:
    """The smallest drop that these runs catch, which there is."""
    found = detectable_drop(baseline, runs, method="exact")
    assert found is not None
    return found


def test_a_hundred_runs_see_ten_points_and_little_below() -> None:
    """With 100 runs at a baseline of .9, a drop of ten points is caught and one of five is not."""
    assert 0.05 < drop(0.9, 100) < 0.10


def test_thirty_runs_see_almost_nothing() -> None:
    """With 30 runs at a baseline of .9, nothing below sixteen points is caught."""
    assert drop(0.9, 30) > 0.16


def test_drop_is_caught_with_the_power_it_states() -> None:
    """At the stated drop, the exact test rejects with a probability of .8, which is the default."""
    rate = 0.9 - drop(0.9, 100)
    chance = [comb(100, x) * rate**x * (1 - rate) ** (100 - x) for x in range(101)]
    false_alarm = [comb(100, x) * 0.9**x * 0.1 ** (100 - x) for x in range(101)]
    most = max(x for x in range(101) if sum(false_alarm[: x + 1]) < 0.05)

    assert sum(chance[: most + 1]) == pytest.approx(0.8)
    assert drop(0.9, 100) == detectable_drop(0.9, 100, alpha=0.05, power=0.8, method="exact")


def test_a_higher_baseline_is_cheaper_to_defend() -> None:
    """For one number of runs, the drop that can be caught shrinks from a baseline of .5 to one of .95."""
    drops = [drop(baseline, 400) for baseline in (0.5, 0.7, 0.8, 0.9, 0.95)]

    assert drops == sorted(drops, reverse=True)


def test_more_runs_narrow_and_sharpen() -> None:
    """Ten times the runs at the same rate: a narrower interval, and a smaller drop that is caught."""
    few, many = clopper_pearson(18, 20), clopper_pearson(180, 200)

    assert many[1] - many[0] < few[1] - few[0]
    assert drop(0.9, 200) < drop(0.9, 20)
