"""Tests of dependence: their p against full enumeration, their size, and that they find what is there."""

from itertools import permutations, product
from math import comb, prod

import numpy as np
import pytest

from passhat.errors import UsageError
from passhat.stats import drift_test, icc, overdispersion_test, seed_test
from passhat.stats.arrays import Array

LEVELS = (0.01, 0.05, 0.1)
SHUFFLING = 0.06  # five standard errors of a share in 1,999 shuffles


def chance(n: tuple[int, ...], c: tuple[int, ...]) -> int:
    """In how many ways the passes can be dealt out so."""
    return prod(comb(trials, passes) for trials, passes in zip(n, c, strict=True))


def spread(n: tuple[int, ...], c: tuple[int, ...]) -> float:
    """Tarone's sum."""
    rate = sum(c) / sum(n)
    return sum((passes - trials * rate) ** 2 for trials, passes in zip(n, c, strict=True))


def within(n: tuple[int, ...], c: tuple[int, ...]) -> float:
    """The mean square within tasks."""
    squares = sum(passes * (trials - passes) / trials for trials, passes in zip(n, c, strict=True))
    return squares / sum(trials - 1 for trials in n)


def every(n: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All counts that these tasks can have."""
    return list(product(*(range(trials + 1) for trials in n)))


@pytest.mark.parametrize(
    ("n", "c"), [((2, 2), (2, 0)), ((4, 4, 4), (4, 1, 2)), ((5, 3, 4), (5, 0, 2)), ((3, 3, 3, 3), (3, 3, 0, 1))]
)
def test_overdispersion_agrees_with_all_deals(n: tuple[int, ...], c: tuple[int, ...]) -> None:
    """Its p is the share of deals of the passes with as much spread, to the error of shuffling."""
    alike = [deal for deal in every(n) if sum(deal) == sum(c)]
    as_far = [deal for deal in alike if spread(n, deal) >= spread(n, c) - 1e-9]
    exact = sum(chance(n, deal) for deal in as_far) / sum(chance(n, deal) for deal in alike)

    assert overdispersion_test(np.array(n), np.array(c)).p == pytest.approx(exact, abs=SHUFFLING)


def test_overdispersion_keeps_its_level() -> None:
    """Where all tasks have one rate, no more than the level is rejected, at every rate: four tasks of three trials."""
    n = (3, 3, 3, 3)
    found = {c: overdispersion_test(np.array(n), np.array(c)).p for c in every(n) if c == tuple(sorted(c))}

    for rate, level in product((0.3, 0.5, 0.7, 0.9, 0.97), LEVELS):
        rejected = [c for c in every(n) if found[tuple(sorted(c))] <= level]
        size = sum(chance(n, c) * rate ** sum(c) * (1 - rate) ** (12 - sum(c)) for c in rejected)
        assert size <= level


def test_overdispersion_keeps_its_level_where_failures_are_rare() -> None:
    """With 100 tasks and a rate of .99 it rejects .05 within simulation error; the normal tail of z rejects more."""
    dice = np.random.default_rng(11)
    n = np.full(100, 10)
    tests = [overdispersion_test(n, dice.binomial(10, 0.99, 100), seed=turn) for turn in range(150)]

    rejected = np.mean([test.p <= 0.05 for test in tests])
    by_z = np.mean([test.z >= 1.6449 for test in tests])

    assert rejected <= 0.05 + 3 * (0.05 * 0.95 / 150) ** 0.5
    assert by_z > rejected


def test_overdispersion_finds_mixed_tasks() -> None:
    """Tasks that always pass beside tasks that are coins: z is high and p is the least that shuffling can give."""
    test = overdispersion_test(np.full(20, 10), np.array([10] * 10 + [5] * 10))

    assert test.z > 3
    assert test.p == 1 / 2_000


def test_overdispersion_gives_tarone_s_z() -> None:
    """Two tasks of two trials with both passes in one: (2/.25 - 4)/√8."""
    assert overdispersion_test(np.array([2, 2]), np.array([2, 0])).z == pytest.approx(2**0.5)


@pytest.mark.parametrize(("n", "c"), [([4, 4], [4, 4]), ([4, 4], [0, 0]), ([1, 1], [1, 0])])
def test_overdispersion_without_anything_to_tell(n: list[int], c: list[int]) -> None:
    """Where the passes can be dealt in one way only, nothing is found."""
    assert overdispersion_test(np.array(n), np.array(c)).p == 1


def test_many_tasks_are_shuffled_less_often() -> None:
    """Above 20,000 tasks 199 shuffles remain, which keep the level as well."""
    dice = np.random.default_rng(3)

    test = overdispersion_test(np.full(25_000, 4), dice.binomial(4, 0.8, 25_000))

    assert test.method == "permutation, 199 shuffles"
    assert test.p > 0.05


def orders(outcomes: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All orders of one task's outcomes."""
    return set(permutations(outcomes))


def positions(tasks: tuple[tuple[int, ...], ...]) -> int:
    """The sum of the positions of all passes."""
    return sum(j for task in tasks for j, passed in enumerate(task, start=1) if passed)


RAGGED = ((1, 1, 0, 0), (0, 1, 0), (1, 0), (1, 1))


def test_drift_agrees_with_all_orders() -> None:
    """Its p, for every order of ragged tasks, is the share of orders that are as far from the mean."""
    everything = list(product(*(orders(task) for task in RAGGED)))
    sums = np.array([positions(tasks) for tasks in everything])

    for tasks, seen in zip(everything, sums.tolist(), strict=True):
        exact = (abs(sums - sums.mean()) >= abs(seen - sums.mean()) - 1e-9).mean()
        assert drift_test(tasks).p == pytest.approx(exact, abs=1e-12)
        assert drift_test(tasks).z == pytest.approx((seen - sums.mean()) / sums.std(), abs=1e-12)


def test_drift_keeps_its_level() -> None:
    """Of all orders of given passes, no more than the level is rejected: three tasks of five trials."""
    for tasks in (((1, 1, 1, 0, 0),) * 3, ((1, 0, 0, 0, 0), (1, 1, 0, 0, 0), (1, 1, 1, 1, 0))):
        found = [drift_test(each).p for each in product(*(orders(task) for task in tasks))]
        assert all(np.mean(np.array(found) <= level + 1e-12) <= level for level in LEVELS)


def test_drift_keeps_its_level_where_it_is_normal() -> None:
    """One pass among 2,000 trials, or two among 101, at each place: it rejects no more than a level up to .05."""
    one = [drift_test([np.arange(2_000) == place]) for place in range(0, 2_000, 5)]
    two = [drift_test([np.isin(np.arange(101), pair)]) for pair in product(range(101), repeat=2) if pair[0] < pair[1]]

    for found in (one, two):
        assert {test.method for test in found} == {"normal approximation"}
        assert all(np.mean([test.p <= level for test in found]) <= level for level in (0.001, 0.01, 0.05))


def test_drift_s_normal_tail_is_the_exact_one_where_it_takes_over() -> None:
    """Beyond 5,000 steps the tail is within .002 of the sum of 600 places that are counted out."""
    each, total = np.full(10, 0.1), np.ones(1)
    for _ in range(600):
        total = np.convolve(total, each)
    far = np.abs(np.arange(total.size) - 2_700)
    for seed in range(5):
        places = np.random.default_rng(seed).integers(0, 10, 600)
        test = drift_test(np.arange(10) == places[:, None])
        exact = total[far >= abs(places.sum() - 2_700)].sum()
        assert test.method == "normal approximation"
        assert test.p == pytest.approx(exact, abs=0.002)


def test_drift_is_found_and_says_where_to() -> None:
    """Passes first and failures last has z below 0; the other way round z is above 0, with the same p."""
    worse = drift_test([[1] * 6 + [0] * 4] * 5)
    better = drift_test([[0] * 4 + [1] * 6] * 5)

    assert worse.z == pytest.approx(-better.z)
    assert worse.p == pytest.approx(better.p)
    assert worse.p < 1e-6


@pytest.mark.parametrize("tasks", [[[1, 1], [0, 0, 0]], [[1]]])
def test_drift_without_a_mixed_task(tasks: list[list[int]]) -> None:
    """Tasks of one outcome alone have no order: nothing is found."""
    assert (drift_test(tasks).p, drift_test(tasks).z) == (1, 0)


def test_drift_refuses_other_outcomes() -> None:
    """Outcomes that are none are a usage error."""
    with pytest.raises(UsageError, match="a list of True and False"):
        drift_test([[1, 0], [2]])


@pytest.mark.parametrize(
    ("n", "m", "c", "d"),
    [((4, 4), (4, 4), (4, 0), (2, 2)), ((3, 3, 3), (3, 3, 3), (3, 0, 3), (1, 2, 2)), ((3, 5), (4, 2), (0, 5), (2, 1))],
)
def test_seed_test_agrees_with_all_shuffles(
    n: tuple[int, ...], m: tuple[int, ...], c: tuple[int, ...], d: tuple[int, ...]
) -> None:
    """Its p is the share of shuffles within tasks with as small a difference, to the error of shuffling."""
    both = tuple(x + y for x, y in zip(c, d, strict=True))
    gaps, weights = [], []
    for first in every(n):
        second = tuple(x - y for x, y in zip(both, first, strict=True))
        if all(0 <= x <= most for x, most in zip(second, m, strict=True)):
            gaps.append(within(n, first) - within(m, second))
            weights.append(chance(n, first) * chance(m, second))
    as_small = np.array(gaps) <= within(n, c) - within(m, d) + 1e-9
    exact = np.array(weights)[as_small].sum() / sum(weights)

    test = seed_test(np.array(n), np.array(c), np.array(m), np.array(d))

    assert test.p == pytest.approx(exact, abs=SHUFFLING)
    assert (test.same_within, test.varied_within) == pytest.approx((within(n, c), within(m, d)))


def test_seed_test_keeps_its_level() -> None:
    """Where the seed does not matter, no more than the level is rejected: two tasks of four trials in each run."""
    n = (4, 4)
    found: dict[tuple[int, ...], float] = {}
    for c, d in product(every(n), repeat=2):
        key = (*sorted(zip(c, d, strict=True)),)
        flat = tuple(x for pair in key for x in pair)
        found.setdefault(flat, seed_test(np.array(n), np.array(flat[::2]), np.array(n), np.array(flat[1::2])).p)

    for rates, level in product(((0.5, 0.5), (0.8, 0.8), (0.9, 0.5)), LEVELS):
        size = 0.0
        for c, d in product(every(n), repeat=2):
            flat = tuple(x for pair in sorted(zip(c, d, strict=True)) for x in pair)
            if found[flat] <= level:
                size += (
                    chance(n, c)
                    * chance(n, d)
                    * prod(rate ** (x + y) * (1 - rate) ** (8 - x - y) for rate, x, y in zip(rates, c, d, strict=True))
                )
        assert size <= level


def test_seed_test_finds_a_seed_that_decides() -> None:
    """Where one seed makes all trials of a task alike, p is small and the one ICC is 1 while the other is not."""
    dice = np.random.default_rng(2)
    n = np.full(20, 5)
    same, varied = 5 * dice.binomial(1, 0.7, 20), dice.binomial(5, 0.7, 20)

    test = seed_test(n, same, n, varied)

    assert test.same_within == 0
    assert test.p < 0.001
    assert test.same_icc == pytest.approx(1)
    assert test.varied_icc == pytest.approx(icc(n, varied))


@pytest.mark.parametrize(("n", "c"), [(np.array([4, 4]), np.array([4, 4])), (np.array([4]), np.array([2]))])
def test_seed_test_without_an_icc(n: Array, c: Array) -> None:
    """Where all trials passed, or with one task, there is no ICC to show: None, and still a p."""
    test = seed_test(n, c, n, c)

    assert (test.same_icc, test.varied_icc) == (None, None)
    assert test.p > 0.5


def test_dice_are_those_of_the_seed() -> None:
    """The same seed gives the same p, and another seed may give another."""
    n, c, d = np.full(10, 5), np.array([5, 5, 5, 5, 5, 5, 5, 0, 2, 3]), np.array([4, 5, 3, 5, 4, 5, 2, 3, 2, 3])

    assert seed_test(n, c, n, d, seed=1) == seed_test(n, c, n, d, seed=1)
    assert len({seed_test(n, c, n, d, seed=seed).p for seed in range(5)}) > 1
    assert overdispersion_test(n, d, seed=1) == overdispersion_test(n, d, seed=1)
    assert len({overdispersion_test(n, d, seed=seed).p for seed in range(5)}) > 1


def test_seed_test_refuses_other_designs() -> None:
    """Unlike tasks, or one trial a task, are a usage error."""
    with pytest.raises(UsageError, match="the same tasks, and the one has 2, the other 3"):
        seed_test(np.array([4, 4]), np.array([4, 4]), np.array([4, 4, 4]), np.array([4, 4, 4]))
    with pytest.raises(UsageError, match="two trials or more in each run"):
        seed_test(np.array([1, 1]), np.array([1, 0]), np.array([4, 4]), np.array([4, 3]))


def test_more_trials_than_the_dice_take_are_refused() -> None:
    """A billion trials are a usage error and no failure in numpy."""
    n = np.array([10**9, 10])

    with pytest.raises(UsageError, match=r"fewer than 10\^9 trials"):
        overdispersion_test(n, np.array([5, 5]))
    with pytest.raises(UsageError, match=r"fewer than 10\^9 trials"):
        seed_test(n, np.array([5, 5]), n, np.array([5, 5]))
