"""The suite: its tasks can be done, and its grader compares end states exactly."""

from __future__ import annotations

import pytest

from passhat.demo.agents import careful
from passhat.demo.shop import Shop
from passhat.demo.suite import changes, end_state, suite
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.task import Task
from passhat.model.trial import Evidence
from tests.demo.drive import TASKS, serve


def judged(task: Task, shop: Shop) -> Evidence:
    """The evidence of a trial that ended in *shop*."""
    return Evidence(
        task_id=task.id, input=task.input, expect=task.expect, answer=Answer("Done."), state=shop.snapshot()
    )


def test_suite_has_many_tasks() -> None:
    """There are eight tasks at least, each with an id and a digest of its own."""
    assert len(suite.tasks) >= 8
    assert len(TASKS) == len({task.digest for task in suite.tasks}) == len(suite.tasks)


@pytest.mark.parametrize("task", suite.tasks, ids=lambda task: task.id)
def test_every_task_can_be_done(task: Task) -> None:
    """A clerk that makes no slips brings about exactly what the task expects, and says so."""
    evidence = serve(careful, task, seed=1)

    assert end_state(evidence).reason == ""
    assert end_state(evidence).passed
    assert evidence.answer.claims_success


@pytest.mark.parametrize("task", suite.tasks, ids=lambda task: task.id)
def test_doing_nothing_passes_no_task(task: Task) -> None:
    """An untouched shop is never what was asked for."""
    assert not end_state(judged(task, Shop())).passed


def test_one_change_too_many_fails() -> None:
    """A trial that did what it should and one thing more has failed, and the reason names it."""
    shop = Shop()
    shop.cancel_order(order=1003)
    shop.add_to_cart(customer="ana", product="tea", quantity=1)

    grade = end_state(judged(TASKS["cancel"], shop))

    assert not grade.passed
    assert grade.reason == "carts.ana.tea became 1 and should be unchanged"


def test_duplicate_refund_fails() -> None:
    """A refund that was paid twice is not the refund that was asked for."""
    shop = Shop()
    for _ in range(2):
        shop.refund_order(order=1002, amount=2_400)

    grade = end_state(judged(TASKS["broken-mugs"], shop))

    assert not grade.passed
    assert "orders.1002.refunded is 4800 and should be 2400" in grade.reason


def test_missing_change_is_named() -> None:
    """The reason says what is unchanged and should not be, and counts what it leaves out."""
    grade = end_state(judged(TASKS["buy-lamps"], Shop()))

    assert "orders.1009.address is unchanged and should be '3 Hill Road'" in grade.reason
    assert grade.reason.endswith("and 5 more places are wrong")


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a.b": 2}),
        ({"a": {"b": 1}}, {"a": {}}, {"a.b": None}),
        ({"a": {}}, {"a": {"b": None}}, {"a.b": None}),
        ({"a": [1]}, {"a": [1, 2]}, {"a": [1, 2]}),
        ({"a": 1}, {"a": 1}, {}),
    ],
)
def test_changes_are_places(before: Json, after: Json, found: dict[str, Json]) -> None:
    """A change is the place in the state and what stands there now."""
    assert changes(before, after) == found
