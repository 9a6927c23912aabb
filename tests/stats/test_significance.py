"""Exact tests against enumeration in fractions, and the laws of adjusted p-values."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import benjamini_hochberg, false_flag_probability, fisher_exact, holm, mcnemar

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=10)
CELLS = st.tuples(*[st.integers(0, 12)] * 4)


def coin(total: int, x: int) -> Fraction:
    """The probability of x heads."""
    return Fraction(comb(total, x), 2**total)


@given(st.integers(0, 12), st.integers(0, 12))
def test_mcnemar_adds_up_what_is_at_most_as_likely(b: int, c: int) -> None:
    """For a fair coin: the probability of all that is no more likely; mid-p counts the equally likely half."""
    total, seen = b + c, coin(b + c, b)
    rarer = sum((coin(total, x) for x in range(total + 1) if coin(total, x) < seen), Fraction(0))
    alike = sum((coin(total, x) for x in range(total + 1) if coin(total, x) == seen), Fraction(0))

    assert mcnemar(b, c) == pytest.approx(float(rarer + alike), abs=1e-12)
    assert mcnemar(b, c, midp=True) == pytest.approx(float(rarer + alike / 2) if total else 1, abs=1e-12)


def test_mcnemar_never_alarms_too_often() -> None:
    """Under a fair coin the exact test's p-value is at most alpha with a probability of at most alpha."""
    for total in range(1, 41):
        heads = np.arange(total + 1)
        p = mcnemar(heads, total - heads)
        weights = np.array([float(coin(total, x)) for x in range(total + 1)])
        for alpha in (0.01, 0.05, 0.1, 0.3):
            assert weights[p <= alpha].sum() <= alpha


@given(CELLS)
def test_fisher_adds_up_what_is_at_most_as_likely(cells: tuple[int, int, int, int]) -> None:
    """Over all tables with the same totals, in exact fractions."""
    a, b, c, d = cells

    def chance(x: int) -> Fraction:
        return Fraction(comb(a + b, x) * comb(c + d, a + c - x), comb(a + b + c + d, a + c))

    tables = range(max(0, a - d), min(a + b, a + c) + 1)
    expected = sum((chance(x) for x in tables if chance(x) <= chance(a)), Fraction(0))

    assert fisher_exact(a, b, c, d) == pytest.approx(float(expected), abs=1e-9)


@given(CELLS)
def test_fisher_does_not_care_for_the_order(cells: tuple[int, int, int, int]) -> None:
    """Swapped agents, or passes for failures, give the same p-value."""
    a, b, c, d = cells
    p = fisher_exact(a, b, c, d)

    assert fisher_exact(c, d, a, b) == pytest.approx(p)
    assert fisher_exact(b, a, d, c) == pytest.approx(p)
    assert fisher_exact(a, c, b, d) == pytest.approx(p)


def test_fisher_stands_many_trials() -> None:
    """A hundred thousand trials an arm neither overflow nor lose the answer: near the normal approximation."""
    assert fisher_exact(50_000, 50_000, 50_500, 49_500) == pytest.approx(0.0257, abs=0.0003)
    assert fisher_exact(100_000, 0, 0, 100_000) == 0


def test_arrays_give_what_scalars_give() -> None:
    """An array in is an array out, each place as if it were given alone."""
    a, b = np.array([[28, 9], [90, 3]]), np.array([[2, 1], [10, 3]])

    assert fisher_exact(a, b, b, a).tolist() == [
        [fisher_exact(28, 2, 2, 28), fisher_exact(9, 1, 1, 9)],
        [fisher_exact(90, 10, 10, 90), fisher_exact(3, 3, 3, 3)],
    ]
    assert mcnemar(a, b).shape == (2, 2)
    assert type(fisher_exact(1, 2, 3, 4)) is type(mcnemar(1, 2)) is float


@given(P_VALUES)
def test_adjusted_values_are_ordered(p: list[float]) -> None:
    """Adjusting never lowers a p-value nor swaps two; the list of suspects is the longer one; none exceeds 1."""
    order = np.argsort(p, kind="stable")
    strict, loose = holm(p), benjamini_hochberg(p)

    assert (np.asarray(p) <= loose + 1e-15).all()
    assert (loose <= strict + 1e-12).all()
    assert strict.max() <= 1
    assert (np.diff(strict[order]) >= 0).all()
    assert (np.diff(loose[order]) >= 0).all()


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_steps_down(p: list[float], alpha: float) -> None:
    """What it rejects at alpha is what the step-down procedure rejects, one p-value after the other."""
    rejected = 0
    for i, value in enumerate(sorted(p)):
        if value * (len(p) - i) > alpha:
            break
        rejected += 1

    assert (holm(p) <= alpha).sum() == rejected


@given(P_VALUES, st.floats(0.001, 0.999))
def test_benjamini_hochberg_steps_up(p: list[float], alpha: float) -> None:
    """What it rejects at alpha is all up to the last one that is below its line."""
    ranked = sorted(p)
    below = [i for i, value in enumerate(ranked, start=1) if value * len(p) / i <= alpha]

    assert (benjamini_hochberg(p) <= alpha).sum() == (below[-1] if below else 0)


@given(st.integers(0, 12), st.fractions(0, Fraction(49, 50), max_denominator=50))
def test_false_flags_are_the_complement_of_none(tasks: int, alpha: Fraction) -> None:
    """Exactly 1 - (1-alpha)^tasks."""
    assert false_flag_probability(tasks, float(alpha)) == pytest.approx(float(1 - (1 - alpha) ** tasks), abs=1e-12)


@pytest.mark.parametrize("count", [-1, 1.5, float("nan"), float("inf")])
def test_counts_that_are_none_are_refused(count: float) -> None:
    """A count is a whole number from 0."""
    with pytest.raises(UsageError, match="b, a count, is a whole number from 0"):
        mcnemar(count, 1.0)
    with pytest.raises(UsageError, match="d, a count, is a whole number from 0"):
        fisher_exact(1.0, 1.0, 1.0, count)
    with pytest.raises(UsageError, match="tasks, a count, is a whole number from 0"):
        false_flag_probability(count, 0.05)


@pytest.mark.parametrize("p", [[], [0.5, 1.5], [-0.1], [float("nan")]])
def test_p_values_that_are_none_are_refused(p: list[float]) -> None:
    """P-values are from 0 to 1, one or more."""
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(UsageError):
            adjust(p)
    with pytest.raises(UsageError, match="alpha is from 0 and below 1"):
        false_flag_probability(20, 1)
