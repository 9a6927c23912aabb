"""Published figures, one test a figure: what a paper, a data sheet or a handbook prints must come out here.

Each row quotes the figure and says in words where it stands; where a figure was worked out by hand it says so.
Tolerance is 1e-6, or half of the last digit that was printed.
"""

from math import inf, log

import numpy as np
import pytest

from passhat import stats

FIVE = ([0.9, 0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1, 0])
GRID = [[0.9688, 0.94], [0.93, 0.90], [0.8812, 0.84]]
EPSILON, LAMBDA = [0, 0.1, 0.2], [0, 0.2]


@pytest.mark.parametrize(
    ("tools", "bits"),
    [
        ("aaaaa", 0),
        ("aaaab", 0.721928),
        ("aaabb", 0.970951),
        ("aaabc", 1.370951),
        ("aabbc", 1.521928),
        ("aabcd", 1.921928),
        ("abcde", 2.321928),
    ],
)
def test_entropy_of_five_calls(tools: str, bits: float) -> None:
    """The seven values that Shannon's entropy takes for five calls, by hand."""
    assert stats.tool_entropy(tools) == pytest.approx(bits, abs=1e-6)


@pytest.mark.parametrize(
    ("tools", "step"),
    [
        ("aaaaabcdef", 7),
        ("abcdeabcde", 4),
        ("abcdabcdabcd", 4),
        ("a" * 10, None),
        ("ab" * 5, None),
        ("abc" * 4, None),
    ],
)
def test_meltdown_onset_point(tools: str, step: int | None) -> None:
    """The definition of Khanal et al. 2026 with its published w = 5, 1.711 bits and 0, over full windows, by hand."""
    assert stats.mop_step(tools, window=5, threshold=1.711, delta=0.0) == step


@pytest.mark.parametrize(
    ("values", "slope", "digits"), [([1, 0.5, 0], -0.5, 1e-6), ([0.763, 0.598, 0.505, 0.521], -0.0819, 5e-5)]
)
def test_reliability_decay_slope(values: list[float], slope: float, digits: float) -> None:
    """Aggregate pass@1 of 76.3, 59.8, 50.5 and 52.1 % over four buckets (Khanal et al. 2026), and a line."""
    assert stats.horizon_slope(values) == pytest.approx(slope, abs=digits)


def test_reliability_decay_curve_over_tasks() -> None:
    """Three of four and four of four short, one of four long, k = 2: .75 and 0 by the paper's definition 3."""
    curve = stats.rdc_by_horizon(np.array([4, 4, 4]), np.array([3, 4, 1]), [0, 0, 1], 2)

    assert curve.tolist() == pytest.approx([0.75, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("long", "short", "factor"), [([0, 0.5, 1], [0.4, 0.5, 0.6], 25), ([0.2, 0.8], [0.9, 0.9], inf)]
)
def test_variance_amplification_factor(long: list[float], short: list[float], factor: float) -> None:
    """Ratios of variances by the paper's definition 4: .25 to .01, and something to nothing."""
    assert stats.vaf(long, short) == pytest.approx(factor, abs=1e-6)


@pytest.mark.parametrize(
    ("passed", "weights", "score"),
    [([1, 0, 1], [0.5, 0.3, 0.2], 0.7), ([1, 0], [3, 1], 0.75), ([1, 0, 1], None, 0.666667)],
)
def test_graceful_degradation_score(passed: list[int], weights: list[float] | None, score: float) -> None:
    """Weighted subtasks by the paper's definition 5, by hand."""
    assert stats.gds(passed, weights) == pytest.approx(score, abs=1e-6)


def test_horizon_of_one_rate() -> None:
    """By ln target / ln p, at 90 % pass^6 is the last one above one half."""
    assert stats.horizon_k_at_rate(0.9, 0.5) == pytest.approx(log(0.5) / log(0.9), abs=1e-6)
    assert int(stats.horizon_k_at_rate(0.9, 0.5)) == 6


def test_half_life() -> None:
    """With a half-life of 59 minutes an hour is done at .494; T80 is .322 of T50 (Ord 2025)."""
    assert stats.half_life_rate(60.0, 59) == pytest.approx(0.494160, abs=1e-6)
    assert stats.half_life_time(0.8, 1) == pytest.approx(0.321928, abs=1e-6)


@pytest.mark.parametrize(("c", "value"), [(10, 1), (8, 0.36), (6, 0.04), (5, 0)])
def test_outcome_consistency(c: int, value: float) -> None:
    """C_out = (2p-1)² of Rabanser et al. 2026 at rates of 1, .8, .6 and .5."""
    assert stats.outcome_consistency(10, c) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("one", "other", "value"), [("ab", "ac", 0.5), ("aab", "abb", 0.918296), ("ab", "cd", 0)])
