"""Everything that can be wrong before the first trial: all of it at once, and nothing is stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, api, faults, graders, perturbations
from passhat.agents import FunctionAgent
from passhat.errors import UsageError
from passhat.model.run import Run
from passhat.model.trial import Evidence, Grade
from tests.api.shop import echo, suite


def problems(made: object, agent: object = echo, **options: Any) -> list[str]:  # noqa: ANN401 - options of a run
    """The sentences with which a run is refused."""
    with pytest.raises(UsageError) as caught:
        passhat.run(made, agent, **{"store": "/nonexistent/never-opened.db", **options})  # type: ignore[arg-type]
    assert all("\n" not in problem for problem in caught.value.problems)
    return list(caught.value.problems)


OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "no trials": ({"trials": 0}, "trials:"),
    "negative trials": ({"trials": -1}, "trials:"),
    "half a trial": ({"trials": 2.5}, "trials:"),
    "trials as text": ({"trials": "10"}, "trials:"),
    "true trials": ({"trials": True}, "trials:"),
    "no concurrency": ({"concurrency": 0}, "concurrency:"),
    "seed as text": ({"seed": "7"}, "seed:"),
    "huge seed": ({"seed": 2**80}, "seed:"),
    "no time": ({"timeout": 0}, "timeout:"),
    "negative time": ({"timeout": -1}, "timeout:"),
    "time as text": ({"timeout": "1m"}, "timeout:"),
    "no number of seconds": ({"timeout": float("nan")}, "timeout:"),
    "endless time": ({"timeout": float("inf")}, "timeout:"),
    "unknown option": ({"trails": 5}, "trails"),
    "version as number": ({"version": 2}, "version:"),
    "label as number": ({"label": 2}, "label:"),
    "store as number": ({"store": 5}, "store"),
    "progress as text": ({"progress": "yes"}, "progress:"),
    "rules as text": ({"rules": "pass^5"}, "rules:"),
    "no rule in rules": ({"rules": [5]}, "rules:"),
    "a rule without its list": ({"rules": passhat.rules.at_least("pass^5", 0.8)}, "rules:"),
    "rule beyond the trials": ({"rules": [passhat.rules.at_least("pass^50", 0.8)], "trials": 10}, "50"),
    "nothing under": ({"clean": False}, "condition"),
    "under a number": ({"under": 5}, "under:"),
    "under a list of numbers": ({"under": [5]}, "under:"),
    "under nothing": ({"under": [None]}, "under:"),
    "fault not called": ({"under": [faults.rate_limit]}, "call it"),
    "perturbation not called": ({"under": [perturbations.typos]}, "call it"),
    "unknown fault": ({"under": "rate_limt(0.2)"}, "rate_limit"),
    "bad grammar": ({"under": "rate_limit("}, "character 12"),
    "bad rate": ({"under": "rate_limit(rate=2)"}, "rate"),
    "bad parameter": ({"under": "rate_limit(colour=red)"}, "colour"),
    "twice the same": ({"under": ["typos(0.1)", "typos(0.1)"]}, "listed 2 times"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_wrong_option_is_one_sentence(name: str) -> None:
    """Each wrong option is refused in one sentence that names it, before a store is opened."""
    options, word = OPTIONS[name]

    (problem,) = problems(suite(), _takes_tools, **options)

    assert word in problem


class _Till:
    def __init__(self) -> None:
        self.tools = {"pay": lambda amount: amount}


async def _takes_tools(message: str, tools: object) -> str:
    return message


@pytest.mark.parametrize(
    "under",
    [
        faults.rate_limit(),
        faults.rate_limit().at(0.2),
        perturbations.typos(0.1),
        faults.rate_limit() & perturbations.typos(0.1),
    ],
    ids=["fault", "injection", "perturbation", "condition"],
)
def test_one_condition_needs_no_list(under: Any, tmp_path: Path) -> None:  # noqa: ANN401 - several kinds
    """A single part or condition means itself, as a single text does."""
    run = passhat.run(
        suite(1, world=_Till),
        _takes_tools,
        under=under,
        trials=1,
        store=str(tmp_path / "runs.db"),
    )

    assert len(run.header.conditions) == 2


TASK = Task("a", "b", expect="c")
CIRCLE: list[object] = []
CIRCLE.append(CIRCLE)
SUITES: dict[str, tuple[Callable[[], object], str]] = {
    "none": (lambda: None, "a suite is a passhat.Suite"),
    "list of tasks": (lambda: [TASK], "a suite is a passhat.Suite"),
    "no tasks": (lambda: suite(0), "tasks: there is none"),
    "tasks are none": (lambda: Suite(tasks=None, grader=graders.equals()), "tasks:"),  # type: ignore[arg-type]
    "one task without a list": (lambda: Suite(tasks=TASK, grader=graders.equals()), "tasks:"),  # type: ignore[arg-type]
    "generator": (lambda: Suite(tasks=(each for each in [TASK]), grader=graders.equals()), "tasks:"),  # type: ignore[arg-type]
    "text": (lambda: Suite(tasks="abc", grader=graders.equals()), "tasks:"),  # type: ignore[arg-type]
    "no task in tasks": (lambda: Suite(tasks=[{"id": "a"}], grader=graders.equals()), "tasks[0]"),  # type: ignore[list-item]
    "two tasks of one id": (lambda: Suite(tasks=[TASK, TASK], grader=graders.equals()), "2 tasks have this id"),
    "empty id": (lambda: Suite(tasks=[Task(" ", "b")], grader=graders.equals()), "its id"),
    "id as number": (lambda: Suite(tasks=[Task(7, "b")], grader=graders.equals()), "its id"),  # type: ignore[arg-type]
    "input no JSON": (lambda: Suite(tasks=[Task("a", object())], grader=graders.equals()), "input"),  # type: ignore[arg-type]
    "tags as text": (lambda: Suite(tasks=[Task("a", "b", tags="xy")], grader=graders.equals()), "tags"),  # type: ignore[arg-type]
    "metadata as list": (lambda: Suite(tasks=[Task("a", "b", metadata=[1])], grader=graders.equals()), "metadata"),  # type: ignore[arg-type]
    "surrogate": (lambda: Suite(tasks=[Task("a", "\ud800")], grader=graders.equals()), "input"),
    "grader not called": (lambda: suite(grader=graders.equals), "call it: Equals()"),
    "function as grader": (lambda: suite(grader=echo), "graders.predicate"),
    "no grader": (lambda: suite(grader=None), "grader:"),
    "grader without expectation": (lambda: Suite(tasks=[Task("a", "b")], grader=graders.contains()), "expect"),
    "world as object": (lambda: suite(world=object()), "world:"),
    "name as number": (lambda: suite(name=5), "name"),
}


class Own(graders.Grader):
    """A grader of somebody's own."""

    def grade(self, evidence: Evidence) -> Grade:
        """Pass."""
        return Grade("own", passed=True)


