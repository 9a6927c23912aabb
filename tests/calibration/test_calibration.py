"""What the calibration rests on: its suites, their outcomes, and that a missed goal is noticed."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from calibration.counts import Outcomes, outcomes
from calibration.goals import missed
from calibration.grid import MIXES, Design, Mix, binomial, both, design, unequal
from calibration.page import part, with_part
from calibration.rates import Found
from calibration.runs import Fixed
from calibration.suites import SHOWN, Measured, measure
from passhat.stats import suite_interval
from passhat.stats.suite import table_intervals

GOOD = Measured("gate", "pass^k", 20, "10", 1, "all .9", 0.96, 0.003, 0.08, 0.001, exact=False)


def every_design(trials: tuple[int, ...]) -> list[Design]:
    """A suite of these trials for each mix and question."""
    return [found for mix in MIXES for found in both(mix, np.array(trials))]


def mean_share(found: Outcomes) -> tuple[list[float], list[float]]:
    """The mean of the estimates of pass^k over outcomes, and its error."""
    mean, error = found.mean(found.table.means)
    return mean.tolist(), error.tolist()


@pytest.mark.parametrize("one", every_design((4,) * 5), ids=lambda one: f"{one.mix}, {one.speaks_of}")
def test_counted_outcomes_are_all_there_is(one: Design) -> None:
    """Weights add up to 1, and the mean of an unbiased estimate over all outcomes is the truth, exactly."""
    found = outcomes(one, draws=0, seed=(1,))

    assert found.draws == 0
    assert found.weights.sum() == pytest.approx(1, abs=1e-12)
    assert mean_share(found)[0] == pytest.approx([one.truth(k) for k in one.ks], abs=1e-12)


@pytest.mark.parametrize("one", every_design((4,) * 10 + (10,) * 10), ids=lambda one: f"{one.mix}, {one.speaks_of}")
def test_drawn_outcomes_are_right_on_average(one: Design) -> None:
    """The mean of an unbiased estimate over drawn outcomes is the truth within four Monte Carlo errors."""
    found = outcomes(one, draws=4000, seed=(1,))
    mean, error = mean_share(found)

    assert found.weights.sum() == pytest.approx(1)
    assert np.abs(np.array(mean) - [one.truth(k) for k in one.ks]).tolist() <= [4 * each + 1e-12 for each in error]


def test_counted_coverage_is_the_enumerated_one() -> None:
    """For five tasks of four trials, the gate's coverage is what one gets by going through all 5⁵ outcomes."""
    mix = next(mix for mix in MIXES if mix.name.startswith("½"))
    one = design(mix, np.full(5, 4), "these")
    truth, expected = one.truth(2), 0.0
    probabilities = [binomial(4, rate) for rate in mix.of(5)]
    known: dict[tuple[int, ...], bool] = {}
    for counts in product(range(5), repeat=5):
        key = tuple(sorted(counts))
        if key not in known:
            low, high = suite_interval([4] * 5, key, k=2)
            known[key] = low <= truth <= high
        expected += known[key] * float(np.prod([each[c] for each, c in zip(probabilities, counts, strict=True)]))

    (found,) = [cell for cell in measure(one, SHOWN, draws=0, seed=(1,)) if (cell.interval, cell.k) == ("gate", 2)]

    assert found.exact
    assert found.cover == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.name)
def test_counted_total_agrees_with_drawn_suites(mix: Mix) -> None:
    """At k = 1 a gate's coverage is counted from the total of passes: drawn suites are covered as often."""
    one = design(mix, np.full(20, 4), "these")
    (counted,) = [cell for cell in measure(one, SHOWN[:1], draws=1, seed=(1,)) if cell.k == 1]
    found = outcomes(one, draws=4000, seed=(1,))
    low, high = table_intervals(found.table, method="gate")

    drawn, error = found.mean(((low <= one.truth(1) + 1e-12) & (one.truth(1) - 1e-12 <= high)).astype(float))

    assert counted.exact
    assert abs(counted.cover - drawn[0]) <= 4 * error[0] + 1e-3


def test_unequal_trials_are_there() -> None:
    """The suites with unequal trials have 20 tasks each, and not the same number of trials."""
    assert {len(trials) for trials in unequal().values()} == {20}
    assert min(len(np.unique(trials)) for trials in unequal().values()) == 2


@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.name)
def test_mirrored_mix_has_the_failures(mix: Mix) -> None:
    """What passes with probability p fails with 1 - p."""
    assert mix.mirrored().of(20) == pytest.approx(1 - mix.of(20)[::-1], abs=1e-12)
    assert mix.mirrored().moment(1) == pytest.approx(1 - mix.moment(1), abs=1e-12)
    assert mix.mirrored().probabilities(7) == pytest.approx(mix.probabilities(7)[::-1], abs=1e-12)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (replace(GOOD, cover=0.90), "gate of pass^k covers 0.900 at 20 × 10, k = 1, all .9"),
        (replace(GOOD, cover=0.94, interval="gate, lower end alone"), "covers 0.940 on average"),
        (replace(GOOD, width=0.10), "gate is 0.100 wide at 20 × 10, k = 1, all .9, and 0.09 is allowed"),
        (replace(GOOD, mix="all 1", width=0.0), "gate has no width where all passed"),
    ],
)
def test_missed_goal_is_noticed(bad: Measured, says: str) -> None:
    """A cell that is too low, a mean that is too low, an interval too wide, or of no width: each is named."""
    names = [one.name for one in SHOWN]
    good = [replace(GOOD, interval=name, width=0.08) for name in names if name != bad.interval]
    exact = [Found("clopper-pearson", 0.9505, "n = 25", 0.98, 0.4)]

    assert [problem for problem in missed(Fixed(exact, [], [*good, bad], [*good, bad])) if says in problem]
    assert missed(Fixed(exact, [], [*good, replace(GOOD, interval=bad.interval)], good)) == []


def test_inexact_exact_interval_is_noticed() -> None:
    """An interval that is called exact and covers less than it says is named; an approximate one may."""
    good = [replace(GOOD, interval=one.name) for one in SHOWN]
    low = Found("clopper-pearson", 0.94, "n = 25", 0.98, 0.4)

    assert missed(Fixed([low], [], good, good)) == ["clopper-pearson is exact and covers 0.940 at n = 25"]
    assert missed(Fixed([replace(low, name="wilson")], [], good, good)) == []


def test_error_counts_in_favour() -> None:
    """A drawn coverage is below the goal only by more than three of its errors; a counted one by any amount."""
    assert not replace(GOOD, cover=0.925, cover_error=0.002).clearly_below(0.93)
    assert replace(GOOD, cover=0.92, cover_error=0.002).clearly_below(0.93)
    assert replace(GOOD, cover=0.9299, cover_error=0.0).clearly_below(0.93)


def test_parts_of_the_page_are_replaced_alone() -> None:
    """What stands between the marks is made anew, and the rest stays."""
    page = "a\n<!-- x: made by calibration, begin -->\n\n<!-- x: end -->\n\nb"

    assert part(page, "x") == "\n"
    assert with_part(page, "x", "\nnew\n") == "a\n<!-- x: made by calibration, begin -->\n\nnew\n<!-- x: end -->\n\nb"
