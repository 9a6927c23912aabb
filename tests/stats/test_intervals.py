"""Intervals: oracle numbers, exact coverage by enumeration, and laws."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    clopper_pearson,
    interval,
    is_approximate,
    one_sided,
    pass_at_k,
    pass_at_k_interval,
    pass_hat_k,
    pass_hat_k_interval,
)
from tests.stats.test_passk import counts

# c and n, and the two-sided 95 % bounds, as in the usual tables.
COUNTS = ((0, 10), (8, 10), (10, 10), (20, 20), (90, 100))
TWO_SIDED = {
    "clopper-pearson": ((0, 0.308497), (0.443905, 0.974789), (0.691503, 1), (0.831567, 1), (0.823777, 0.950995)),
    "wilson": ((0, 0.277533), (0.490162, 0.943318), (0.722467, 1), (0.838875, 1), (0.825634, 0.944771)),
    # 8 of 10 as in the usual tables, the others by the closed form that Newcombe 1998 prints.
    "wilson-cc": ((0, 0.344537), (0.442181, 0.964573), (0.655463, 1), (0.799547, 1), (0.819642, 0.948370)),
    "jeffreys": (
        (0.000048, 0.217196),
        (0.497226, 0.955941),
        (0.782804, 0.999952),
        (0.883361, 0.999976),
        (0.829876, 0.947415),
    ),
    "uniform": (
        (0.002299, 0.284914),
        (0.482244, 0.939782),
        (0.715086, 0.997701),
        (0.838902, 0.998795),
        (0.825447, 0.944363),
    ),
    "confidence-sequence": (
        (0, 0.416880),
        (0.353042, 0.989517),
        (0.583120, 1),
        (0.739329, 1),
        (0.771729, 0.971158),
    ),
    "wald": ((0, 0), (0.552082, 1), (1, 1), (1, 1), (0.841201, 0.958799)),
}
# Posterior quantiles stop short of 0 and of 1.
POSTERIOR = ("jeffreys", "uniform")
# c and n, and the lower one-sided 95 % bound.
LOWER = {
    (9, 10): 0.605837,
    (10, 10): 0.741134,
    (20, 20): 0.860892,
    (29, 29): 0.901855,
    (59, 59): 0.950492,
}


def binomial(n: int, p: float) -> list[float]:
    """The probability of each number of passes."""
    return [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]


@pytest.mark.parametrize("method", TWO_SIDED)
def test_every_method_gives_the_known_numbers(method: str) -> None:
    """The two-sided 95 % interval agrees with the oracle table, for counts one by one and as arrays."""
    passes, trials = np.array(COUNTS).T

    one_by_one = [interval(c, n, method=method) for c, n in COUNTS]

    assert one_by_one == [pytest.approx(bounds, abs=1e-6) for bounds in TWO_SIDED[method]]
    assert np.transpose(interval(passes, trials, method=method)) == pytest.approx(np.array(one_by_one), abs=1e-12)


@pytest.mark.parametrize(("c", "n"), [(50, 100), (30, 40), (9, 30)])
def test_wald_reaches_the_textbooks_half_width(c: int, n: int) -> None:
    """Half of Wald's interval is z·√(p(1-p)/n): .098 for 50 of 100."""
    low, high = interval(c, n, method="wald")
    p = c / n

    assert (high - low) / 2 == pytest.approx(1.959963984540054 * (p * (1 - p) / n) ** 0.5, abs=1e-12)


def test_clopper_pearson_is_what_is_given_unasked() -> None:
    """Without a method the interval is the exact one."""
    assert interval(8, 10) == clopper_pearson(8, 10)