class Raising(Own):
    """Asked for what it finds, or what it is, it raises."""

    @property
    def identity(self) -> str:
        """Raise."""
        raise RuntimeError("no name")

    def problems(self, task_id: str, expect: object) -> Sequence[str]:
        """Raise."""
        raise KeyError(expect)


class Odd(Own):
    """It says what nobody can use."""

    identity = 3  # type: ignore[assignment]

    def problems(self, task_id: str, expect: object) -> Sequence[str]:
        """One text instead of a list of them."""
        return "all is wrong"


class Nameless:
    """It grades, and that is all."""

    def grade(self, evidence: Evidence) -> Grade:
        """Pass."""
        return Grade("nameless", passed=True)


def test_grader_that_raises_is_a_problem_of_the_suite() -> None:
    """What a grader raises when it is asked is said with its place, once and not for each task."""
    found = problems(Suite(tasks=[Task("a", "b"), Task("c", "d")], grader=Raising()))

    assert [problem.split(" (test_refusals.py:")[0] for problem in found] == [
        "suite 'suite': grader: its identity raises RuntimeError: no name",
        "suite 'suite': grader: its problems() raises KeyError: None",
    ]


def test_grader_that_says_what_nobody_can_use() -> None:
    """An identity that is no text, and problems that are no list, are refused."""
    found = problems(Suite(tasks=[TASK], grader=Odd()))

    assert "grader: its identity is 3: let it be a text that names it and its parameters" in found[0]
    assert "grader: its problems() gives a list of sentences, not 'all is wrong'" in found[1]
    assert len(found) == 2