def test_action_similarity(one: str, other: str, value: float) -> None:
    """1 - JSD in bits of (½,½,0) and (½,0,½), of (⅔,⅓) and (⅓,⅔), and of what has nothing in common."""
    assert stats.action_similarity(one, other) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("one", "other", "value"), [("abc", "abd", 0.666667), ("abcd", "abdc", 0.5)])
def test_sequence_similarity(one: str, other: str, value: float) -> None:
    """One edit in three, and two in four: a swap costs two."""
    assert stats.sequence_similarity(one, other) == pytest.approx(value, abs=1e-6)


def test_resource_consistency() -> None:
    """1, 2, 3 has a coefficient of variation of one half: e to the -½."""
    assert stats.resource_consistency([1, 2, 3]) == pytest.approx(0.606531, abs=1e-6)


def test_predictability() -> None:
    """Five confidences, worked by hand: Brier .182, AUROC five pairs of six, ECE .34."""
    assert stats.brier(*FIVE) == pytest.approx(0.182, abs=1e-6)
    assert stats.auroc(*FIVE) == pytest.approx(0.833333, abs=1e-6)
    assert stats.calibration_error(*FIVE) == pytest.approx(0.34, abs=1e-6)


def test_coin_is_half_predictable() -> None:
    """Who says .5 of every task and passes half scores .75 in the Brier form: it is not free of capability."""
    assert stats.predictability_scores([0.5, 0.5], [1, 0]).brier == pytest.approx(0.75, abs=1e-6)


def test_safety() -> None:
    """Eight of ten tasks clean, one violation high and one low: .875 by Rabanser et al. 2026."""
    severities = [0.0] * 8 + [1, 0.25]

    assert stats.safety_compliance(severities) == pytest.approx(0.8, abs=1e-6)
    assert stats.safety_score(0.8, stats.safety_harm(severities)) == pytest.approx(0.875, abs=1e-6)


@pytest.mark.parametrize(("b", "c", "exact", "midp"), [(26, 14, 0.080690, 0.059584), (8, 2, 0.109375, 0.06543)])
def test_mcnemar(b: int, c: int, exact: float, midp: float) -> None:
    """As statsmodels gives them: exact, and mid-p by its definition."""
    assert stats.mcnemar(b, c) == pytest.approx(exact, abs=1e-6)
    assert stats.mcnemar(b, c, midp=True) == pytest.approx(midp, abs=1e-6)


@pytest.mark.parametrize(
    ("table", "p"), [((28, 2, 20, 10), 0.021145), ((90, 10, 80, 20), 0.073428), ((9, 1, 6, 4), 0.303406)]
)
def test_fisher(table: tuple[int, int, int, int], p: float) -> None:
    """As scipy's own test gives them, two-sided."""
    assert stats.fisher_exact(*table) == pytest.approx(p, abs=1e-6)


