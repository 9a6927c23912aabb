"""Intervals for a suite: their definitions done again in loops, exact coverage by enumeration, and laws."""

from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from passhat.errors import UsageError
from passhat.stats import (
    blocks,
    clopper_pearson,
    exact_variance,
    may_gate,
    pass_at_k,
    pass_hat_k,
    standard_error,
    suite_interval,
    suite_intervals,
    these_tasks,
    variance_pass_hat_k,
)
from tests.stats.test_intervals import binomial

# Every method for each kind of tasks; the first is the default.
METHODS = {"these": ("gate", "display", "z"), "like-these": ("korn-graubard", "t", "bootstrap")}
EVERY = [(tasks, method) for tasks, methods in METHODS.items() for method in methods]
# Those that anybody gets who does not ask for an approximate one.
SHOWN = [("these", "gate"), ("these", "display"), ("like-these", "korn-graubard")]
Z = 1.959963984540054
Suite = tuple[list[int], list[int]]


@st.composite
def suites(draw: st.DrawFn, least: int = 1, fewest: int = 4) -> Suite:
    """Trials and passes of a suite's tasks."""
    n = draw(st.lists(st.integers(fewest, 30), min_size=least, max_size=12))
    return n, [draw(st.integers(0, trials)) for trials in n]


def shares(n: Sequence[int], c: Sequence[int], k: int) -> list[float]:
    """pass^k of each task, from the definition."""
    return [comb(passes, k) / comb(trials, k) for trials, passes in zip(n, c, strict=True)]


def display_size(n: Sequence[int], c: Sequence[int], k: int) -> float:
    """The trials that the display's interval rests on, task by task."""
    m, u = float(blocks(np.array(n), k)), float(np.mean(shares(n, c, k)))
    if 2 * k > min(n):
        return m
    pairs = list(zip(n, c, strict=True))
    smoothed = [exact_variance(float(trials), (passes + 0.5) / (trials + 1), k) for trials, passes in pairs]
    unbiased = [variance_pass_hat_k(float(trials), float(passes), k) for trials, passes in pairs]
    df = sum(smoothed) ** 2 / sum(v**2 / (trials / k) for v, trials in zip(smoothed, n, strict=True))
    variance = max(sum(smoothed), sum(unbiased)) / len(n) ** 2 * (stdtrit(df, 0.975) / Z) ** 2
    return float(min(max(u * (1 - u) / variance, m), len(n) ** 2 / sum(1 / trials for trials in n)))


def korn_graubard_size(n: Sequence[int], c: Sequence[int], k: int) -> float:
    """The trials that the interval for tasks like these rests on, task by task."""
    each = shares(n, c, k)
    tasks, u = len(n), float(np.mean(each))
    if tasks == 1:
        return 1
    with_two_halves = (sum(each) + 0.5) / (tasks + 1)
    squares = sum((one - with_two_halves) ** 2 for one in each)
    squares += 0.5 * (1 - with_two_halves) ** 2 + 0.5 * with_two_halves**2
    size = u * (1 - u) / (squares / (tasks * (tasks + 1))) * (Z / stdtrit(tasks - 1, 0.975)) ** 2
    return float(min(max(size, tasks), tasks**2 / sum(1 / trials for trials in n)))


@given(suites(), st.integers(1, 4))
def test_gate_is_what_its_definition_says(suite: Suite, k: int) -> None:
    """Clopper-Pearson for m·U of m, with m the blocks of k trials."""
    n, c = suite
    u, m = float(np.mean(shares(n, c, k))), float(blocks(np.array(n), k))

    assert suite_interval(n, c, k=k) == pytest.approx(clopper_pearson(m * u, m), abs=1e-9)
    assert suite_interval(n, c, k=k) == suite_interval(n, c, k=k, tasks="these", method="gate")


@given(suites(), st.integers(1, 4))
def test_display_is_what_its_definition_says(suite: Suite, k: int) -> None:
    """Clopper-Pearson on the trials that the larger variance is worth, made fewer by t; on the blocks where n < 2k."""
    n, c = suite
    u, size = float(np.mean(shares(n, c, k))), display_size(n, c, k)

    expected = clopper_pearson(size * u, size)

    assert suite_interval(n, c, k=k, method="display") == pytest.approx(expected, abs=1e-7)


@given(suites(), st.integers(1, 4))
def test_korn_graubard_is_what_its_definition_says(suite: Suite, k: int) -> None:
    """Clopper-Pearson on the trials that the smoothed variance between tasks is worth, made fewer by t."""
    n, c = suite
    u, size = float(np.mean(shares(n, c, k))), korn_graubard_size(n, c, k)

    expected = clopper_pearson(size * u, size)

    assert suite_interval(n, c, k=k, tasks="like-these") == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("tasks", "method", "quantile"), [("these", "z", Z), ("like-these", "t", 3.182446305)])
