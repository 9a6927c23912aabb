"""mcptest's three figures of a sequence of outcomes, to the letter of its integer and rounding rules."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    decay_curve,
    graceful_degradation,
    late_failure_score,
    outcome_spread,
    variance_amplification,
)
from passhat.stats.arrays import Outcomes

OUTCOMES = st.lists(st.booleans(), min_size=1, max_size=60)


def of(text: str) -> list[bool]:
    """Outcomes as they are printed: P for a pass."""
    return [letter == "P" for letter in text]


@pytest.mark.parametrize(
    ("text", "curve"),
    [
        ("PPPF", (100, 100, 100, 31)),
        ("FPPP", (0, 25, 29, 31)),
        ("PFPF", (100, 25, 29, 6)),
        ("P", (100,)),
        ("F", (0,)),
        ("FFF", (0, 0, 0)),
    ],
)
def test_decay_curve_gives_the_known_numbers(text: str, curve: tuple[int, ...]) -> None:
    """Whole percents, cut off: 31.64 is 31; the curve depends on the order and can rise."""
    assert decay_curve(of(text)) == curve


def test_decay_curve_is_exact_at_every_rate() -> None:
    """For every number of passes among the first k trials, k to 120, the last entry is the exact quotient."""
    for k in range(1, 121):
        for c in range(k + 1):
            assert decay_curve([True] * c + [False] * (k - c))[-1] == 100 * c**k // k**k


@given(OUTCOMES)
def test_decay_curve_is_exact_at_every_place(outcomes: list[bool]) -> None:
    """Each entry is ⌊100·(c_k/k)^k⌋ in whole numbers."""
    exact = [floor(100 * Fraction(sum(outcomes[:k]), k) ** k) for k in range(1, len(outcomes) + 1)]

    assert list(decay_curve(outcomes)) == exact


def test_decay_curve_is_exact_for_ten_thousand_trials() -> None:
    """Where the curve comes down over ten thousand trials, its entries are still the exact quotients."""
    fails = {500, 2_000, 4_000, 9_000}
    outcomes = [j not in fails for j in range(10_000)]

    curve = decay_curve(outcomes)

    for k in (501, 1_999, 2_001, 4_001, 7_777, 9_001, 10_000):
        c = sum(outcomes[:k])
        assert curve[k - 1] == 100 * c**k // k**k
    assert curve[9_999] == 1


@pytest.mark.parametrize(("text", "spread"), [("PFPF", 100), ("PPPP", 0), ("FFFF", 0), ("PPPF", 87), ("P", 0)])
def test_outcome_spread_gives_the_known_numbers(text: str, spread: int) -> None:
    """The population standard deviation over one half; with the sample's own it would be 115 for P F P F."""
    assert outcome_spread(of(text)) == spread


@given(st.integers(1, 2_000), st.data())
def test_outcome_spread_is_rounded_half_up(n: int, data: st.DataObject) -> None:
    """It is 200·√(c(n-c))/n to fifty digits, a half rounded away from zero."""
    c = data.draw(st.integers(0, n))
    with localcontext(prec=50):
        exact = (200 * Decimal(c * (n - c)).sqrt() / n).quantize(Decimal(1), ROUND_HALF_UP)

    assert outcome_spread([True] * c + [False] * (n - c)) == exact


@given(OUTCOMES)
def test_outcome_spread_forgets_order_and_sign(outcomes: list[bool]) -> None:
    """Order does not matter, nor which outcome is the rarer one; it is 0 exactly where all are alike."""
    spread = outcome_spread(outcomes)

    assert outcome_spread(sorted(outcomes)) == spread
    assert outcome_spread([not passed for passed in outcomes]) == spread
    assert (spread == 0) == (len(set(outcomes)) == 1)
    assert 0 <= spread <= 100


@pytest.mark.parametrize(
    ("text", "score"), [("FPPP", 90), ("PPPF", 60), ("PPPP", 100), ("FFFF", 0), ("FFP" + "F" * 12, 3)]
)
def test_late_failure_score_gives_the_known_numbers(text: str, score: int) -> None:
    """Passes weighed with their positions; 2.5 becomes 3, for a half is rounded away from zero."""
    assert late_failure_score(of(text)) == score


@given(OUTCOMES)
def test_late_failure_score_is_rounded_half_up(outcomes: list[bool]) -> None:
    """It is 100·Σ j·o_j/Σ j in exact fractions, rounded with a half away from zero."""
    positions = range(1, len(outcomes) + 1)
    exact = Fraction(100 * sum(j for j, passed in zip(positions, outcomes, strict=True) if passed), sum(positions))

    assert late_failure_score(outcomes) == floor(exact + Fraction(1, 2))


@given(OUTCOMES)
def test_late_failure_never_scores_better(outcomes: list[bool]) -> None:
    """Moving all failures to the front never lowers the score, moving them to the end never raises it."""
    assert late_failure_score(sorted(outcomes, reverse=True)) <= late_failure_score(outcomes)
    assert late_failure_score(outcomes) <= late_failure_score(sorted(outcomes))


def test_mcptest_s_names_are_other_names() -> None:
    """The names of mcptest's reliability page give the same figures."""
    assert variance_amplification is outcome_spread
    assert graceful_degradation is late_failure_score


@pytest.mark.parametrize("outcomes", [[], [0.5], "PPF", [[True], [False, True]]])
def test_other_outcomes_are_refused(outcomes: Outcomes) -> None:
    """Empty, ragged or other outcomes are a usage error."""
    for statistic in (decay_curve, outcome_spread, late_failure_score):
        with pytest.raises(UsageError, match="outcomes are a list of True and False"):
            statistic(outcomes)
