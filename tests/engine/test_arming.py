"""Which faults are planned for which trials, and on which calls they fire: drawn by address."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.engine.arming import Arming
from passhat.faults import rate_limit
from passhat.model.condition import Condition, Injection
from passhat.model.dose import Burst, PermanentFrom, once_at

TRIALS = 40
rates = st.floats(0.01, 1)


def planned(injection: Injection, *, seed: int = 1, task: str = "task", trials: int = TRIALS) -> set[int]:
    """The trials that *injection* is planned for."""
    arming = Arming(Condition([injection]), seed=seed, task_id=task, blocks=(trials,))
    return {index for index in range(trials) if arming.arm(index)}


def firing(*injections: Injection, seed: int = 1, position: int = 0) -> set[tuple[int, int]]:
    """The (trial, call) at which the fault at *position* fires."""
    arming = Arming(Condition(injections), seed=seed, task_id="task", blocks=(TRIALS,))
    return {
        (index, call)
        for index in range(TRIALS)
        for armed in [arming.arm(index)[position]]
        for call in range(1, 11)
        if armed.strikes("tool", call)
    }


@given(rates, st.integers(1, 60), st.integers())
def test_share_is_balanced(share: float, trials: int, seed: int) -> None:
    """A share of the trials is as many trials as it says, to the nearest, whatever the seed."""
    assert len(planned(rate_limit().at(share=share), seed=seed, trials=trials)) == round(share * trials)


@given(rates, rates)
def test_shares_are_nested(one: float, other: float) -> None:
    """The trials of a smaller share are among those of a larger one."""
    small, large = sorted((one, other))

    assert planned(rate_limit().at(share=small)) <= planned(rate_limit().at(share=large))


@given(rates, rates)
def test_rates_are_nested(one: float, other: float) -> None:
    """The calls that fire at a lower rate are among those that fire at a higher one."""
    small, large = sorted((one, other))

    assert firing(rate_limit().at(small)) <= firing(rate_limit().at(large))


def test_rate_is_about_what_it_says() -> None:
    """A rate of 0.3 fires at about three calls of ten."""
    assert 0.2 < len(firing(rate_limit().at(0.3))) / (TRIALS * 10) < 0.4


@pytest.mark.parametrize(
    ("dose", "calls"),
    [(once_at(3), {3}), (Burst(2, at=4), {4, 5}), (PermanentFrom(9), {9, 10}), (1.0, set(range(1, 11))), (0.0, set())],
    ids=str,
)
def test_fixed_doses_fire_where_they_say(dose: float, calls: Collection[int]) -> None:
    """A dose in calls fires at those calls in every trial."""
    assert firing(rate_limit().at(dose)) == {(index, call) for index in range(TRIALS) for call in calls}


def test_parts_of_one_kind_draw_apart() -> None:
    """Two faults of one kind in one condition fire at different calls."""
    twice = (rate_limit().at(0.5), rate_limit().at(0.5))

    assert firing(*twice, position=0) != firing(*twice, position=1)


def test_draws_do_not_know_the_condition() -> None:
    """A fault fires at the same calls alone and beside others: conditions are paired."""
    fault = rate_limit().at(0.5)
    beside = rate_limit().at(0.7, match="other")

    assert firing(fault) == firing(fault, beside)


def test_match_is_part_of_the_address() -> None:
    """Faults for different tools draw apart."""
    assert firing(rate_limit().at(0.5)) != firing(rate_limit().at(0.5, match="t*"))


def test_seed_and_task_matter() -> None:
    """Another seed, or another task, plans other trials."""
    fault = rate_limit().at(share=0.5)

    assert len({frozenset(planned(fault, seed=seed, task=task)) for seed in (1, 2) for task in ("a", "b")}) == 4


@given(st.integers(1, 5), st.integers(1, 5))
def test_fault_is_spent_after_its_last_call(count: int, at: int) -> None:
    """A burst is spent where it has bitten for the last time, and not before; no other dose ever is."""
    bursts, rates, states = (
        Arming(Condition([rate_limit().at(dose)]), seed=1, task_id="task", blocks=(1,)).arm(0)[0]
        for dose in (Burst(count, at), 1.0, PermanentFrom(at))
    )
    spent = []
    for call in range(1, 12):
        for armed in (bursts, rates, states):
            armed.strikes("tool", call)
        spent.append(bursts.spent)

    assert spent == [call >= at + count - 1 for call in range(1, 12)]
    assert not rates.spent
    assert not states.spent
