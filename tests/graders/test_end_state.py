"""The end state is compared with what is accepted: in one form, without what is ignored, in words where it differs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import pytest

from passhat.errors import UsageError
from passhat.graders import accepted_states, end_state, read_states, states_text
from passhat.graders._places import pattern_of
from passhat.graders._states import canonical, differences
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.outcome import Outcome
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade
from tests.engine.drive import drive, suite_of
from tests.recovery.hand import trial as made_trial


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


def test_clean_run_says_what_is_accepted() -> None:
    """Of each task the states in which its clean trials passed, each once; what failed or met a fault says nothing."""
    made = [
        made_trial(state={"paid": [5], "at": 1}),
        made_trial(state={"paid": [5], "at": 2}, index=1),
        made_trial(state={"paid": []}, index=2),
        made_trial(state={"paid": [5, 5]}, index=3, outcome=Outcome.FAIL),
        made_trial(state={"paid": [9]}, condition="server_error(rate=0.1)"),
        made_trial(index=4),
    ]

    assert accepted_states(made, ignore=["at"]) == {"t": [{"paid": [5]}, {"paid": []}]}


def test_file_of_states_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """It has one line a value and its keys in order, so that two files can be compared; what it holds is the same."""
    states: dict[str, list[Json]] = {"b": [{"z": 1, "a": "ü"}], "a": [[], None]}
    path = tmp_path / "accepted.json"
    path.write_text(states_text(states))

    assert read_states(path) == states
    assert states_text(read_states(path)) == states_text({"a": states["a"], "b": states["b"]})
    assert '      "a": "\\u00fc",\n      "z": 1\n' in path.read_text()


def test_state_is_compared_with_that_of_a_clean_run() -> None:
    """Each task has its own; ids that were made up anew are no difference, and whatever else is one."""
    ids = ["orders.*~", "last"]
    golden = accepted_states([made_trial(state={"orders": {"x7": {"total": 5}}, "last": "x7"})], ids=ids)
    grader = end_state(like=golden, ids=ids)

    assert golden == {"t": [{"orders": {"#1": {"total": 5}}, "last": "#1"}]}
    assert graded({"orders": {"y1": {"total": 5}}, "last": "y1"}, grader=grader).passed
    assert graded({"orders": {"y1": {"total": 6}}, "last": "y1"}, grader=grader).reason == "orders.#1.total is 6, not 5"
    assert not graded({"orders": {"y1": {"total": 5}}, "last": "y2"}, grader=grader).passed


def test_task_that_the_clean_run_did_not_pass_is_refused() -> None:
    """Before anything runs: a file without a state of the task judges nothing."""
    grader = end_state(like={"t": [1]})

    assert grader.problems("t", None) == ()
    assert grader.problems("u", None) == ("task 'u': end_state(like=…) holds no state of it: export them anew",)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"like": {}}, "like: accepted states are a mapping of a task's id to a list of states, and not empty"),
        ({"like": "accepted.json"}, "like: accepted states are a mapping of a task's id to a list of states"),
        ({"like": {"t": []}}, "like: task 't': its accepted states are a list with one or more"),
        ({"like": {"t": [{1}]}}, "end_state: like: "),
        ({"like": {"t": [1]}, "accept": [1]}, "accept and like both name the states; give one of them"),
        ({"ids": "orders.*.id"}, "ids is a list of names"),
    ],
)
def test_states_that_are_none_are_refused(settings: dict[str, Any], sentence: str) -> None:
    """What could judge nothing is refused where it is written."""
    with pytest.raises(UsageError, match=re.escape(sentence)):
        end_state(**settings)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("{", "no JSON"), ("[]", "accepted states are a mapping"), ('{"t": {}}', "its accepted states are a list")],
)
def test_file_that_holds_no_states_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence, which begins with the file."""
    path = tmp_path / "accepted.json"
    path.write_text(text)

    with pytest.raises(UsageError, match=sentence) as caught:
        read_states(path)
    assert str(caught.value).startswith(str(path))
    with pytest.raises(UsageError, match=r"gone\.json: cannot be read: No such file"):
        read_states(tmp_path / "gone.json")


def test_identity_says_which_states_it_was() -> None:
    """A digest of the states, whatever the order of their keys; other states and other ids are other graders."""
    one, other = {"t": [{"a": 1, "b": 2}]}, {"t": [{"b": 2, "a": 1}]}

    others = [end_state(like={"t": [1]}), end_state(like=one, ids=["a"]), end_state(accept=[1])]

    assert end_state(like=one).identity == end_state(like=other).identity
    assert len({end_state(like=one).identity, *(grader.identity for grader in others)}) == 4
