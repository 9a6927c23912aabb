"""Each canary sings: without its fault any agent does the job, under it the trusting one fails and does not say so."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import faults
from passhat.demo.canaries import CANARIES, Canary
from passhat.demo.clerks import careful, read, trusting
from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.model.recovery import Aftermath, recovery
from passhat.model.run import Run
from passhat.model.task import Task
from passhat.model.verdict import Status

DINNER = {"guest": "ana", "dish": "green curry", "portions": 1, "without_nuts": True, "day": "2026-12-04"}
Clerk = Callable[..., Coroutine[Any, Any, Answer]]
SEEDS = 200
EVERY = pytest.mark.parametrize("canary", CANARIES.values(), ids=list(CANARIES))
TOOLS = [(canary, name, tool) for canary in CANARIES.values() for name, tool in canary.tools.items()]


def run(canary: Canary, clerk: Clerk, folder: Path, *, trials: int = 10) -> Run:
    """The canary's run, in virtual time; each trial of a task has a seed of its own."""
    store = str(folder / "canary.db")
    return passhat.run(canary.suite, clerk, under=canary.under, trials=trials, seed=7, time="virtual", store=store)


def aftermaths(made: Run) -> dict[str, set[Aftermath | None]]:
    """How the trials ended, by condition; None where no fault fired."""
    found: dict[str, set[Aftermath | None]] = {condition: set() for condition in made.header.conditions}
    for trial in made.trials:
        clean = made.trials.get(trial.task_id, "clean", trial.index)
        taken = recovery(trial, clean=clean)
        found[trial.condition].add(None if taken is None else taken.aftermath)
    return found


@EVERY
@pytest.mark.parametrize("clerk", [trusting, careful])
def test_every_job_is_done_where_nothing_goes_wrong(canary: Canary, clerk: Clerk, tmp_path: Path) -> None:
    """Without a fault both clerks pass every trial, over 200 seeds, and claim it."""
    made = passhat.run(canary.suite, clerk, trials=SEEDS, time="virtual", store=str(tmp_path / "clean.db"))

    assert {trial.outcome.value for trial in made.trials} == {"PASS"}
    assert all(trial.answer is not None and trial.answer.claims_success for trial in made.trials)


@EVERY
def test_trusting_clerk_fails_in_silence(canary: Canary, tmp_path: Path) -> None:
    """Under each fault every trial, over 200 seeds, meets it and ends in silent corruption."""
    clean, *under = aftermaths(run(canary, trusting, tmp_path, trials=SEEDS)).values()

    assert clean == {None}
    assert under == [{Aftermath.SILENT_CORRUPTION}] * len(canary.under)


@EVERY
def test_careful_clerk_recovers(canary: Canary, tmp_path: Path) -> None:
    """Under the same faults every trial of the careful clerk, over 200 seeds, meets the fault and recovers."""
    clean, *under = aftermaths(run(canary, careful, tmp_path, trials=SEEDS)).values()

    assert clean == {None}
    assert under == [{Aftermath.RECOVERED}] * len(canary.under)


@EVERY
@pytest.mark.parametrize(("clerk", "status"), [(trusting, Status.FAIL), (careful, Status.PASS)])
def test_rules_of_a_canary_tell_them_apart(canary: Canary, clerk: Clerk, status: Status, tmp_path: Path) -> None:
    """Ten trials of each task are enough for a verdict: one clerk fails, the other passes."""
    needed = [name for rule in canary.rules for name in rule.needs]
    summary = passhat.measure(run(canary, clerk, tmp_path), needed=needed)

    assert passhat.judge(summary, *canary.rules).status is status


@EVERY
def test_fault_that_nobody_meets_is_not_green(canary: Canary, tmp_path: Path) -> None:
    """An agent that calls no tool meets no fault, and gets no PASS for it."""

    async def idle(message: str, tools: object) -> Answer:
        return Answer("Done.")

    needed = [name for rule in canary.rules for name in rule.needs]
    summary = passhat.measure(run(canary, idle, tmp_path), needed=needed)

    assert passhat.judge(summary, *canary.rules).status is Status.INCONCLUSIVE


def test_each_pathway_has_one() -> None:
    """There are three canaries, each of a pathway of its own, and every fault of theirs has a name in the catalogue."""
    kinds = [injection.fault.term.name for canary in CANARIES.values() for injection in canary.under]

    assert list(CANARIES) == [canary.name for canary in CANARIES.values()]
    assert [canary.pathway for canary in CANARIES.values()] == [
        "orchestration",
        "state evolution",
        "environmental feedback",
    ]
    assert len(set(kinds)) == len(kinds)
    assert set(kinds) <= set(faults.FAULTS)


@EVERY
def test_canary_has_tasks_of_its_own(canary: Canary) -> None:
    """Three tasks at least, each asked in plain words, and none met in another canary."""
    others = {task.id for other in CANARIES.values() if other is not canary for task in other.suite.tasks}

    assert len(canary.suite.tasks) >= 3
    assert all(isinstance(task.input, str) for task in canary.suite.tasks)
    assert not others & {task.id for task in canary.suite.tasks}


