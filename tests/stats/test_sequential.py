"""Wald's test and the price of peeking, each against exact sums over all paths."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import Sprt, peeking_probability, sprt


def run_exactly(test: Sprt, p: float, most: int = 3000) -> tuple[float, float]:
    """The probability of accepting p1, and the expected trials, by following all paths."""
    going, rejected, expected = {0: 1.0}, 0.0, 0.0
    for n in range(1, most + 1):
        expected += sum(going.values())
        after: dict[int, float] = {}
        for c, chance in going.items():
            after[c] = after.get(c, 0.0) + chance * (1 - p)
            after[c + 1] = after.get(c + 1, 0.0) + chance * p
        going = {c: chance for c, chance in after.items() if test.decide(n, c) is None and chance > 1e-15}
        rejected += sum(chance for c, chance in after.items() if test.decide(n, c) == "p1")
    return rejected, expected


@pytest.mark.parametrize(("p0", "p1", "longer"), [(0.9, 0.8, 1.13), (0.95, 0.9, 1.11), (0.95, 0.99, 1.45)])
def test_errors_are_those_that_were_asked_for(p0: float, p1: float, longer: float) -> None:
    """Over all paths the errors keep Wald's inequalities, and it takes a little longer than he approximates."""
    test = sprt(p0, p1)

    alarms, at_p0 = run_exactly(test, p0)
    power, at_p1 = run_exactly(test, p1)

    assert alarms <= 0.05 / 0.8
    assert 1 - power <= 0.2 / 0.95
    ratios = at_p0 / test.expected_at_p0, at_p1 / test.expected_at_p1
    assert min(ratios) > 1
    assert max(ratios) == pytest.approx(longer, abs=0.01)


@given(st.sampled_from([(0.9, 0.8), (0.8, 0.9), (0.5, 0.4), (0.99, 0.95)]))
def test_runs_of_one_kind_stop_where_it_says(rates: tuple[float, float]) -> None:
    """One trial before the stop the test goes on, and at the stop it decides."""
    test = sprt(*rates)

    assert test.decide(test.all_pass_stop - 1, test.all_pass_stop - 1) is None
    assert test.decide(test.all_pass_stop, test.all_pass_stop) == ("p0" if rates[0] > rates[1] else "p1")
    assert test.decide(test.all_fail_stop - 1, 0) is None
    assert test.decide(test.all_fail_stop, 0) == ("p1" if rates[0] > rates[1] else "p0")


def test_bound_that_is_met_to_the_digit_is_met() -> None:
    """Four failures in a row give ln 16 exactly, however the logarithms round."""
    assert sprt(0.9, 0.8).all_fail_stop == 4
    assert sprt(0.9, 0.8).decide(4, 0) == "p1"


@pytest.mark.parametrize("p0", [Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize("every", [1, 3])
def test_peeking_agrees_with_every_sequence(p0: Fraction, every: int) -> None:
    """Over all sequences of twelve trials, in fractions: the share that some look would have rejected."""

    def rejects(passes: int, trials: int) -> bool:
        tail = sum(comb(trials, x) * p0**x * (1 - p0) ** (trials - x) for x in range(passes + 1))
        return tail <= Fraction(1, 10)

    line = {(n, c): rejects(c, n) for n in range(every, 13, every) for c in range(n + 1)}
    share = sum(
        p0 ** sum(trials) * (1 - p0) ** (12 - sum(trials))
        for trials in product((0, 1), repeat=12)
        if any(line[n, sum(trials[:n])] for n in range(every, 13, every))
    )

    found = peeking_probability(float(p0), 12 // every, alpha=0.1, every=every)

    assert found == pytest.approx(float(share), abs=1e-12)


def test_one_look_keeps_its_word() -> None:
    """Looked at once, an exact test's false alarms are at most alpha; more looks only add to them."""
    once = peeking_probability(0.9, 1, every=100)
    often = [peeking_probability(0.9, looks) for looks in (1, 10, 50, 100)]

    assert once <= 0.05
    assert often == sorted(often)


@pytest.mark.parametrize(
    ("p0", "p1", "alpha", "beta", "says"),
    [
        (0.9, 0.9, 0.05, 0.2, "two rates, not both 0.9"),
        (1, 0.9, 0.05, 0.2, "p0 is above 0 and below 1"),
        (0.9, 0, 0.05, 0.2, "p1 is above 0 and below 1"),
        (0.9, 0.8, 0, 0.2, "alpha is above 0 and below 1"),
        (0.9, 0.8, 0.05, 1, "beta is above 0 and below 1"),
        (0.9, 0.8, 0.5, 0.5, "add up to less than 1, not to 1"),
    ],
)
def test_what_is_out_of_range_is_refused(p0: float, p1: float, alpha: float, beta: float, says: str) -> None:
    """Rates and errors say their range."""
    with pytest.raises(UsageError, match=says):
        sprt(p0, p1, alpha=alpha, beta=beta)


@pytest.mark.parametrize(("n", "c"), [(3, 4), (3, -1), (-1, 0)])
def test_more_passes_than_trials_are_refused(n: int, c: int) -> None:
    """A score needs counts that can be."""
    with pytest.raises(UsageError, match="from 0 to n"):
        sprt(0.9, 0.8).score(n, c)
    with pytest.raises(UsageError, match="looks is a whole number from 1"):
        peeking_probability(0.9, 0)
