"""Exact power: the known counts, and brute force over the binomial distribution, in fractions and in floats."""

from fractions import Fraction
from itertools import pairwise
from math import comb, copysign, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, ndtr

from passhat.errors import UsageError
from passhat.stats import achieved_power, detectable_drop, false_alarm_rate, one_sided, runs_to_detect
from passhat.stats.power import first_and_safe

# Baseline, drop, power: the first and the safe count at 5 % false alarms.
COUNTS = {
    (0.9, 0.1, 0.8): (78, 89),
    (0.9, 0.1, 0.9): (109, 121),
    (0.9, 0.05, 0.8): (270, 299),
    (0.9, 0.05, 0.9): (368, 405),
    (0.9, 0.02, 0.8): (1510, 1579),
    (0.9, 0.02, 0.9): (2096, 2174),
    (0.9, 0.01, 0.8): (5787, 5963),
    (0.5, 0.05, 0.8): (620, 654),
    (0.7, 0.05, 0.8): (549, 566),
    (0.8, 0.05, 0.8): (433, 458),
    (0.95, 0.05, 0.8): (169, 191),
}
# Runs, baseline, drop: the real false-alarm rate and the power of the exact test.
ATTAINED = {
    (69, 0.9, 0.1): (0.0400, 0.7504),
    (102, 0.9, 0.1): (0.0466, 0.8901),
    (253, 0.9, 0.05): (0.0473, 0.7810),
    (273, 0.9, 0.05): (0.0359, 0.7721),
    (150, 0.95, 0.05): (0.0385, 0.7455),
}


@pytest.mark.parametrize(("asked", "expected"), COUNTS.items())
def test_first_and_safe_count(asked: tuple[float, float, float], expected: tuple[int, int]) -> None:
    """The exact counts are the known ones, and the safe one is what to plan with."""
    baseline, drop, power = asked

    found = runs_to_detect(baseline, drop, power=power, method="exact")

    assert (found.first, found.safe) == expected
    assert (found.runs, found.formula, found.method) == (expected[1], None, "exact")


@pytest.mark.parametrize(("asked", "expected"), ATTAINED.items())
def test_what_some_runs_attain(asked: tuple[int, float, float], expected: tuple[float, float]) -> None:
    """The real false-alarm rate and power of the exact test are the known ones."""
    runs, baseline, drop = asked

    assert round(false_alarm_rate(baseline, runs), 4) == expected[0]
    assert round(achieved_power(baseline, drop, runs, method="exact"), 4) == expected[1]


def test_score_test_may_be_the_cheaper_one() -> None:
    """Inverting Wilson's bound first has the power at 242 runs, below the 252 of the formula: no floor, that."""
    assert runs_to_detect(0.9, 0.05, method="wilson").first == 242


def test_score_test_raises_more_false_alarms_than_it_says() -> None:
    """With 69 runs at a baseline of .9, Wilson's bound fails 8.05 % of good runs in place of 5 %."""
    assert round(false_alarm_rate(0.9, 69, method="wilson"), 4) == 0.0805


def cdf(n: int, p: Fraction) -> list[Fraction]:
    """P(X ≤ x) for every x, exactly."""
    terms = [comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
    return [sum(terms[: x + 1], Fraction(0)) for x in range(n + 1)]


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("p0", [Fraction(1, 3), Fraction(7, 10), Fraction(19, 20)])
def test_power_is_the_sum_of_exact_fractions(n: int, p0: Fraction) -> None:
    """Up to twelve runs, false alarms and power are sums of exact probabilities."""
    alpha, p1 = Fraction(7, 100), p0 / 2
    failing = [x for x, chance in enumerate(cdf(n, p0)) if chance < alpha]

    alarms = cdf(n, p0)[failing[-1]] if failing else 0
    power = cdf(n, p1)[failing[-1]] if failing else 0

    assert false_alarm_rate(float(p0), n, alpha=0.07) == pytest.approx(float(alarms), abs=1e-12)
    assert achieved_power(float(p0), float(p1), n, alpha=0.07, method="exact") == pytest.approx(float(power), abs=1e-12)


def brute_force(p0: float, p1: float, power: float, alpha: float, score: bool, upto: int) -> tuple[int, int]:  # noqa: FBT001 - one call
    """The first and the safe count, by looking at every count up to *upto* and at every number of passes."""
    enough = []
    z = -1.2815515655446004  # of 10 % in one tail
    for n in range(1, upto + 1):
        x = np.arange(n + 0.0)
        fails = (x - n * p0 < z * np.sqrt(n * p0 * (1 - p0))) if score else betainc(n - x, x + 1, 1 - p0) < alpha
        most = int(fails.sum()) - 1
        enough.append(bool(most >= 0 and betainc(n - most, most + 1, 1 - p1) >= power))
    short = [n for n, ok in enumerate(enough, start=1) if not ok]
    return enough.index(True) + 1, short[-1] + 1 if short else 1


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.1, 0.97),
    st.floats(0, 0.8),
    st.sampled_from([0.3, 0.65, 0.8, 0.95]),
    st.sampled_from(["exact", "wilson"]),
)
def test_scan_equals_brute_force(p0: float, share: float, power: float, method: str) -> None:
    """The counts are those of a search without any bound, far beyond the safe one."""
    p1 = p0 * share

    found = first_and_safe(p0, p1, power=power, alpha=0.1, method=method)

    assert found == brute_force(p0, p1, power, 0.1, method == "wilson", 2 * found[1] + 200)