def test_approximate_forms_are_the_textbooks(tasks: str, method: str, quantile: float) -> None:
    """Mean ± quantile · standard error, cut to [0, 1]."""
    n, c, k = [4, 4, 4, 4], [4, 3, 1, 0], 2
    half = quantile * standard_error(n, c, k, tasks=tasks)

    low, high = suite_interval(n, c, k=k, tasks=tasks, method=method)

    assert (low, high) == pytest.approx((max(0.375 - half, 0), min(0.375 + half, 1)), abs=1e-9)


def test_bootstrap_is_near_the_normal_one() -> None:
    """Over many tasks the percentile interval is about the mean ± 1.96 standard errors, and the same every time."""
    n, c = np.full(1000, 10), np.tile([10, 8, 6, 9, 3], 200)
    spread = standard_error(n, c, 1, tasks="like-these")
    drawn = suite_interval(n, c, tasks="like-these", method="bootstrap", seed=3)

    assert drawn == pytest.approx((0.72 - Z * spread, 0.72 + Z * spread), abs=0.05 * spread + 0.0005)
    assert drawn == suite_interval(n, c, tasks="like-these", method="bootstrap", seed=3)
    assert drawn != suite_interval(n, c, tasks="like-these", method="bootstrap", seed=4)


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


@given(suites(least=2, fewest=8), st.integers(1, 4), st.sampled_from(EVERY), st.sampled_from(["pass^k", "pass@k"]))
def test_suite_containment_law(suite: Suite, k: int, kind: tuple[str, str], metric: str) -> None:
    """0 ≤ low ≤ estimate ≤ high ≤ 1 by every method, for pass^k and for pass@k."""
    n, c = suite
    estimator = pass_hat_k if metric == "pass^k" else pass_at_k
    estimate = float(np.mean(estimator(np.array(n), np.array(c), k)))

    low, high = suite_interval(n, c, k=k, metric=metric, tasks=kind[0], method=kind[1])

    assert 0 <= low <= estimate + 1e-12
    assert estimate - 1e-12 <= high <= 1


@given(st.floats(0, 1), st.integers(1, 1000), st.floats(0.5, 0.999))
def test_containment_law_of_real_counts(u: float, m: int, confidence: float) -> None:
    """0 ≤ low ≤ u ≤ high ≤ 1 for a mean over tasks, whatever real number of passes it stands for."""
    low, high = these_tasks(u, m, confidence=confidence)

    assert 0 <= low <= u <= high <= 1


@given(suites(), st.sampled_from(SHOWN))
def test_suite_confidence_law(suite: Suite, kind: tuple[str, str]) -> None:
    """More confidence never narrows an interval."""
    narrow, wide = (
        suite_interval(*suite, k=3, tasks=kind[0], method=kind[1], confidence=confidence) for confidence in (0.8, 0.99)
    )

    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


@given(suites(fewest=8), st.sampled_from(SHOWN), st.integers(1, 4))
def test_pass_at_k_is_the_mirror_image(suite: Suite, kind: tuple[str, str], k: int) -> None:
    """At k = 1 both metrics are one, and so are their intervals; at any k pass@k is 1 - pass^k of the failures."""
    n, c = suite
    failures = [trials - passes for trials, passes in zip(n, c, strict=True)]
    options: Any = {"tasks": kind[0], "method": kind[1]}

    at_one = suite_interval(n, c, metric="pass@k", **options)
    low, high = suite_interval(n, failures, k=k, **options)

    assert at_one == pytest.approx(suite_interval(n, c, **options), abs=1e-9)
    assert suite_interval(n, c, k=k, metric="pass@k", **options) == (1 - high, 1 - low)


@given(suites(least=2, fewest=8), st.sampled_from(EVERY))
def test_order_of_tasks_does_not_matter(suite: Suite, kind: tuple[str, str]) -> None:
    """A suite is a set of tasks: in another order they have the same interval, to the last bit."""
    n, c = suite
    options: Any = {"tasks": kind[0], "method": kind[1]}

    assert suite_interval(n, c, **options) == suite_interval(n[::-1], c[::-1], **options)


@given(suites(least=2, fewest=8), st.sampled_from(EVERY))
def test_all_k_at_once_are_each_k(suite: Suite, kind: tuple[str, str]) -> None:
    """The ends for many k's are those for each k by itself."""
    tasks, method = kind

    lows, highs = suite_intervals(*suite, [4, 1, 2, 3], tasks=tasks, method=method)

    for i, k in enumerate([4, 1, 2, 3]):
        assert (lows[i], highs[i]) == pytest.approx(suite_interval(*suite, k=k, tasks=tasks, method=method), abs=1e-9)