@pytest.mark.parametrize(
    ("table", "p", "digits"),
    [
        ((75, 5, 77, 3), 0.72, 5e-3),
        ((38, 9, 35, 17), 0.17, 5e-3),
        ((437, 43, 434, 46), 0.82, 5e-3),
        ((155, 5, 141, 19), 0.005, 5e-4),
    ],
)
def test_reliabilitybench_claims(table: tuple[int, int, int, int], p: float, digits: float) -> None:
    """Gupta 2026: worst fault, recovery, model against model, rewording. Only the last one stands out.

    The counts behind the first and the last are inferred from the percentages and the number of episodes.
    """
    assert stats.fisher_exact(*table) == pytest.approx(p, abs=digits)


def test_adjusted_p_values() -> None:
    """Five p-values by the step-down and the step-up procedure, by hand."""
    p = [0.001, 0.012, 0.02, 0.03, 0.2]

    assert stats.holm(p).tolist() == pytest.approx([0.005, 0.048, 0.06, 0.06, 0.2], abs=1e-6)
    assert stats.benjamini_hochberg(p).tolist() == pytest.approx([0.005, 0.03, 0.033333, 0.0375, 0.2], abs=1e-6)


def test_false_flags() -> None:
    """Twenty tasks at 5 %: 64.2 % for one false flag or more."""
    assert stats.false_flag_probability(20, 0.05) == pytest.approx(0.641514, abs=1e-6)


def test_wald() -> None:
    """.9 against .8 at 5 and 20 %: Wald's bounds and steps to four digits, his expected trials to one."""
    test = stats.sprt(0.9, 0.8, alpha=0.05, beta=0.2)

    assert (test.upper, test.lower) == pytest.approx((2.7726, -1.5581), abs=5e-5)
    assert (test.on_pass, test.on_fail) == pytest.approx((-0.1178, 0.6931), abs=5e-5)
    assert (test.all_pass_stop, test.all_fail_stop) == (14, 4)
    assert (test.expected_at_p0, test.expected_at_p1) == pytest.approx((36.6, 42.9), abs=0.05)


def test_peeking() -> None:
    """An exact 5 % test at a rate of .9, looked at after each of 100 trials: 17.3 % false alarms."""
    assert stats.peeking_probability(0.9, 100, alpha=0.05) == pytest.approx(0.173, abs=5e-4)


def test_cost_of_pass() -> None:
    """1.4 cents a trial at 91 %, and a model that never passes."""
    assert stats.cost_of_pass(0.014, 0.91) == pytest.approx(0.015385, abs=1e-6)
    assert stats.cost_of_pass(0.014, 0) == inf


def test_cost_normalised_accuracy() -> None:
    """72.3 % at 2.87 dollars is 25.2 percent a dollar in CLEAR (Mehta 2025)."""
    assert stats.cost_normalised_accuracy(0.723, 2.87) == pytest.approx(25.2, abs=0.05)


def test_reliability_surface() -> None:
    """A grid whose corners .9688, .8812 and .84 are those of ReliabilityBench (Gupta 2026); the rest is made up."""
    assert stats.surface_mean(GRID) == pytest.approx(0.91, abs=1e-6)
    assert stats.surface_volume(GRID, EPSILON, LAMBDA) == pytest.approx(0.91125, abs=1e-6)
    assert stats.robustness_ratio(0.8812, 0.9688) == pytest.approx(0.909579, abs=1e-6)


@pytest.mark.parametrize(("rho", "error"), [(0, 0.0141), (0.5, 0.01), (0.8, 0.0063)])
def test_paired_standard_error(rho: float, error: float) -> None:
    """Two standard errors of .01 at three correlations, by Miller's formula (2024)."""
    assert stats.paired_se(0.01, 0.01, rho) == pytest.approx(error, abs=5e-5)


@pytest.mark.parametrize(("k", "factor"), [(2, 0.6667), (4, 0.5), (6, 0.4444)])
def test_variance_left_by_more_trials(k: int, factor: float) -> None:
    """Miller's (1 + 2/K)/3 at two, four and six trials a task."""
    assert stats.resampling_factor(k) == pytest.approx(factor, abs=5e-5)
