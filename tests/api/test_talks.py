"""Runs of tasks with users, end to end: what is refused, what is stored, and that they go on and are made again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, api, faults
from passhat.errors import UsageError
from passhat.graders import predicate
from passhat.model.run import Run
from passhat.model.talk import Turn
from passhat.reports import evalrun_lines
from passhat.reports.trial import trial_text
from tests.engine.drive import passes
from tests.engine.talkers import ASKS, careful, customer, hasty, suite_with


def wanting(turns: Sequence[Turn]) -> Iterator[str]:
    """No user: a generator."""
    yield turns[-1].text


def endless(turns: Sequence[Turn]) -> str:
    """A user that is never done."""
    return f"{len(turns)} turns"


class Numbered:
    """A user whose version is no text."""

    version = 2

    def __call__(self, turns: Sequence[Turn]) -> None:
        """Say nothing."""


def ran(folder: Path, user: Any = customer, agent: Any = careful, **options: Any) -> Run:  # noqa: ANN401 - as `run`
    """A stored run."""
    options = {"trials": 2, "store": str(folder / "runs.db"), **options}
    return passhat.run(suite_with(user), agent, **options)


@pytest.mark.parametrize(
    ("user", "says"),
    [
        ("Order 7", "write it in brackets: ['Order 7']"),
        (7, "a function of the turns so far, not 7"),
        ([7], "a list of texts, not [7]"),
        (["\ud800"], "a list of texts, not "),
        (wanting, "its user has a 'yield'"),
        (Numbered, "not the class Numbered"),
        (Numbered(), "its user's version is a text, such as '2', not 2"),
        ({"a": 1}, "not {'a': 1}"),
    ],
)
def test_user_that_is_none_is_refused(user: object, says: str, tmp_path: Path) -> None:
    """Before anything runs, with the task's name and what would do."""
    with pytest.raises(UsageError) as caught:
        ran(tmp_path, user)

    (problem,) = caught.value.problems
    assert problem.startswith("suite 'shop': task 'task-0': its user")
    assert says in problem


@pytest.mark.parametrize("turns", [0, -1, 2.5, "many", True, None])
def test_turns_that_are_no_number_are_refused(turns: object, tmp_path: Path) -> None:
    """A talk has at least one turn."""
    with pytest.raises(UsageError, match="turns: a whole number from 1 on, not "):
        ran(tmp_path, turns=turns)


def test_stored_run_holds_the_talk_and_the_users_name(tmp_path: Path) -> None:
    """The turns are read back as they were; of a callable there is its name."""
    run = ran(tmp_path)

    assert [turn.text for turn in next(iter(run.trials)).turns][1] == ASKS
    assert run.header.tasks[0].user == "tests.engine.talkers.customer"
    assert run.header.provenance["turns"] == 20


def test_run_without_users_says_nothing_of_turns(tmp_path: Path) -> None:
    """What is stored of it is what it was."""
    suite = Suite(tasks=[Task("task", "text")], grader=predicate(passes))
    run = passhat.run(suite, lambda message: message, trials=1, store=str(tmp_path / "runs.db"))

    assert "turns" not in run.header.provenance


def test_run_goes_on_with_its_users(tmp_path: Path) -> None:
    """A run that is whole is found so, with a script and with a function."""
    for number, user in enumerate((customer, ["It is order 7"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = ran(folder, user)

        assert len(list(ran(folder, user, resume=run.header.id).trials)) == 2


def test_run_does_not_go_on_with_another_user(tmp_path: Path) -> None:
    """Another user is another task."""
    run = ran(tmp_path)

    with pytest.raises(UsageError, match="task 'task-0' has changed"):
        ran(tmp_path, ["It is order 7"], resume=run.header.id)


def test_run_does_not_go_on_with_another_limit(tmp_path: Path) -> None:
    """Talks that were ended sooner are other talks."""
    run = ran(tmp_path, turns=5)

    with pytest.raises(UsageError, match="the most turns of a user was 5 and is 6 now"):
        ran(tmp_path, turns=6, resume=run.header.id)


def test_replay_is_the_same_talk(tmp_path: Path) -> None:
    """A stored talk is made again, turn by turn, under its faults and with its limit of turns."""
    run = ran(tmp_path, endless, hasty, under=[faults.rate_limit(0.5)], turns=3, trials=4)

    assert {len(trial.turns) for trial in run.trials} >= {6}
    for one in run.trials:
        suite = suite_with(endless)
        again = api.replay(run, suite, hasty, one.task_id, one.index, one.condition)
        assert again.content() == one.content()


def test_replay_says_that_the_user_has_changed(tmp_path: Path) -> None:
    """By name, as of any other part of a task."""
    run = ran(tmp_path)

    with pytest.raises(UsageError, match="task 'task-0' has changed in user"):
        api.replay(run, suite_with(["other"]), careful, "task-0", 0, "clean")


def test_talk_is_shown(tmp_path: Path) -> None:
    """Who said what, and after which calls."""
    text = trial_text(next(iter(ran(tmp_path).trials)))

    assert (
        "talk\n"
        "  user   Please refund my order\n"
        "  agent  Which order is it?\n"
        "  user   It is order 7\n"
        "         (step 1)\n"
        "  agent  I have refunded order 7.\n"
    ) in text


def test_talk_is_counted_in_the_exchange_format(tmp_path: Path) -> None:
    """Its turns stand below x_passhat."""
    rows = [json.loads(line) for line in evalrun_lines(ran(tmp_path).trials)]

    assert [row["x_passhat"]["turns"] for row in rows] == [4, 4]


def test_secret_in_a_talk_is_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user or an agent says may hold a secret, and none gets into a store."""
    monkeypatch.setenv("SHOP_API_KEY", "hush-hush-0123456789")

    run = ran(tmp_path, ["my key is hush-hush-0123456789"])

    assert b"hush-hush-0123456789" not in (tmp_path / "runs.db").read_bytes()
    assert "my key is" in next(iter(run.trials)).turns[2].text


def test_half_a_surrogate_pair_in_a_talk_is_stored(tmp_path: Path) -> None:
    """Text that UTF-8 has no bytes for is escaped, and costs no trial."""
    run = ran(tmp_path, lambda turns: "\ud800" if len(turns) < 3 else None)

    assert next(iter(run.trials)).turns[2].text == "\\ud800"