def test_grader_needs_an_identity() -> None:
    """Without an identity, runs with different graders could not be told apart."""
    (problem,) = problems(suite(grader=Nameless()))

    assert "grader: Nameless has no identity: give it one, a text that names it" in problem


NO_JSON: dict[str, tuple[Any, str]] = {
    "keys": ({1: 2}, "the key 1 is not a text"),
    "keys within": ({"a": [{1: 2}]}, "in ['a'][0] the key 1 is not a text"),
    "set": ({"x", "y"}, "it is a value of type set, which has no order: write a list"),
    "set within": ([{"a": {"x"}}], "[0]['a'] is a value of type set"),
    "frozen set": (frozenset("x"), "it is a value of type frozenset, which has no order: write a list"),
    "bytes": (b"x", "it is a value of type bytes, which would be read back as a text: decode it"),
    "date": (dt.date(2024, 2, 3), "it is a value of type date"),
    "itself": (CIRCLE, ""),
}


@pytest.mark.parametrize("field", ["input", "expect", "metadata"])
@pytest.mark.parametrize("name", NO_JSON)
def test_what_json_would_change_is_refused(name: str, field: str) -> None:
    """What would be read back as something else is refused before anything runs, with the place in it."""
    value, word = NO_JSON[name]
    task = Task("a", **{"input": "b", "expect": "c", field: {"deep": value}})  # type: ignore[arg-type]
    given = Task("a", **{"input": "b", "expect": "c", field: value})

    found = problems(Suite(tasks=[given], grader=graders.equals()))
    deep = problems(Suite(tasks=[task], grader=graders.equals()))

    assert any(f"task 'a': its {field} is not JSON: {word}" in problem for problem in found)
    assert any(f"task 'a': its {field} is not JSON: " in problem for problem in deep)


def test_tuple_is_a_list(tmp_path: Path) -> None:
    """A task may hold tuples: they are read back as lists, and a run goes on with either."""
    path = str(tmp_path / "runs.db")
    kinds: tuple[Any, Any] = ((1, ("a",)), [1, ["a"]])
    tuples, lists = (Suite(tasks=[Task("a", each)], grader=Own(), name="shop") for each in kinds)

    run = passhat.run(tuples, echo, trials=2, store=path)
    again = passhat.run(lists, echo, trials=2, store=path, resume="latest")

    assert run.header.tasks[0].input == kinds[1]
    assert again.header == run.header


@pytest.mark.parametrize("name", SUITES)
def test_wrong_suite_is_a_sentence(name: str) -> None:
    """Whatever is wrong with a suite is said in a sentence that names the place."""
    make, word = SUITES[name]

    assert any(word in problem for problem in problems(make()))


def test_all_problems_come_at_once() -> None:
    """One try shows every problem: of the suite, the agent, the conditions and the options."""
    made = Suite(tasks=[TASK, TASK, Task("", object())], grader=graders.equals, name="bad")  # type: ignore[arg-type]

    found = problems(made, agent="no agent", under=["rate_limt()", "typos(5)"], trials=0, concurrency=0)

    words = (
        "call it",
        "2 tasks",
        "its id",
        "input is not JSON",
        "an agent is",
        "rate_limt",
        "intensity",
        "trials:",
        "concurrency:",
    )
    assert all(any(word in problem for problem in found) for word in words)


class Bot:
    """A class of agents."""

    def __call__(self, message: str) -> str:
        """Answer."""
        return message


class Shy:
    """It does not say what it is called."""

    def __repr__(self) -> str:
        raise RuntimeError


AGENTS: dict[str, object] = {
    "text": "agent",
    "none": None,
    "class": Bot,
    "takes nothing": lambda: "x",
    "takes too much": lambda message, tools, more: "x",  # noqa: ARG005 - that is the point
    "needs a name": lambda message, *, model: "x",  # noqa: ARG005 - that is the point
    "seed alone": lambda *, seed: "x",  # noqa: ARG005 - that is the point
    "coroutine": 5,
    "shy": Shy(),
}


@pytest.mark.parametrize("name", AGENTS)
def test_agent_of_a_wrong_shape_is_a_sentence(name: str) -> None:
    """An agent that cannot be called as one is refused, with what an agent takes."""
    (problem,) = problems(suite(), AGENTS[name])

    assert "(input, tools)" in problem


def _yields(message: str) -> Iterator[str]:
    yield message