@pytest.mark.parametrize(("tasks", "method"), SHOWN)
@pytest.mark.parametrize("k", [1, 5, 10])
def test_all_pass_has_a_width(tasks: str, method: str, k: int) -> None:
    """Where all passed, or none, the interval still has a width: nobody has seen everything."""
    low, high = suite_interval([10] * 20, [10] * 20, k=k, tasks=tasks, method=method)
    none_low, none_high = suite_interval([10] * 20, [0] * 20, k=k, tasks=tasks, method=method)

    assert low < 0.99
    assert high == 1
    assert none_low == 0
    assert none_high > 0.01


@pytest.mark.parametrize(("tasks", "method"), [("these", "z"), ("like-these", "t"), ("like-these", "bootstrap")])
def test_forms_without_a_width_never_gate(tasks: str, method: str) -> None:
    """The textbook forms have no width where all passed, which is why no rule may rest on them."""
    assert suite_interval([10] * 20, [10] * 20, tasks=tasks, method=method) == (1, 1)
    assert not may_gate(method)


@given(suites(), st.integers(1, 4))
def test_display_is_within_the_gate(suite: Suite, k: int) -> None:
    """The interval for the eye lies within the gate's: it rests on no fewer trials."""
    gate, display = (suite_interval(*suite, k=k, method=method) for method in ("gate", "display"))

    assert gate[0] <= display[0] + 1e-9
    assert display[1] <= gate[1] + 1e-9


def test_one_task_says_little_of_tasks_like_it() -> None:
    """However often one task ran, of other tasks it tells hardly anything."""
    low, high = suite_interval([1000], [900], tasks="like-these")

    assert low < 0.05
    assert high > 0.99


def test_a_million_tasks_are_their_distinct_counts() -> None:
    """Tasks with equal counts count as often as they occur."""
    n, c = [10, 10, 10], [10, 9, 4]
    many = suite_interval(n * 50, c * 50, k=5, method="display")

    u, size = float(np.mean(shares(n, c, 5))), display_size(n * 50, c * 50, 5)

    assert many == pytest.approx(clopper_pearson(size * u, size), abs=1e-9)


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


def test_a_mean_outside_the_unit_interval_is_refused() -> None:
    """A mean of shares is from 0 to 1."""
    with pytest.raises(UsageError, match=r"u, a mean of shares, is from 0 to 1, not u=1\.2"):
        these_tasks(1.2, 10)


def test_blocks_beyond_n_are_refused() -> None:
    """No block is longer than a task's trials."""
    with pytest.raises(UsageError, match="k is a whole number from 1 to n"):
        blocks(np.array([9, 3]), 5)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tasks": "those"}, "there is no kind of tasks called 'those': did you mean these"),
        ({"method": "gates"}, "there is no method for these tasks called 'gates': did you mean gate"),
        ({"method": "t"}, "there is no method for these tasks called 't': there are gate, display, z"),
        ({"tasks": "like-these", "method": "gate"}, "there are korn-graubard, t, bootstrap"),
        ({"metric": "pass^5"}, r"there is no metric called 'pass\^5': did you mean pass\^k"),
        ({"k": 0}, "k is a whole number from 1 to n, not n=10, k=0"),
        ({"k": -1}, "k is a whole number from 1 to n"),
        ({"k": 11}, "k is a whole number from 1 to n, not n=10, k=11"),
        ({"k": 6, "method": "z"}, "k is at most n/2"),
        ({"confidence": 1}, "confidence is above 0 and below 1"),
    ],
)
def test_what_a_suite_cannot_be_asked_is_refused(options: dict[str, Any], says: str) -> None:
    """Bad input is a usage error that names the range, or the nearest names."""
    with pytest.raises(UsageError, match=says):
        suite_interval([10, 10], [9, 8], **options)


@pytest.mark.parametrize(
    ("n", "c", "says"),
    [
        ([], [], "n and c are lists with one number a task and 1 or more, not 0"),
        ([[10], [10, 10]], [9, 8], "expected numbers, or arrays of them of one shape"),
        (["many"], [9], "expected numbers, or arrays of them of one shape"),
        ([10, 10], [9, 11], "c, the passes, is a whole number from 0 to n, not n=10, c=11"),
        ([10, 0], [9, 0], "n, the trials, is a whole number from 1"),
        ([10, 10, 10], [9, 9], "of one shape"),
    ],
)
def test_what_is_no_suite_is_refused(n: list[int], c: list[int], says: str) -> None:
    """Counts that no tasks can have are refused."""
    with pytest.raises(UsageError, match=says):
        suite_interval(n, c)


def test_one_task_has_no_spread() -> None:
    """The textbook form for tasks like these needs two of them."""
    with pytest.raises(UsageError, match="method t needs 2 tasks or more, not tasks=1"):
        suite_interval([10], [9], tasks="like-these", method="t")
