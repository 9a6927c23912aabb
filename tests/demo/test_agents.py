"""The demo's agents: what they do is known, and follows from the seed alone."""

from __future__ import annotations

import asyncio
from dataclasses import fields

import pytest

from passhat.demo.agents import CAREFUL, HASTY, careful, hasty
from passhat.demo.shop import Shop
from passhat.demo.suite import end_state, suite
from passhat.errors import ToolError
from passhat.model.dice import dice
from tests.demo.drive import TASKS, Desk, serve


def test_same_seed_gives_the_same_trial() -> None:
    """A trial that is run again is the same trial, faults and all."""
    for seed in range(20):
        for task in suite.tasks:
            first, again = (serve(hasty, task, seed, chance=dice(seed), rate=0.2) for _ in range(2))

            assert first == again


def test_hasty_clerk_makes_every_slip_it_is_known_for() -> None:
    """It leaves out steps, misreads numbers, gives up, claims what it did not do, and lets errors through."""
    seen: set[str] = set()
    for seed in range(200):
        for task_id in ("fill-cart", "late-parcel"):
            evidence = serve(hasty, TASKS[task_id], seed, chance=dice(seed), rate=0.2)
            passed, answer = end_state(evidence).passed, evidence.answer
            if not passed:
                seen.add({True: "claims", False: "admits", None: "crashes"}[answer.claims_success])
                seen.add("misreads" if "is 4 and should be 3" in end_state(evidence).reason else "")
                seen.add("forgets" if answer.output and "mug" not in str(answer.output) else "")

    assert {"claims", "admits", "crashes", "misreads", "forgets"} <= seen


def test_fault_adds_to_the_slips_of_the_clean_trial() -> None:
    """A slip is drawn for its place: a slip that spoils a clean trial spoils it under faults too."""
    for seed in range(100):
        clean = serve(hasty, TASKS["broken-mugs"], seed)
        faulty = serve(hasty, TASKS["broken-mugs"], seed, chance=dice(seed, "faults"), rate=0.3)

        assert end_state(clean).passed or not end_state(faulty).passed


def test_careful_clerk_waits_out_a_rate_limit() -> None:
    """It tries again for as long as there is hope, and everything is done once."""
    for seed in range(30):
        for task in suite.tasks:
            assert end_state(serve(careful, task, seed, chance=dice(seed), rate=0.3)).passed


def test_careful_clerk_hands_over_what_it_cannot_do() -> None:
    """Where no try succeeds it changes nothing, claims nothing and passes the job on."""
    evidence = serve(careful, TASKS["cancel"], 1, rate=1.0)

    assert evidence.state == Shop().snapshot()
    assert evidence.answer.claims_success is False
    assert evidence.answer.handoff


@pytest.mark.parametrize("task_id", ["broken-mugs", "cancel", "buy-lamps", "fill-cart", "new-address"])
def test_careful_clerk_looks_before_it_retries(task_id: str) -> None:
    """Where a reply is lost after the change was made, it does not make the change again."""
    for lost in ("refund_order", "cancel_order", "checkout", "add_to_cart", "change_address"):
        assert end_state(serve(careful, TASKS[task_id], 1, lost=lost)).passed


def test_hasty_clerk_does_it_twice() -> None:
    """Where a reply is lost after the change was made, its retry makes the change again."""
    ends = [end_state(serve(hasty, TASKS["broken-mugs"], seed, lost="refund_order")) for seed in range(30)]

    assert any("orders.1002.refunded is 4800" in grade.reason for grade in ends)


def test_final_refusal_is_not_retried() -> None:
    """What the shop itself refuses is asked for once."""
    desk = Desk(Shop())

    asyncio.run(careful("Please cancel order 1001.", desk, seed=1))

    assert desk.trace.count("cancel_order") == 1


def test_unreadable_request_is_not_acted_on() -> None:
    """A text without a known verb calls no tool, and success is not claimed."""
    desk = Desk(Shop())

    answer = asyncio.run(careful("The weather is fine.", desk, seed=1))

    assert desk.trace == []
    assert answer.claims_success is False


def test_panic_lets_the_error_through() -> None:
    """A hasty clerk that panics ends in the error of the tool."""
    panicking = next(seed for seed in range(60) if dice(seed, "clerk").uniform("panics") < HASTY.panics)

    with pytest.raises(ToolError, match="429"):
        asyncio.run(hasty("Please cancel order 1003.", Desk(Shop(), rate=1.0), seed=panicking))


def test_habits_are_probabilities_and_counts() -> None:
    """Every slip has a probability; only the careful clerk has none."""
    slips = [field.name for field in fields(HASTY) if field.name in {"forgets", "misreads", "gives_up", "bluffs"}]

    assert all(0 < getattr(HASTY, name) < 1 for name in slips)
    assert all(getattr(CAREFUL, name) == 0 for name in slips)