async def _yields_async(message: str) -> AsyncIterator[str]:
    yield message


class Yields:
    """An agent that is an object, whose call is a generator."""

    def __call__(self, message: str) -> Iterator[str]:
        """Answer, if anybody should ask for it."""
        yield message


@pytest.mark.parametrize("agent", [_yields, _yields_async, Yields(), partial(_yields)], ids=str)
def test_agent_that_is_a_generator_is_refused(agent: object) -> None:
    """A function with `yield` in it does nothing when it is called, and so is no agent."""
    (problem,) = problems(suite(), agent)

    assert "it has a 'yield'" in problem


def test_agent_that_names_itself_takes_no_other_name() -> None:
    """An adapter says what it is: a label beside it would be ignored, and is refused."""
    adapter = FunctionAgent(echo, label="itself")

    (problem,) = problems(suite(), adapter, label="other")

    assert "label, version: this agent says itself what it is, 'itself': leave them out" in problem


def test_refused_run_leaves_no_store(tmp_path: Path) -> None:
    """Nothing is made where nothing runs."""
    problems(suite(), trials=0, store=str(tmp_path / "runs.db"))

    assert list(tmp_path.iterdir()) == []


def _begun(path: Path) -> Run:
    """A run of three trials a task of which nothing is stored yet."""
    planned = api.plan(suite(), echo, trials=3, label="bot", version="1", seed=1)
    store = passhat.open_store(path, create=True)
    store.create(planned.header)
    run = store.open()
    store.close()
    return run


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 2}, "the seed was 1 and is 2 now"),
    "agent": ({"label": "other"}, "the agent was 'bot' and is 'other' now"),
    "version": ({"version": "2"}, "the agent's version was '1' and is '2' now"),
    "trials": ({"trials": 4}, "the trials per task was 3 and is 4 now"),
    "conditions": ({"under": "typos(0.1)"}, "condition 'typos(0.1)' is new"),
    "no clean condition": ({"under": "typos(0.1)", "clean": False}, "condition 'clean' is gone"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_resume_names_what_differs(name: str, tmp_path: Path) -> None:
    """A run goes on only as it began; what differs is named."""
    path = tmp_path / "runs.db"
    run = _begun(path)
    changed, sentence = CHANGES[name]
    options = {"trials": 3, "label": "bot", "version": "1", "seed": 1, **changed}

    found = problems(suite(), resume=run.header.id, store=str(path), **options)

    assert any(sentence in problem for problem in found)
    assert all(run.header.id in problem for problem in found)


def test_resume_names_changed_tasks(tmp_path: Path) -> None:
    """New, missing and changed tasks, and another grader, are named."""
    path = tmp_path / "runs.db"
    run = _begun(path)
    tasks = [Task("task-0", "other words", expect="x"), Task("task-9", "new", expect="x")]
    other = Suite(tasks=tasks, grader=graders.contains(), name="shop")

    found = problems(other, resume=run.header.id, store=str(path), trials=3, label="bot", version="1", seed=1)

    sentences = ("'task-0' has changed", "'task-9' is new", "'task-1' is gone", "the grader was")
    assert all(any(sentence in problem for problem in found) for sentence in sentences)


def test_resume_goes_on(tmp_path: Path) -> None:
    """A run goes on under its id, with the trials that it lacks, whatever the order of its tasks now."""
    path = tmp_path / "runs.db"
    begun = _begun(path)
    turned = Suite(tasks=list(suite().tasks)[::-1], grader=graders.equals(), name="shop")

    run = passhat.run(turned, echo, resume=begun.header.id, store=str(path), trials=3, label="bot", version="1", seed=1)
    again = passhat.run(turned, echo, resume="latest", store=str(path), trials=3, label="bot", version="1", seed=1)

    assert run.header == again.header == begun.header
    assert again.trials.counts().passed == (3, 3)


def test_resume_of_no_run_is_a_sentence(tmp_path: Path) -> None:
    """A run that isn't there, or a store that isn't, cannot go on."""
    assert "there is no store" in problems(suite(), resume="latest", store=str(tmp_path / "none.db"))[0]
    _begun(tmp_path / "runs.db")
    assert "there is no run 'zzz'" in problems(suite(), resume="zzz", store=str(tmp_path / "runs.db"))[0]
