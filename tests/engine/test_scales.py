"""The decision whether something fails: how often it is wrong, counted over all paths, and how few trials it takes."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from operator import itemgetter

import pytest

from passhat.engine.scales import Scales, part_of
from passhat.model.minimal import Decision

MOST = 40


def chances(scales: Scales, share: float, *, most: int = MOST) -> dict[Decision, float]:
    """How probable each decision is at a true *share* of failures: all paths, looked at where the search looks."""
    going, ended = {(0, 0): 1.0}, defaultdict[Decision, float](float)
    while going:
        failed, n = place = min(going, key=itemgetter(1))  # every path to it has come by now
        chance = going.pop(place)
        decision, more = looked(scales, failed, n, most)
        if more is None:
            ended[decision] += chance
            continue
        for (failures, trials), each in _after(more, share).items():
            later = (failed + failures, n + trials)
            going[later] = going.get(later, 0.0) + chance * each
    return ended


@cache
def looked(scales: Scales, failed: int, n: int, most: int) -> tuple[Decision, int | None]:
    """What is decided there, and how many more trials come before the next look; None where there are no more."""
    decision = scales.decide(failed, n)
    return decision, scales.least(failed, n, most=most - n) if decision is Decision.OPEN else None


def _after(more: int, share: float) -> dict[tuple[int, int], float]:
    """The number of failures in *more* trials, with its probability."""
    counts = {0: 1.0}
    for _ in range(more):
        counts = {
            failures: counts.get(failures, 0.0) * (1 - share) + counts.get(failures - 1, 0.0) * share
            for failures in range(len(counts) + 1)
        }
    return {(failures, more): chance for failures, chance in counts.items()}


@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_wrong_decisions_are_as_rare_as_it_says(rate: float, confidence: float) -> None:
    """At any share on the other side, and at the rate itself, the error is at most one less the confidence."""
    scales = Scales(rate, confidence)
    shares = [rate * part for part in (0.0, 0.5, 0.9, 1.0)]

    assert all(chances(scales, share)[Decision.FAILS] <= 1 - confidence for share in shares)
    assert all(chances(scales, 1 - (1 - rate) * part)[Decision.PASSES] <= 1 - confidence for part in (0, 0.5, 0.9, 1))


def test_paths_add_up() -> None:
    """The chances of all decisions sum to one, so that no path was lost."""
    assert sum(chances(Scales(0.5, 0.95), 0.6).values()) == pytest.approx(1)


@pytest.mark.parametrize(("share", "decision"), [(0.0, Decision.PASSES), (1.0, Decision.FAILS)])
def test_sure_agents_are_always_decided(share: float, decision: Decision) -> None:
    """An agent that ends alike each time is always decided."""
    assert chances(Scales(0.5, 0.95), share)[decision] == pytest.approx(1)


def test_clear_cases_are_mostly_decided() -> None:
    """Forty tries decide an agent that fails in nine of ten, or in one of ten, in more than nineteen of twenty."""
    scales = Scales(0.5, part_of(0.95, 5))

    assert chances(scales, 0.9)[Decision.FAILS] > 0.95
    assert chances(scales, 0.1)[Decision.PASSES] > 0.95


def test_least_is_the_least() -> None:
    """With one trial fewer than `least` no decision is possible, and with as many, all alike, one is."""
    scales = Scales(0.5, 0.975)
    least = scales.least(0, 0, most=MOST)

    assert least == 9
    assert scales.decide(9, 9) is Decision.FAILS
    assert {scales.decide(failed, 8) for failed in range(9)} == {Decision.OPEN}


def test_least_within_what_is_left() -> None:
    """Where what is left cannot be enough, there is no least."""
    scales = Scales(0.5, 0.975)

    assert scales.least(20, 39, most=1) is None
    assert scales.least(0, 0, most=8) is None
    assert not scales.reaches_both(8)
    assert scales.reaches_both(9)


def test_both_sides_have_to_be_within_reach() -> None:
    """That more than nine of ten fail takes more than forty tries, though that fewer do takes three."""
    assert Scales(0.9, 0.975).least(0, 0, most=MOST) is not None
    assert not Scales(0.9, 0.975).reaches_both(MOST)


def test_nothing_made_is_nothing_known() -> None:
    """Without a trial the share may be anything."""
    assert Scales(0.5, 0.95).interval(0, 0) == (0.0, 1.0)
    assert Scales(0.5, 0.95).decide(0, 0) is Decision.OPEN


def test_errors_add_up_to_what_was_asked() -> None:
    """However many decisions there are, their errors together stay below that of the whole."""
    spent = [1 - part_of(0.95, place) for place in range(1, 10_001)]

    assert sum(spent) <= 0.05
    assert sum(spent) == pytest.approx(0.05, rel=1e-3)