@given(st.integers(2, 3000), st.floats(0.01, 0.99), st.floats(0, 1))
def test_inequality_behind_the_bounds_holds(n: int, p: float, share: float) -> None:
    """Zubkov and Serov: the normal law at the signed root of twice the divergence is below at k, and above at k + 1."""
    k = min(int(share * n), n - 1)

    def bound(at: int) -> float:
        rate = at / n
        passed = rate * log(rate / p) if rate else 0.0
        failed = (1 - rate) * log((1 - rate) / (1 - p)) if rate < 1 else 0.0
        return float(ndtr(copysign(sqrt(2 * n * max(0.0, passed + failed)), rate - p)))

    assert bound(k) <= betainc(n - k, k + 1, 1 - p) + 1e-12
    assert betainc(n - k, k + 1, 1 - p) <= bound(k + 1) + 1e-12


@pytest.mark.parametrize(("drop", "first", "safe"), [(0.02, 1510, 1579), (0.01, 5787, 5963)])
def test_large_counts_equal_brute_force(drop: float, first: int, safe: int) -> None:
    """Where most counts are skipped by proof, one that is skipped by none agrees."""
    counts = range(1, 2 * safe, 1)
    powers = [achieved_power(0.9, drop, n, method="exact") for n in (*range(first - 120, safe + 300), *counts[::97])]

    near = dict(zip(range(first - 120, safe + 300), powers, strict=False))
    assert near[first] >= 0.8 > max(power for n, power in near.items() if n < first)
    assert near[safe - 1] < 0.8 <= min(power for n, power in near.items() if n >= safe)
    far = dict(zip(counts[::97], powers[len(near) :], strict=True))
    assert all((power >= 0.8) or n < safe for n, power in far.items())
    assert all((power < 0.8) or n >= first for n, power in far.items())


def test_power_is_a_saw_tooth() -> None:
    """A run more may mean less power: from 271 runs, which have enough, to 272, which have not."""
    powers = [achieved_power(0.9, 0.05, n, method="exact") for n in range(260, 300)]

    falls = sum(later < earlier for earlier, later in pairwise(powers))

    assert falls >= 3
    assert powers[11] >= 0.8 > powers[12]


@given(st.floats(0.05, 0.99), st.integers(1, 400), st.sampled_from([0.01, 0.05, 0.2]))
def test_exact_test_keeps_its_promise(baseline: float, runs: int, alpha: float) -> None:
    """At every count and rate the exact test raises fewer false alarms than it may."""
    assert false_alarm_rate(baseline, runs, alpha=alpha) < alpha


def chance_of_failing(value: float, runs: int, truth: float) -> float:
    """The probability that the upper bound is below *value*, by adding up every outcome."""
    return sum(
        comb(runs, x) * truth**x * (1 - truth) ** (runs - x) for x in range(runs + 1) if one_sided(x, runs)[1] < value
    )


@pytest.mark.parametrize("value", [0.2, 0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("runs", [3, 10, 20, 57])
def test_drop_is_the_smallest_that_the_gate_catches(value: float, runs: int) -> None:
    """At the drop the gate fails with 80 %, a little above it with less: brute force agrees."""
    drop = detectable_drop(value, runs, method="exact")

    if drop is None:
        assert chance_of_failing(value, runs, 0.0) == 0
    else:
        assert chance_of_failing(value, runs, value - drop) == pytest.approx(0.8, abs=1e-9)
        assert chance_of_failing(value, runs, value - drop + 0.001) < 0.8


@given(st.floats(0.02, 0.999), st.integers(1, 5000), st.sampled_from(["exact", "wilson"]))
def test_drop_lies_below_the_line(value: float, runs: int, method: str) -> None:
    """A drop ends between 0 and the line it falls from, and has the power that was asked."""
    drop = detectable_drop(value, runs, method=method)

    if drop is not None:
        assert 0 < drop <= value
        assert achieved_power(value, drop, runs, method=method) == pytest.approx(0.8, abs=1e-9)


def test_too_few_runs_catch_nothing() -> None:
    """Where not even all failures are rare enough, there is no drop that would be caught."""
    assert detectable_drop(0.9, 1, method="exact") is None
    assert achieved_power(0.9, 0.9, 1, method="exact") == 0


def test_more_runs_catch_less() -> None:
    """A hundred times the runs see a tenth of the drop."""
    few, many = detectable_drop(0.9, 100, method="exact"), detectable_drop(0.9, 10_000, method="exact")

    assert few is not None
    assert many is not None
    assert many < few / 8


def test_drop_to_nothing_has_counts_too() -> None:
    """An agent that never passes any more is caught as soon as all failures are a surprise."""
    assert first_and_safe(0.9, 0.0, power=0.8, alpha=0.05) == (2, 2)
    assert first_and_safe(0.5, 0.0, power=0.8, alpha=0.05) == (5, 5)


def test_counts_out_of_reach_are_refused() -> None:
    """A drop that would take a scan of many millions of counts is refused with what to do instead."""
    with pytest.raises(UsageError, match=r"out of reach of the method exact.*normal has a formula"):
        runs_to_detect(0.5, 1e-6, method="exact")
