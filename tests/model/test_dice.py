"""Draws are pure functions of their address."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from passhat.model.dice import Dice, TrialSeeds, dice
from tests.children import LIMIT

parts = st.lists(st.text(max_size=5) | st.integers(-(2**63), 2**63 - 1), max_size=3).map(tuple)


@given(parts, parts)
def test_same_address_is_the_same_draw(address: tuple[str | int, ...], label: tuple[str | int, ...]) -> None:
    """A draw knows its address and nothing else, so asking twice, or in another order, changes nothing."""
    one = Dice(*address)
    one.uniform("something", "else")

    assert one.uniform(*label) == Dice(*address).uniform(*label)
    assert 0 <= one.uniform(*label) < 1


@given(parts, parts)
def test_other_address_is_another_draw(one: tuple[str | int, ...], other: tuple[str | int, ...]) -> None:
    """Addresses that differ draw apart; 1 and "1", and where one part ends, are differences."""
    assert (Dice(*one).uniform() == Dice(*other).uniform()) == (one == other)


def test_addresses_do_not_run_together() -> None:
    """("ab", "c") is not ("a", "bc"), and 1 is not "1"."""
    drawn = {
        Dice("ab", "c").uniform(),
        Dice("a", "bc").uniform(),
        Dice("abc").uniform(),
        Dice(1).uniform(),
        Dice("1").uniform(),
    }

    assert len(drawn) == 5


def test_draws_below_an_address_are_their_own() -> None:
    """`at` leads to another address."""
    assert Dice("a").at("b").uniform() not in {Dice("a").uniform(), Dice("a").uniform("b"), Dice("b").uniform()}


def test_draws_are_uniform_enough() -> None:
    """Ten bins of 20,000 draws hold about 2,000 each (chi-square below its 99.99 % point for 9 degrees)."""
    bins = Counter(int(Dice(7, "task", index).uniform() * 10) for index in range(20_000))

    assert sum((bins[number] - 2_000) ** 2 / 2_000 for number in range(10)) < 33.7


@given(st.integers(1, 50), st.integers())
def test_ranked_is_a_permutation(count: int, seed: int) -> None:
    """`ranked` orders the numbers, each once."""
    assert sorted(dice(seed % 2**63).ranked(count, "x")) == list(range(count))


@given(st.integers(1, 1_000), st.integers(0, 2**40))
def test_integers_stay_below(below: int, seed: int) -> None:
    """A whole number is in its range, and a choice is one of the items."""
    assert 0 <= dice(seed).integer(below) < below
    assert dice(seed).choice(range(below)) in range(below)


def test_trial_seeds_differ_and_fit_a_double() -> None:
    """Seeds are whole numbers below 2^53, the same again, and differ by run, task and index."""
    seeds = {TrialSeeds(run, task)(index) for run in range(5) for task in ("a", "b") for index in range(100)}

    assert len(seeds) == 1_000
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert TrialSeeds(1, "a")(3) == TrialSeeds(1, "a")(3)


def test_draws_are_the_same_in_another_process() -> None:
    """No hash of this process is in a draw: these numbers hold for ever, on every machine."""
    program = (
        "from passhat.model.dice import Dice, TrialSeeds; print(Dice(7, 'a', 1).uniform('x'), TrialSeeds(7, 'a')(1))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=True)

    assert done.stdout == f"{Dice(7, 'a', 1).uniform('x')} {TrialSeeds(7, 'a')(1)}\n"
    assert (Dice(7, "a", 1).uniform("x"), TrialSeeds(7, "a")(1)) == PINNED


PINNED = (0.49849632384018006, 2260274642604624)
