"""Run counts by formula: every cell of the printed tables, three sides of one equation, and what is refused."""

from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import ndtri

from passhat.errors import UsageError
from passhat.stats import achieved_power, detectable_drop, runs_to_detect

FORMULAS = ("normal", "continuity", "two-sample", "two-sample-unpooled", "two-sample-arcsine", "two-sample-continuity")

# Drop and power at a baseline of .9: the formula's value, the runs, those with the correction, and the printed figure.
DROPS = {
    (0.10, 0.8): (68.907, 69, 79, 70),
    (0.10, 0.9): (101.219, 102, 112, 100),
    (0.05, 0.8): (252.159, 253, 273, 250),
    (0.05, 0.9): (361.807, 362, 382, 360),
    (0.02, 0.8): (1470.533, 1471, 1521, 1500),
    (0.02, 0.9): (2069.845, 2070, 2120, 2100),
    (0.01, 0.8): (5727.322, 5728, 5828, 5700),
    (0.01, 0.9): (8000.237, 8001, 8101, 8000),
}
# Baseline, for a drop of .05 at a power of .8: the formula's value, the runs, and the printed figure.
BASELINES = {
    0.50: (616.16, 617, 620),
    0.70: (533.79, 534, 530),
    0.80: (418.10, 419, 420),
    0.90: (252.16, 253, 250),
    0.95: (149.32, 150, 150),
}


@pytest.mark.parametrize(("asked", "expected"), DROPS.items())
def test_every_cell_over_drops(asked: tuple[float, float], expected: tuple[float, int, int, int]) -> None:
    """Each cell of the table over drops and powers comes out, and the printed figure is within 2.1 % of it."""
    formula, runs, corrected, printed = expected
    drop, power = asked

    found = runs_to_detect(0.9, drop, power=power)

    assert found.formula == pytest.approx(formula, abs=5e-4)
    assert (found.runs, found.first, found.safe) == (runs, None, None)
    assert runs_to_detect(0.9, drop, power=power, method="continuity").runs == corrected
    assert printed == pytest.approx(runs, rel=0.021)


@pytest.mark.parametrize(("baseline", "expected"), BASELINES.items())
def test_every_cell_over_baselines(baseline: float, expected: tuple[float, int, int]) -> None:
    """Each cell of the table over baselines comes out."""
    formula, runs, printed = expected

    found = runs_to_detect(baseline, 0.05)

    assert found.formula == pytest.approx(formula, abs=5e-3)
    assert found.runs == runs
    assert printed == pytest.approx(runs, rel=0.015)


def test_nists_own_example() -> None:
    """A share of defects from .1 to .2 at a power of .9 takes 102 parts, and 112 with the correction."""
    assert runs_to_detect(0.9, 0.1, power=0.9).runs == 102
    assert runs_to_detect(0.9, 0.1, power=0.9, method="continuity").runs == 112


@pytest.mark.parametrize(
    ("method", "formula"),
    [
        ("two-sample", 539.93),
        ("two-sample-unpooled", 537.88),
        ("two-sample-arcsine", 535.91),
        ("two-sample-continuity", 579.24),
    ],
)
def test_two_fresh_arms(method: str, formula: float) -> None:
    """Two fresh runs against each other take about twice as much, in each arm."""
    assert runs_to_detect(0.9, 0.05, method=method).formula == pytest.approx(formula, abs=5e-3)


def test_two_sides_take_more() -> None:
    """A two-sided test has its false alarms on both sides: z of .975 where one side has z of .95."""
    found = runs_to_detect(0.9, 0.05, two_sided=True).formula

    by_hand = ((ndtri(0.975) * 0.3 + ndtri(0.8) * sqrt(0.85 * 0.15)) / 0.05) ** 2
    assert found == pytest.approx(by_hand)
    assert runs_to_detect(0.9, 0.05, alpha=0.025).formula == pytest.approx(by_hand)


def test_what_numbers_of_runs_can_see() -> None:
    """From .9, at a power of .8, these numbers of runs see these drops."""
    drops = [detectable_drop(0.9, runs) for runs in (10, 20, 30, 50, 100, 200, 500, 1000)]

    seen = [0.2856, 0.1963, 0.1573, 0.1190, 0.0818, 0.0565, 0.0349, 0.0244]
    assert drops == pytest.approx(seen, abs=5e-5)


def test_two_hundred_and_fifty_runs_fall_short() -> None:
    """At 250 runs the exact test catches the five points with .757, not with .8."""
    assert achieved_power(0.9, 0.05, 250, method="exact") == pytest.approx(0.757, abs=5e-4)


@given(st.floats(0.3, 0.99), st.floats(0.01, 0.99), st.floats(0.5, 0.99), st.sampled_from(FORMULAS))
def test_count_and_power_agree(baseline: float, share: float, power: float, method: str) -> None:
    """The count has the power that was asked, and one run less has not."""
    drop = share * baseline
    runs = runs_to_detect(baseline, drop, power=power, method=method).runs

    assert achieved_power(baseline, drop, runs, method=method) >= power - 1e-9
    assert runs == 1 or achieved_power(baseline, drop, runs - 1, method=method) < power + 1e-9


