"""What became of a planned fault: every word of exposure means one thing, read from the trial alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from passhat.model.exposure import Exposure, Fate, exposure
from passhat.model.trial import Trial
from tests.model.nouns import trials
from tests.recovery.hand import call, fired, refused, trial

PLANNED = ("server_error",)


def only(made: Trial) -> Exposure:
    """What became of the one planned fault."""
    (found,) = exposure(made)
    return found


def test_fault_that_the_agent_was_told_of_is_seen() -> None:
    """An error that reached the agent is seen, whether or not the agent came past it."""
    found = only(trial(refused(1), call(2), faults=(fired(1),), faults_planned=PLANNED))

    assert (found.fired, found.seen, found.absorbed, found.unseen) == (1, 1, 0, 0)
    assert found.fate is Fate.SEEN


def test_fault_that_a_layer_below_made_up_for_is_absorbed() -> None:
    """Two errors, made up for within one call of the agent's, were never told to it."""
    events = (fired(1), fired(2))
    found = only(trial(refused(1), refused(2, part_of=1), call(3, part_of=1), faults=events, faults_planned=PLANNED))

    assert (found.fired, found.seen, found.absorbed) == (2, 0, 2)
    assert found.fate is Fate.ABSORBED


def test_fault_that_changed_no_reply_is_unseen() -> None:
    """A call that was delivered twice is told to nobody, and nobody made up for it."""
    event = fired(1, effect="forward", agent_visible=False)
    found = only(trial(call(1, executed=2), faults=(event,), faults_planned=PLANNED))

    assert (found.seen, found.absorbed, found.unseen) == (0, 0, 1)
    assert found.fate is Fate.UNSEEN


def test_effects_of_one_fault_at_one_call_are_one() -> None:
    """A fault that waits and then fails has struck one call."""
    made = trial(refused(1), faults=(fired(1, effect="delay"), fired(1)), faults_planned=PLANNED)

    assert only(made).fired == 1


@pytest.mark.parametrize(
    ("condition", "reached"),
    [
        ("server_error(dose=once_at(2))", True),
        ("server_error(dose=once_at(3))", False),
        ("server_error(dose=burst(2, at=3))", False),
        ("server_error(dose=permanent_from(2))", True),
        ("server_error(rate=0.2)", True),
        ("server_error(rate=0.0)", False),
        ("server_error(dose=once_at(1), match=refund*)", False),
        ('server_error(dose=once_at(1), match="pay(amount=5)")', True),
        ('server_error(dose=once_at(1), match="read:*")', False),
        ("server_error(dose=once_at(9)) & server_error(rate=0.5)", True),
        ("lost_reply(dose=once_at(1))", None),
        ("what another tool (called it", None),
        ("server_error(dose=nothing_known(1))", None),
    ],
)
def test_fault_is_reached_where_a_call_came_at_which_it_could_fire(condition: str, *, reached: bool | None) -> None:
    """Two payments were made, and the fault fired at none: the condition's name says whether it could have."""
    found = only(trial(call(1), call(2), condition=condition, faults_planned=PLANNED))

    assert found.reached is reached
    assert found.fate is (Fate.UNREACHED if reached is False else Fate.SPARED)


def test_calls_that_were_left_out_may_have_reached_it() -> None:
    """Where a long trial left calls out, nobody can say that none came."""
    made = trial(call(1), condition="server_error(dose=once_at(9))", faults_planned=PLANNED, calls_left_out=10)

    assert only(made).reached is None


def test_each_planned_fault_is_told_apart() -> None:
    """In the order of the plan, one each: what fired, and what no call came for."""
    made = trial(
        refused(1),
        call(2),
        faults=(fired(1),),
        faults_planned=("lost_reply", "server_error"),
        condition="lost_reply(dose=once_at(1), match=refund) & server_error(dose=once_at(1))",
    )

    assert [(one.fault, one.fate) for one in exposure(made)] == [
        ("lost_reply", Fate.UNREACHED),
        ("server_error", Fate.SEEN),
    ]


def test_clean_trial_plans_nothing() -> None:
    """Without a planned fault there is nothing to say."""
    assert exposure(trial(call(1))) == ()


@given(trials)
def test_counts_add_up(made: Trial) -> None:
    """Whatever a trial holds: each call that a fault struck is seen, absorbed or unseen, and never two of these."""
    found = exposure(made)
    counts: list[Any] = [(one.seen, one.absorbed, one.unseen, one.fired) for one in found]

    assert all(seen + absorbed + unseen == struck for seen, absorbed, unseen, struck in counts)
    assert all(number >= 0 for each in counts for number in each)
    assert {one.fault for one in found} == {*made.faults_planned, *(event.fault for event in made.faults)}