@pytest.mark.parametrize(("canary", "name", "tool"), TOOLS, ids=[name for _, name, _ in TOOLS])
def test_model_could_use_the_tool(canary: Canary, name: str, tool: Callable[..., Any]) -> None:
    """Each tool has a docstring and types for all that it takes, which is what a model is told of it."""
    hints = typing.get_type_hints(tool)

    assert inspect.getdoc(tool)
    assert set(inspect.signature(tool).parameters) <= set(hints)
    assert [other for other, known, _ in TOOLS if known == name] == [canary]


@pytest.mark.parametrize(
    ("world", "tool", "arguments"),
    [
        ("orchestration", "get_ticket", {"ticket": "4999"}),
        ("orchestration", "hand_over", {"ticket": "4101", "team": "sales"}),
        ("orchestration", "tell_customer", {"ticket": "4101", "team": "nobody"}),
        ("state", "recall", {"guest": "eve"}),
        ("state", "order_dish", DINNER | {"guest": "eve"}),
        ("state", "order_dish", DINNER | {"dish": "soup"}),
        ("state", "order_dish", DINNER | {"portions": 0}),
        ("state", "order_dish", DINNER | {"portions": "one"}),
        ("state", "order_dish", DINNER | {"without_nuts": "yes"}),
        ("state", "order_dish", DINNER | {"day": "Monday"}),
        ("environment", "create_customer", {"email": "eve"}),
        ("environment", "list_repairs", {"customer": "C9"}),
        ("environment", "book_repair", {"customer": "C1", "job": "bell", "day": "2026-12-07"}),
        ("environment", "book_repair", {"customer": "C1", "job": "gears", "day": "Monday"}),
    ],
)
def test_tool_refuses_and_changes_nothing(world: str, tool: str, arguments: dict[str, Any]) -> None:
    """A call that makes no sense is refused in a service's words, and leaves the world as it was."""
    fresh = CANARIES[world].suite.world
    assert fresh is not None
    made = fresh()

    with pytest.raises(ToolError, match=r"^4\d\d "):
        made.tools[tool](**arguments)
    assert made.snapshot() == fresh().snapshot()


@pytest.mark.parametrize(
    ("world", "tool", "arguments"),
    [
        ("orchestration", "hand_over", {"ticket": "4101", "team": "billing"}),
        ("state", "order_dish", DINNER),
        ("environment", "book_repair", {"customer": "C1", "job": "gears", "day": "2026-12-07"}),
        ("environment", "create_customer", {"email": "eve@example.com"}),
    ],
)
def test_reply_is_a_copy(world: str, tool: str, arguments: dict[str, Any]) -> None:
    """What an agent does to a reply in its hand changes nothing in the world."""
    fresh = CANARIES[world].suite.world
    assert fresh is not None
    made = fresh()
    reply = made.tools[tool](**arguments)
    before = repr(made.snapshot())

    reply.clear()

    assert repr(made.snapshot()) == before


def test_tool_takes_what_a_model_may_write() -> None:
    """A ticket may be a number, and a guest's name as the request has it."""
    desk, kitchen = CANARIES["orchestration"].tools, CANARIES["state"].tools

    assert desk["get_ticket"](ticket=4101) == desk["get_ticket"](ticket="4101")
    assert kitchen["recall"](guest="Ana") == kitchen["recall"](guest="ana")
    assert kitchen["order_dish"](**DINNER | {"guest": "Ana"}) == DINNER


@EVERY
@pytest.mark.parametrize("clerk", [trusting, careful])
def test_clerk_admits_what_it_cannot_do(canary: Canary, clerk: Clerk, tmp_path: Path) -> None:
    """Where the tools only fail, or the request means nothing, a clerk claims no success and hands over."""
    asked = [*canary.suite.tasks, Task("odd", "Good morning!", expect=canary.suite.tasks[0].expect)]
    suite = passhat.Suite(tasks=asked, grader=canary.suite.grader, world=canary.suite.world)
    down = faults.server_error().at(1.0)
    made = passhat.run(suite, clerk, under=[down], clean=False, trials=1, store=str(tmp_path / "down.db"))

    answers = [trial.answer for trial in made.trials]
    assert all(answer is not None and answer.handoff and answer.claims_success is False for answer in answers)


def test_request_is_read_in_pairs() -> None:
    """What a request is about is paired with what shall become of it, however many there are."""
    subject, end = r"\d", r"[a-z]"

    assert read("1 a", subject, end) == [("1", "a")]
    assert read("1 & 2 a", subject, end) == [("1", "a"), ("2", "a")]
    assert read("1 a 2 b", subject, end) == [("1", "a"), ("2", "b")]
    assert read("1 a b", subject, end) == [("1", "a"), ("1", "b")]
    assert read("a 1", subject, end) == []