@pytest.mark.parametrize(("given_counts", "expected"), LOWER.items())
def test_one_sided_gives_the_known_numbers(given_counts: tuple[int, int], expected: float) -> None:
    """The lower bound agrees with the oracle table, and the upper bound is its mirror."""
    c, n = given_counts

    assert one_sided(c, n)[0] == pytest.approx(expected, abs=1e-6)
    assert one_sided(n - c, n)[1] == pytest.approx(1 - expected, abs=1e-6)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("clopper-pearson", (0.087472, 0.926258)),
        ("wilson", (0.117766, 0.839410)),
        ("jeffreys", (0.122931, 0.873560)),
    ],
)
def test_pass_hat_k_interval_gives_the_known_numbers(method: str, expected: tuple[float, float]) -> None:
    """8 of 10 at k = 3: the cubes of the bounds for 8 of 10."""
    assert pass_hat_k_interval(10, 8, 3) == pass_hat_k_interval(10, 8, 3, method="clopper-pearson")
    assert pass_hat_k_interval(10, 8, 3, method=method) == pytest.approx(expected, abs=1e-6)


def coverages(n: int, method: str, confidence: float = 0.95) -> list[float]:
    """How often the interval holds the true rate, over every outcome of *n* trials, for rates from .005 to .995."""
    low, high = interval(np.arange(n + 1), np.full(n + 1, n), method=method, confidence=confidence)
    return [float(np.dot(binomial(n, p), (low <= p) & (p <= high))) for p in np.linspace(0.005, 0.995, 199)]


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 100])
@pytest.mark.parametrize("method", [name for name in TWO_SIDED if not is_approximate(name)])
def test_exact_methods_cover(n: int, method: str) -> None:
    """Enumerated over every outcome, an exact interval holds the true rate with at least 95 %, at every rate."""
    assert min(coverages(n, method)) >= 0.95


@pytest.mark.parametrize("method", [name for name in TWO_SIDED if is_approximate(name) and name != "wilson-cc"])
def test_approximate_methods_are_called_so_with_reason(method: str) -> None:
    """Enumerated likewise, an interval that is called approximate covers less than 93 % somewhere."""
    assert min(coverages(10, method)) < 0.93


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 100])
def test_continuity_correction_covers_nearly_but_not_exactly(n: int) -> None:
    """At 95 % the corrected interval misses by half a point at most; at 99 % it falls to 97 %: it is approximate."""
    assert min(coverages(n, "wilson-cc")) > 0.945
    assert min(coverages(1, "wilson-cc", confidence=0.99)) < 0.985


@given(counts(), st.floats(0.5, 0.999))
def test_continuity_correction_only_widens(given_counts: tuple[int, int, int], confidence: float) -> None:
    """Wilson's interval lies within the corrected one."""
    n, c, _ = given_counts
    low, high = interval(c, n, method="wilson", confidence=confidence)
    corrected = interval(c, n, method="wilson-cc", confidence=confidence)

    assert corrected[0] <= low + 1e-12
    assert high - 1e-12 <= corrected[1]


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 100])
def test_each_one_sided_bound_covers(n: int) -> None:
    """Enumerated over every outcome, each bound alone holds with at least 95 %."""
    low, high = one_sided(np.arange(n + 1), np.full(n + 1, n))

    for p in np.linspace(0.005, 0.995, 199):
        assert np.dot(binomial(n, p), low <= p) >= 0.95
        assert np.dot(binomial(n, p), p <= high) >= 0.95


@pytest.mark.parametrize(("n", "k"), [(5, 2), (10, 3), (10, 5), (30, 10)])
def test_interval_of_one_task_covers(n: int, k: int) -> None:
    """The intervals of pass^k and pass@k of one task hold the truth with at least 95 %."""
    size, passes = np.full(n + 1, n), np.arange(n + 1)
    hat, at = pass_hat_k_interval(size, passes, k), pass_at_k_interval(size, passes, k)

    for p in np.linspace(0.005, 0.995, 199):
        all_pass, some_pass = p**k, 1 - (1 - p) ** k
        assert np.dot(binomial(n, p), (hat[0] <= all_pass) & (all_pass <= hat[1])) >= 0.95
        assert np.dot(binomial(n, p), (at[0] <= some_pass) & (some_pass <= at[1])) >= 0.95


@given(counts(), st.floats(0.5, 0.999), st.sampled_from(sorted(TWO_SIDED)))
def test_containment_law(drawn: tuple[int, int, int], confidence: float, method: str) -> None:
    """0 ≤ low ≤ estimate ≤ high ≤ 1 for one task, for pass^k and for pass@k, by every method."""
    n, c, k = drawn

    hat_low, hat_high = pass_hat_k_interval(n, c, k, confidence=confidence, method=method)
    at_low, at_high = pass_at_k_interval(n, c, k, confidence=confidence, method=method)

    assert 0 <= hat_low <= pass_hat_k(n, c, k) <= hat_high <= 1
    assert 0 <= at_low <= pass_at_k(n, c, k) <= at_high <= 1


