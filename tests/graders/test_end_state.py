"""The end state is compared with what is accepted: in one form, without what is ignored, in words where it differs."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from passhat.errors import UsageError
from passhat.graders import end_state
from passhat.graders._states import canonical, differences, pattern_of
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.outcome import Outcome
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade
from tests.engine.drive import drive, suite_of


def graded(state: Json, *, grader: end_state | None = None, expect: Json = None) -> Grade:
    """The grade of a trial that ended in this state."""
    evidence = Evidence(task_id="t", input="go", expect=expect, answer=Answer("done"), state=state)
    return (grader or end_state()).grade(evidence)


def test_state_is_compared_with_the_tasks() -> None:
    """Without states of its own the grader accepts the one that the task expects, whatever the order of its keys."""
    assert graded({"a": 1, "b": [1, 2]}, expect={"b": [1, 2], "a": 1.0}).passed
    assert not graded({"a": 1}, expect={"a": 2}).passed


def test_any_accepted_state_will_do() -> None:
    """Each of several states is as good."""
    grader = end_state(accept=[{"a": 1}, {"a": 2}])

    assert [graded({"a": a}, grader=grader).passed for a in (1, 2, 3)] == [True, True, False]


def test_difference_is_told_from_the_nearest() -> None:
    """The reason says where the state parts from the accepted one that is most like it, and the first places alone."""
    grader = end_state(accept=[{"a": 1, "b": 2, "c": 3}, {"z": 0}])

    assert graded({"a": 1, "b": 5, "d": 4}, grader=grader).reason == (
        "b is 5, not 2; c is not there; d is 4, and should not be there"
    )
    assert graded([1, 2, 3, 4], expect=[0, 0, 0, 0]).reason == "0 is 1, not 0; 1 is 2, not 0; 2 is 3, not 0, and 1 more"


def test_ignored_paths_may_be_anything() -> None:
    """What a path names is left out of both states; a star stands for any key or place."""
    grader = end_state(accept=[{"orders": {"7": {"total": 5}}}], ignore=["orders.*.at", "log"])

    assert graded({"orders": {"7": {"total": 5, "at": 17}}, "log": [1]}, grader=grader).passed
    assert not graded({"orders": {"7": {"total": 5, "by": 17}}}, grader=grader).passed


def test_order_counts_unless_it_is_said_not_to() -> None:
    """A list is compared in its order; one that is named as unordered as often as each item stands in it."""
    grader = end_state(accept=[{"lines": [1, 2, 2]}], unordered=["lines"])

    assert not graded({"lines": [2, 1, 2]}, expect={"lines": [1, 2, 2]}).passed
    assert graded({"lines": [2, 1, 2]}, grader=grader).passed
    assert not graded({"lines": [1, 1, 2]}, grader=grader).passed
    assert graded([2, 1], grader=end_state(accept=[[1, 2]], unordered=["."])).passed


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, "1"), (None, 0), ([], {}), (0.5, 0)])
def test_other_values_are_other_states(one: Json, other: Json) -> None:
    """A number is no truth and no text, and nothing is not zero."""
    assert differences(canonical({"x": one}), canonical({"x": other}))


def test_ignoring_comes_before_sorting() -> None:
    """Lists of records are alike where the records are, apart from what is ignored in each."""
    paths = {"ignore": [pattern_of("*.id")], "unordered": [pattern_of(".")]}

    assert canonical([{"id": 1, "a": 2}, {"id": 2, "a": 1}], **paths) == [{"a": 1}, {"a": 2}]


class Odd:
    """A world that shows something that is no JSON."""

    tools: tuple[()] = ()

    def snapshot(self) -> object:
        """Its state."""
        return {"orders": [{"made_by": Odd}]}


class Blind:
    """A world that shows nothing."""

    tools: tuple[()] = ()


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (Odd, "the world's snapshot is not JSON: ['orders'][0]['made_by'] is a value of type type"),
        (Blind, "end_state() needs a world with a snapshot(), and this one showed no state"),
    ],
)
def test_state_that_cannot_be_judged_is_void(world: type, sentence: str) -> None:
    """A snapshot that is no JSON, and a world without one, void the trial with one sentence."""
    suite = Suite(tasks=[Task("t", "go", expect={"orders": []})], grader=end_state(), world=world)

    trial = drive(suite, lambda message: message).trial

    assert trial.outcome is Outcome.VOID
    assert sentence in trial.detail


def test_task_without_a_state_is_refused() -> None:
    """Before anything runs: without accepted states the task must say what it expects."""
    assert end_state().problems("t", None) == (
        "task 't': end_state() compares with the state in 'expect', and the task has none",
    )
    assert end_state(accept=[1]).problems("t", None) == ()


def test_every_bad_setting_is_named_at_once() -> None:
    """States that are no list or no JSON, and texts for lists of paths, are refused together."""
    with pytest.raises(UsageError) as caught:
        end_state(accept={"a": 1}, ignore="a.b", unordered=[7])  # type: ignore[arg-type, list-item]
    assert len(caught.value.problems) == 3

    with pytest.raises(UsageError, match="an accepted state is JSON"):
        end_state(accept=[{"a": {1}}])  # type: ignore[dict-item]


def test_accepted_states_belong_to_the_identity() -> None:
    """Runs that were judged by other states are not compared."""
    identities = {end_state(accept=[state]).identity for state in (1, 2)} | {end_state(ignore=["a"]).identity}

    assert len(identities | {end_state().identity}) == 4


def test_trial_keeps_its_trace_where_the_snapshot_is_not_json() -> None:
    """What the agent did is in the trial that the world's snapshot spoiled."""

    class Keyed:
        """A world whose snapshot is keyed by numbers."""

        tools: ClassVar[Any] = {"pay": lambda: 5}

        def snapshot(self) -> object:
            """What was paid, by order."""
            return {7: 5}

    async def pays(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools of a world
        await tools.pay()
        return message

    trial = drive(suite_of(Keyed), pays).trial

    assert (trial.outcome, trial.detail) == ("VOID", "the world's snapshot is not JSON: the key 7 is not a text")
    assert [(call.tool, call.reply) for call in trial.trace] == [("pay", 5)]
