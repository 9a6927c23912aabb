"""Run counts for a wanted half-width: printed tables, closed forms, and every outcome enumerated."""

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from passhat.errors import UsageError
from passhat.stats import clopper_pearson, confidence_band, recommend_runs


@pytest.mark.parametrize("z", ["exact", "rounded"])
@pytest.mark.parametrize(
    ("half_width", "counts"),
    [(0.05, {0.90: 271, 0.95: 385, 0.99: 664}), (0.10, {0.90: 68, 0.95: 97, 0.99: 166})],
)
def test_table_of_run_counts(half_width: float, counts: dict[float, int], z: str) -> None:
    """The usual table comes out with exact quantiles and with rounded ones."""
    found = {level: recommend_runs(half_width, level, z="rounded" if z == "rounded" else "exact") for level in counts}

    assert found == counts


@pytest.mark.parametrize(("half_width", "runs"), [(0.01, 9604), (0.049, 400), (0.07, 196), (0.05, 385)])
def test_never_one_too_many(half_width: float, runs: int) -> None:
    """Where the quotient is a whole number, rounding adds no run to it."""
    assert recommend_runs(half_width, z="rounded") == runs


@given(st.integers(1, 20_000))
def test_a_whole_number_of_runs_is_given_back(runs: int) -> None:
    """The half-width that n runs buy takes n runs, and not n + 1."""
    assert recommend_runs(max(1e-6, min(0.5, confidence_band(runs)))) == max(runs, 4)


def test_what_a_hundred_runs_buy() -> None:
    """A hundred runs give .098 with the rounded z, and .0979982 with the exact one."""
    assert confidence_band(100, z="rounded") == 0.098
    assert confidence_band(100) == pytest.approx(0.0979982, abs=1e-7)


@pytest.mark.parametrize(
    ("method", "half_width", "runs"),
    [("wilson", 0.05, 381), ("wilson", 0.1, 93), ("clopper-pearson", 0.05, 402), ("clopper-pearson", 0.1, 104)],
)
def test_other_intervals_have_other_counts(method: str, half_width: float, runs: int) -> None:
    """Wilson's interval takes a few runs less than Wald's, Clopper and Pearson's a few more."""
    assert recommend_runs(half_width, method=method) == runs


def widest(runs: int) -> float:
    """Half the width of the widest Clopper-Pearson interval of so many runs, over all outcomes."""
    low, high = clopper_pearson(np.arange(runs + 1.0), np.full(runs + 1, float(runs)))
    return float((high - low).max()) / 2


@pytest.mark.parametrize("half_width", [0.06, 0.1, 0.2, 0.35])
def test_exact_count_is_the_least_over_all_outcomes(half_width: float) -> None:
    """With that many runs no outcome has a wider interval; with one run less some outcome has."""
    runs = recommend_runs(half_width, method="clopper-pearson")

    assert widest(runs) <= half_width < widest(runs - 1)


@pytest.mark.parametrize("runs", [1, 2, 7, 30, 99])
def test_exact_band_bounds_every_outcome(runs: int) -> None:
    """No outcome's Clopper-Pearson interval is wider than the band says."""
    assert widest(runs) <= confidence_band(runs, method="clopper-pearson") + 1e-12


@pytest.mark.parametrize("method", ["wald", "wilson", "clopper-pearson"])
def test_one_half_is_the_worst_rate(method: str) -> None:
    """At every other rate the interval is narrower."""
    bands = [confidence_band(50, rate=rate, method=method) for rate in (0, 0.1, 0.3, 0.5)]

    assert bands == sorted(bands)
    assert bands[1] == pytest.approx(confidence_band(50, rate=0.9, method=method))


def test_band_at_a_rate_is_the_textbook_formula() -> None:
    """At a named rate Wald's half-width is z·√(pq/N)."""
    assert confidence_band(100, rate=0.9) == pytest.approx(ndtri(0.975) * 0.03)


def test_wilson_band_is_half_of_wilsons_interval() -> None:
    """For 90 passes in 100 Wilson's interval is .825634 to .944771."""
    assert confidence_band(100, rate=0.9, method="wilson") == pytest.approx((0.944771 - 0.825634) / 2, abs=1e-6)


@given(st.floats(0.001, 0.5), st.floats(0.5, 0.999))
def test_count_is_enough_and_no_more(half_width: float, confidence: float) -> None:
    """The recommended count reaches the half-width, and one run less does not."""
    runs = recommend_runs(half_width, confidence)

    assert confidence_band(runs, confidence) <= half_width * (1 + 1e-9)
    assert runs == 1 or confidence_band(runs - 1, confidence) > half_width * (1 - 1e-9)
    assert runs >= ceil(0.25 * (float(ndtri((1 + confidence) / 2)) / half_width) ** 2 * (1 - 1e-9))


@pytest.mark.parametrize(
    ("half_width", "confidence", "options", "says"),
    [
        (0, 0.95, {}, "half_width is above 0 and below 1, not half_width=0"),
        (0.6, 0.95, {}, "half_width is from 1e-06 to 0.5, not half_width=0.6"),
        (1e-9, 0.95, {}, "half_width is from 1e-06 to 0.5"),
        (0.05, 1, {}, "confidence is above 0 and below 1, not confidence=1"),
        (0.05, 0, {}, "confidence is above 0 and below 1, not confidence=0"),
        (0.05, 0.95, {"method": "bayes"}, "there is no method called 'bayes': there are wald, wilson, clopper-pearson"),
        (0.05, 0.8, {"z": "rounded"}, "z is rounded for a confidence of 0.9, 0.95 or 0.99, not confidence=0.8"),
        (0.05, 0.95, {"z": "2"}, "z is exact or rounded, not '2'"),
    ],
)
def test_what_is_out_of_range_is_refused(
    half_width: float, confidence: float, options: dict[str, str], says: str
) -> None:
    """Bad input is a usage error that names the range."""
    with pytest.raises(UsageError, match=says):
        recommend_runs(half_width, confidence, **options)  # type: ignore[arg-type]  # a wrong z on purpose


@pytest.mark.parametrize(("runs", "rate"), [(0, 0.5), (-3, 0.5), (1.5, 0.5), (10, -0.1), (10, 1.1)])
def test_band_of_what_is_out_of_range_is_refused(runs: int, rate: float) -> None:
    """There is a band for a whole number of runs from 1 on, and a rate from 0 to 1."""
    with pytest.raises(UsageError, match=r"runs is a whole number from 1|rate is from 0 to 1"):
        confidence_band(runs, rate=rate)