@given(counts(), st.sampled_from(sorted(TWO_SIDED)))
def test_rate_containment_law(drawn: tuple[int, int, int], method: str) -> None:
    """0 ≤ low ≤ c/n ≤ high ≤ 1 for a rate, but for a posterior's quantiles where none passed, or all."""
    n, c, _ = drawn
    low, high = interval(c, n, method=method)

    assert 0 <= low <= high <= 1
    if method not in POSTERIOR or 0 < c < n:
        assert low <= c / n <= high


@given(counts(), st.floats(0.5, 0.999))
def test_sequence_contains_the_interval_law(drawn: tuple[int, int, int], confidence: float) -> None:
    """What may be looked at any time is no narrower than what may be looked at once."""
    n, c, _ = drawn
    once, always = (
        interval(c, n, confidence=confidence, method=name) for name in ("clopper-pearson", "confidence-sequence")
    )

    assert always[0] <= once[0] + 1e-9
    assert always[1] >= once[1] - 1e-9


@given(counts(), st.sampled_from(sorted(TWO_SIDED)))
def test_mirror_law(drawn: tuple[int, int, int], method: str) -> None:
    """Passes and failures change places: the interval for n-c is the mirror of the one for c."""
    n, c, _ = drawn
    low, high = interval(c, n, method=method)

    assert interval(n - c, n, method=method) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(counts(), st.sampled_from(sorted(TWO_SIDED)))
def test_confidence_law(drawn: tuple[int, int, int], method: str) -> None:
    """More confidence never narrows an interval."""
    n, c, _ = drawn
    narrow, wide = (interval(c, n, confidence=confidence, method=method) for confidence in (0.8, 0.99))

    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


def test_real_valued_counts_lie_between_the_whole_ones() -> None:
    """A count of 8.5 gives bounds between those of 8 and of 9."""
    below, between, above = (clopper_pearson(c, 10) for c in (8, 8.5, 9))

    assert below[0] < between[0] < above[0]
    assert below[1] < between[1] < above[1]


@pytest.mark.parametrize(
    ("c", "n", "confidence", "says"),
    [
        (11, 10, 0.95, "c, the passes, is from 0 to n, not c=11, n=10"),
        (-1, 10, 0.95, "c, the passes, is from 0 to n"),
        (0, 0, 0.95, "n, the trials, is above 0"),
        (5, 10, 1, "confidence is above 0 and below 1, not confidence=1"),
        (5, 10, 0, "confidence is above 0 and below 1"),
        (5, 10, 95, "confidence is above 0 and below 1"),
        (5, 10, float("nan"), "confidence is above 0 and below 1"),
    ],
)
def test_what_is_out_of_range_is_refused(c: float, n: float, confidence: float, says: str) -> None:
    """Bad input is a usage error that names the range."""
    for bounds in (clopper_pearson, one_sided, interval):
        with pytest.raises(UsageError, match=says):
            bounds(c, n, confidence=confidence)


def test_unknown_method_is_refused() -> None:
    """A method that there is not is a usage error with the nearest that there are; a suite's is none of a rate's."""
    with pytest.raises(UsageError, match="there is no method called 'wilsn': did you mean wilson"):
        interval(8, 10, method="wilsn")
    with pytest.raises(UsageError, match="there is no method called 'korn-graubard': there are clopper-pearson, "):
        pass_hat_k_interval(10, 8, 3, method="korn-graubard")


def test_k_beyond_n_is_refused() -> None:
    """No interval is given for a k that has no estimate."""
    for bounds in (pass_hat_k_interval, pass_at_k_interval):
        with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
            bounds(3, 2, 5)


def test_scalars_give_plain_floats() -> None:
    """Numbers in are a pair of plain floats out."""
    assert [type(bound) for bound in clopper_pearson(8, 10)] == [float, float]
