"""Which tasks a run is made of: what is chosen, in which order, what is said of it, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import passhat
from passhat import Suite, Task, graders
from passhat.engine.selecting import chosen
from passhat.engine.settings import settings_of
from passhat.errors import UsageError
from passhat.model.run import Run
from passhat.model.selection import selection_of
from passhat.model.verdict import Status
from passhat.rules import at_least
from passhat.stores import MemoryStore

TASKS = [
    Task("refund-late", "yes", expect="yes", tags=("money", "slow")),
    Task("refund-twice", "no", expect="yes", tags=("money",)),
    Task("Refund", "no", expect="yes"),
    Task("address", "yes", expect="yes"),
]
SUITE = Suite(name="shop", tasks=TASKS, grader=graders.equals())


def echo(message: str) -> str:
    """Says what it is told."""
    return message


def mended(message: str) -> str:
    """Says what is expected."""
    del message
    return "yes"


def run(store: MemoryStore, **options: Any) -> Run:  # noqa: ANN401 - whatever is tried
    """A small run in *store*."""
    return passhat.run(SUITE, echo, store=store, trials=2, **options)


def ids(**options: Any) -> list[str]:  # noqa: ANN401 - as above
    """The tasks that are chosen."""
    return [task.id for task in chosen(SUITE, settings_of(options))[0].tasks]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ["refund-late", "refund-twice", "Refund", "address"]),
        ({"limit": 2}, ["refund-late", "refund-twice"]),
        ({"limit": 99}, ["refund-late", "refund-twice", "Refund", "address"]),
        ({"filter": "refund-*"}, ["refund-late", "refund-twice"]),
        ({"filter": "Refund"}, ["Refund"]),
        ({"filter": "tag:money"}, ["refund-late", "refund-twice"]),
        ({"filter": "tag:s*"}, ["refund-late"]),
        ({"filter": "*e*", "limit": 1}, ["refund-late"]),
    ],
)
def test_tasks_are_chosen_by_name_then_by_number(options: dict[str, Any], wanted: list[str]) -> None:
    """Ids and tags are matched as they are written; the order stays the suite's."""
    assert ids(**options) == wanted


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"filter": "refund-lat"},
            "filter: of 4 tasks none has an id that matches 'refund-lat': did you mean refund-late",
        ),
        ({"filter": "tag:mony"}, "filter: of 4 tasks none has a tag that matches 'mony': did you mean money?"),
        ({"filter": ""}, "filter: a pattern of task ids"),
        ({"filter": "tag:"}, "filter: a pattern of task ids"),
        ({"limit": 0}, "limit: a whole number from 1 on, not 0"),
        ({"limit": 1.5}, "limit: a whole number from 1 on, not 1.5"),
        ({"only_failed": ""}, "only_failed: the id of a run"),
        ({"resume": "latest", "limit": 1}, "limit: a run that goes on keeps the tasks that it has"),
    ],
)
def test_choice_that_is_none_is_refused(options: dict[str, Any], said: str) -> None:
    """In a sentence that says what to write instead."""
    with pytest.raises(UsageError) as caught:
        run(MemoryStore(), **options)

    assert any(problem.startswith(said) for problem in caught.value.problems), caught.value.problems


def test_run_says_how_its_tasks_were_chosen() -> None:
    """In its provenance, and as a warning in every report."""
    made = run(MemoryStore(), filter="tag:money", limit=1)

    told = "1 of the suite's 4 tasks was selected: those that match 'tag:money', of these the first 1"
    assert made.header.provenance["selected"] == {"tasks": 1, "of": 4, "filter": "tag:money", "limit": 1}
    assert passhat.measure(made).warnings[0] == told


def test_run_of_all_tasks_says_nothing() -> None:
    """There is nothing to say."""
    made = run(MemoryStore())

    assert selection_of(made.header) is None
    assert "selected" not in " ".join(passhat.measure(made).warnings)


def test_failed_tasks_are_run_again_without_a_verdict() -> None:
    """The tasks that failed, and no others; whatever they do now, they were chosen by their outcomes."""
    store = MemoryStore()
    first = run(store)
    again = passhat.run(SUITE, mended, store=store, trials=30, only_failed="latest", label="mended")

    verdict = passhat.judge(passhat.measure(again), at_least("pass^1", 0.5))

    assert [task.id for task in again.header.tasks] == ["refund-twice", "Refund"]
    assert again.header.provenance["selected"] == {"tasks": 2, "of": 4, "failed_in": first.header.id}
    assert verdict.status is Status.INCONCLUSIVE
    assert "chosen by their outcomes" in next(one.reason for one in verdict.findings if one.broken_evidence)


def test_nothing_failed_is_a_sentence() -> None:
    """And no run of nothing."""
    store = MemoryStore()
    run(store, filter="address")

    with pytest.raises(UsageError, match="no task failed, so there is nothing to run"):
        run(store, only_failed="latest")


def test_failed_task_that_is_gone_is_named() -> None:
    """It is not passed over."""
    store = MemoryStore()
    run(store)
    shorter = Suite(name="shop", tasks=TASKS[:2], grader=graders.equals())

    with pytest.raises(UsageError, match=r"task 'Refund' failed in run .*, and the suite has it no more"):
        passhat.run(shorter, echo, store=store, only_failed="latest")


def test_chosen_run_goes_on_with_its_own_tasks() -> None:
    """Nobody has to say again how they were chosen, nor how many trials there are."""
    store = MemoryStore()
    made = run(store, filter="refund-*", max_failures=1, concurrency=1)
    whole = passhat.run(SUITE, echo, store=store, resume=made.header.id)

    assert whole.header == made.header
    assert sum(1 for _ in whole.trials) == 4
