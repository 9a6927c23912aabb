"""Intervals: oracle numbers, exact coverage by enumeration, and laws."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    blocks,
    clopper_pearson,
    one_sided,
    pass_at_k,
    pass_at_k_interval,
    pass_hat_k,
    pass_hat_k_interval,
    these_tasks,
)
from tests.stats.test_passk import counts

# c and n, and the two-sided 95 % bounds, as in the usual tables.
TWO_SIDED = {
    (0, 10): (0, 0.308497),
    (8, 10): (0.443905, 0.974789),
    (10, 10): (0.691503, 1),
    (20, 20): (0.831567, 1),
    (90, 100): (0.823777, 0.950995),
}
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


@pytest.mark.parametrize(("given_counts", "expected"), TWO_SIDED.items())
def test_clopper_pearson_gives_the_known_numbers(given_counts: tuple[int, int], expected: tuple[float, float]) -> None:
    """The two-sided interval agrees with the oracle table."""
    assert clopper_pearson(*given_counts) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("given_counts", "expected"), LOWER.items())
def test_one_sided_gives_the_known_numbers(given_counts: tuple[int, int], expected: float) -> None:
    """The lower bound agrees with the oracle table, and the upper bound is its mirror."""
    c, n = given_counts

    assert one_sided(c, n)[0] == pytest.approx(expected, abs=1e-6)
    assert one_sided(n - c, n)[1] == pytest.approx(1 - expected, abs=1e-6)


def test_pass_hat_k_interval_gives_the_known_numbers() -> None:
    """8 of 10 at k = 3: the cubes of the bounds for 8 of 10."""
    assert pass_hat_k_interval(10, 8, 3) == pytest.approx((0.087472, 0.926258), abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 100])
def test_clopper_pearson_covers(n: int) -> None:
    """Enumerated over every outcome, the interval holds the true rate with at least 95 %, at every rate."""
    low, high = clopper_pearson(np.arange(n + 1), np.full(n + 1, n))

    for p in np.linspace(0.005, 0.995, 199):
        assert np.dot(binomial(n, p), (low <= p) & (p <= high)) >= 0.95


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


@pytest.mark.parametrize(
    ("trials", "k"),
    [((6, 6, 6), 1), ((6, 6, 6), 2), ((5, 5, 5), 2), ((1, 12, 12), 1), ((2, 12, 12), 2), ((5, 6, 6), 2)],
)
def test_interval_of_these_tasks_covers(trials: tuple[int, ...], k: int) -> None:
    """Enumerated over three tasks, with equal and with unequal trials, coverage is 93 % or more."""
    rates = (0.2, 0.5, 0.8, 0.95, 1.0)
    passes = np.array(list(product(*(range(n + 1) for n in trials))))
    shares = np.mean([pass_hat_k(np.full(len(passes), n), passes[:, i], k) for i, n in enumerate(trials)], axis=0)
    low, high = these_tasks(shares, np.full(len(passes), blocks(np.array(trials), k)))

    for mix in product(rates, repeat=3):
        weights = np.prod([np.array(binomial(n, mix[i]))[passes[:, i]] for i, n in enumerate(trials)], axis=0)
        truth = np.mean(np.power(mix, k))
        held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
        assert weights @ held >= 0.93, mix


@given(counts(), st.floats(0.5, 0.999))
def test_containment_law(drawn: tuple[int, int, int], confidence: float) -> None:
    """0 ≤ low ≤ estimate ≤ high ≤ 1 for one task, for pass^k and for pass@k."""
    n, c, k = drawn

    hat_low, hat_high = pass_hat_k_interval(n, c, k, confidence=confidence)
    at_low, at_high = pass_at_k_interval(n, c, k, confidence=confidence)

    assert 0 <= hat_low <= pass_hat_k(n, c, k) <= hat_high <= 1
    assert 0 <= at_low <= pass_at_k(n, c, k) <= at_high <= 1


@given(st.floats(0, 1), st.integers(1, 1000), st.floats(0.5, 0.999))
def test_suite_containment_law(u: float, m: int, confidence: float) -> None:
    """0 ≤ low ≤ u ≤ high ≤ 1 for a mean over tasks, whatever real number of passes it stands for."""
    low, high = these_tasks(u, m, confidence=confidence)

    assert 0 <= low <= u <= high <= 1


@given(st.integers(1, 200), st.data())
def test_mirror_law(n: int, data: st.DataObject) -> None:
    """Passes and failures change places: the interval for n-c is the mirror of the one for c."""
    c = data.draw(st.integers(0, n))
    low, high = clopper_pearson(c, n)

    assert clopper_pearson(n - c, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(st.integers(1, 100), st.data())
def test_confidence_law(n: int, data: st.DataObject) -> None:
    """More confidence never narrows an interval."""
    c = data.draw(st.integers(0, n))
    narrow, wide = clopper_pearson(c, n, confidence=0.8), clopper_pearson(c, n, confidence=0.99)

    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


@given(st.integers(1, 50), st.integers(1, 20), st.data())
def test_equal_trials_give_whole_blocks(n: int, tasks: int, data: st.DataObject) -> None:
    """Where every task has n trials, the blocks are T·⌊n/k⌋."""
    k = data.draw(st.integers(1, n))

    assert blocks(np.full(tasks, n), k) == tasks * (n // k)


@given(st.lists(st.integers(5, 50), min_size=1, max_size=20))
def test_unequal_trials_never_give_more_than_the_sum(trials: list[int]) -> None:
    """Blocks are at least those of the poorest task for each, and at most the sum over the tasks."""
    m = blocks(np.array(trials), 5)

    assert len(trials) * (min(trials) // 5) <= m <= sum(n // 5 for n in trials)


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
    for interval in (clopper_pearson, one_sided):
        with pytest.raises(UsageError, match=says):
            interval(c, n, confidence=confidence)


def test_k_beyond_n_is_refused() -> None:
    """No interval is given for a k that has no estimate."""
    for interval in (pass_hat_k_interval, pass_at_k_interval):
        with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
            interval(3, 2, 5)
    with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
        blocks(np.array([9, 3]), 5)


def test_a_mean_outside_the_unit_interval_is_refused() -> None:
    """A mean of shares is from 0 to 1."""
    with pytest.raises(UsageError, match=r"u, a mean of shares, is from 0 to 1, not u=1\.2"):
        these_tasks(1.2, 10)


def test_scalars_give_plain_floats() -> None:
    """Numbers in are a pair of plain floats out."""
    assert [type(bound) for bound in clopper_pearson(8, 10)] == [float, float]