@given(st.floats(0.3, 0.99), st.integers(1, 100_000), st.floats(0.5, 0.99), st.sampled_from(FORMULAS))
def test_drop_and_power_agree(baseline: float, runs: int, power: float, method: str) -> None:
    """The detectable drop is caught with the power that was asked, and one of 99 % of its size with less."""
    drop = detectable_drop(baseline, runs, power=power, method=method)

    if drop is None:
        assert achieved_power(baseline, baseline, runs, method=method) < power
    else:
        assert achieved_power(baseline, drop, runs, method=method) >= power - 1e-9
        assert achieved_power(baseline, 0.99 * drop, runs, method=method) < power


@given(
    st.floats(0.1, 0.99), st.floats(0.02, 0.9), st.floats(0.5, 0.98), st.sampled_from((*FORMULAS, "exact", "wilson"))
)
def test_more_is_dearer(baseline: float, share: float, power: float, method: str) -> None:
    """More power takes no fewer runs, and neither does a smaller drop."""
    drop = share * baseline
    assume(drop > 0.01)

    runs = runs_to_detect(baseline, drop, power=power, method=method).runs

    assert runs_to_detect(baseline, drop, power=power + 0.01, method=method).runs >= runs
    assert runs_to_detect(baseline, 0.9 * drop, power=power, method=method).formula or method in ("exact", "wilson")
    if method in FORMULAS:
        assert runs_to_detect(baseline, 0.9 * drop, power=power, method=method).runs >= runs


def test_correlated_runs_count_for_less() -> None:
    """Ten trials a task at a correlation of .3 cost 3.7 times the runs, see less, and catch it less surely."""
    alone, together = runs_to_detect(0.9, 0.05).formula, runs_to_detect(0.9, 0.05, icc=0.3, trials=10).formula

    assert alone is not None
    assert together == pytest.approx(3.7 * alone)
    assert detectable_drop(0.9, 370, icc=0.3, trials=10) == pytest.approx(detectable_drop(0.9, 100) or 0)
    assert achieved_power(0.9, 0.05, 925, icc=0.3, trials=10) == pytest.approx(achieved_power(0.9, 0.05, 250))


def test_correlation_counts_in_exact_counts_too() -> None:
    """First and safe are multiplied like the rest, and the worth of some runs is rounded down."""
    found = runs_to_detect(0.9, 0.05, method="exact", icc=0.3, trials=10)

    assert (found.first, found.safe, found.runs) == (999, 1107, 1107)
    assert detectable_drop(0.9, 373, method="exact", icc=0.3, trials=10) == detectable_drop(0.9, 100, method="exact")
    assert detectable_drop(0.9, 3, method="exact", icc=1, trials=10) is None


def test_one_trial_has_no_correlation() -> None:
    """Where each task runs once, correlation within tasks costs nothing."""
    assert runs_to_detect(0.9, 0.05, icc=0.9) == runs_to_detect(0.9, 0.05)


def test_drop_to_nothing_is_a_drop() -> None:
    """A drop may be as large as the baseline: then a run has no variance left after it."""
    assert runs_to_detect(0.9, 0.9).runs == 1
    assert achieved_power(0.9, 0.9, 5) == 1.0


def test_correction_may_take_all_runs_away() -> None:
    """As many runs as the correction adds are worth no more than none."""
    nothing = achieved_power(0.9, 0.05, 1, method="continuity")

    assert achieved_power(0.9, 0.05, 20, method="continuity") == pytest.approx(nothing, abs=1e-6)
    assert nothing < 0.1


@pytest.mark.parametrize(
    ("baseline", "drop", "options", "says"),
    [
        (0, 0.05, {}, "baseline is above 0 and below 1, not baseline=0"),
        (1, 0.05, {}, "baseline is above 0 and below 1, not baseline=1"),
        (0.9, 0, {}, "drop is above 0"),
        (0.9, -0.05, {}, "drop is above 0"),
        (0.9, 0.95, {}, "drop is from 1e-06 to the baseline, 0.9, not drop=0.95"),
        (0.9, 1e-9, {}, "drop is from 1e-06 to the baseline, 0.9, not drop=1e-09"),
        (0.9, 0.05, {"power": 1}, "power is above 0 and below 1, not power=1"),
        (0.9, 0.05, {"power": 0.05}, "power is above alpha, 0.05, not power=0.05"),
        (0.9, 0.05, {"alpha": 0.5}, "alpha is above 0 and below 0.5, not alpha=0.5"),
        (0.9, 0.05, {"alpha": 0}, "alpha is above 0 and below 0.5, not alpha=0"),
        (0.9, 0.05, {"method": "guess"}, "there is no method called 'guess': there are normal, continuity,"),
        (0.9, 0.05, {"icc": -0.1}, "icc is from 0 to 1, not icc=-0.1"),
        (0.9, 0.05, {"icc": 0.1, "trials": 0}, "trials is a whole number from 1, not trials=0"),
    ],
)
def test_what_is_out_of_range_is_refused(baseline: float, drop: float, options: dict[str, float], says: str) -> None:
    """Bad input is a usage error that names the range."""
    with pytest.raises(UsageError, match=says):
        runs_to_detect(baseline, drop, **options)  # type: ignore[arg-type]  # values of several kinds, some wrong


@pytest.mark.parametrize("runs", [0, -1, 1.5, float("inf")])
def test_no_count_of_runs_is_refused(runs: int) -> None:
    """What runs can see is asked of a whole number of them, from 1 on."""
    with pytest.raises(UsageError, match="runs is a whole number from 1"):
        detectable_drop(0.9, runs)
    with pytest.raises(UsageError, match="runs is a whole number from 1"):
        achieved_power(0.9, 0.05, runs)
