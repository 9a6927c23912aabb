"""What a real service's outage spoiled is made again; what the agent did stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

from passhat import faults
from passhat.agents import HttpAgent
from passhat.errors import OutOfReach, ToolError
from passhat.graders import predicate
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade
from tests.agents.services import http, serving
from tests.agents.shops import anything
from tests.engine.drive import Driven, drive, suite_of


class BusyError(Exception):
    """What the client of a model's service raises, where the service may be asked again at once."""

    status_code = 429
    headers: ClassVar[Mapping[str, str]] = {"retry-after": "0"}


def failing(times: int, error: Callable[[], Exception] = BusyError) -> Callable[..., Any]:
    """An agent that meets this error so many times, and then answers."""
    left = [times]

    async def agent(message: str) -> str:
        await asyncio.sleep(5)
        if left[0]:
            left[0] -= 1
            raise error()
        return message

    return agent


def made(agent: Callable[..., Any], **options: Any) -> Driven:  # noqa: ANN401 - the options of a run
    """One trial, in virtual time."""
    return drive(suite_of(tasks=1), agent, time="virtual", **options)


def test_outage_is_tried_again() -> None:
    """The trial that counts is the one that came through; the others are kept with it, and are no part of its time."""
    trial = made(failing(2)).trial

    assert trial.outcome is Outcome.PASS
    assert [attempt.outcome for attempt in trial.attempts] == [Outcome.VOID] * 2
    assert "429" in trial.attempts[0].detail
    assert 5 <= trial.seconds < 6
    assert all(5 <= attempt.seconds < 6 for attempt in trial.attempts)


def test_outage_that_lasts_is_void() -> None:
    """After two more tries it is given up: nothing is known of the agent."""
    trial = made(failing(3)).trial

    assert trial.outcome is Outcome.VOID
    assert len(trial.attempts) == 2


def test_nothing_is_tried_again_where_nobody_wants_it() -> None:
    """`retries=0`."""
    assert made(failing(1), retries=0).trial.outcome is Outcome.VOID


@pytest.mark.parametrize("error", [lambda: ValueError("no"), lambda: ToolError("rate_limit", "429")])
def test_agents_own_failure_stands(error: Callable[[], Exception]) -> None:
    """A crash is the agent's, and is not tried away."""
    trial = made(failing(1, error)).trial

    assert (trial.outcome, trial.attempts) == (Outcome.CRASH, ())


def test_fault_is_never_taken_for_an_outage() -> None:
    """An agent that wraps the 429 of a fault into its client's own error has crashed, and slows nobody down."""

    async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        try:
            return str(await tools.look())
        except ToolError as error:
            raise BusyError from error

    suite = Suite(tasks=[Task("t", "x")], world=World, grader=predicate(anything))
    trial = drive(suite, agent, under=[faults.rate_limit()], clean=False).trial

    assert (trial.outcome, trial.attempts) == (Outcome.CRASH, ())


class World:
    """A place with one thing to look at."""

    tools = {"look": lambda: 1}  # noqa: RUF012 - nobody changes it


def test_world_that_is_out_of_reach_is_opened_again() -> None:
    """Each try has a world of its own."""
    opened: list[int] = []

    def world() -> World:
        opened.append(1)
        if len(opened) == 1:
            raise OutOfReach("the container did not start", retry_after=0)
        return World()

    suite = Suite(tasks=[Task("t", "x")], world=world, grader=predicate(anything))
    trial = drive(suite, failing(0), time="virtual").trial

    assert (trial.outcome, len(trial.attempts), len(opened)) == (Outcome.PASS, 1, 2)


def test_world_with_a_bug_is_not_opened_again() -> None:
    """It would fail each time."""
    opened: list[int] = []

    def world() -> World:
        opened.append(1)
        raise ValueError("no")

    suite = Suite(tasks=[Task("t", "x")], world=world, grader=predicate(anything))

    assert drive(suite, failing(0)).trial.outcome is Outcome.VOID
    assert len(opened) == 1


def test_grader_is_asked_again_and_the_agent_is_not() -> None:
    """The answer stands while a judge is out of reach."""
    asked: list[int] = []

    class Judge:
        identity = "judge"
        blocking = False

        def problems(self, task_id: str, expect: object) -> list[str]:
            return []

        def grade(self, evidence: Evidence) -> Grade:
            asked.append(1)
            if len(asked) < 3:
                raise BusyError
            return Grade("judge", passed=True)

    worked: list[str] = []

    async def agent(message: str) -> str:
        worked.append(message)
        return message

    trial = drive(Suite(tasks=[Task("t", "x")], grader=Judge()), agent, time="virtual").trial

    assert (trial.outcome, trial.attempts) == (Outcome.PASS, ())
    assert (len(asked), len(worked)) == (3, 1)


def test_service_that_is_busy_for_a_moment() -> None:
    """It is asked again when it said so; the trial passes."""
    answers = iter([http("", status="503 Service Unavailable", Retry_After="0"), http({"output": "ok"})])
    with serving(lambda _: next(answers)) as (url, _):
        trial = drive(suite_of(tasks=1), HttpAgent(f"{url}/agent")).trial

    assert trial.outcome is Outcome.PASS
    assert len(trial.attempts) == 1


def spends(message: str) -> Answer:
    """An agent that says what it cost."""
    return Answer(message, usage=Usage(input_tokens=90, output_tokens=10, cost=0.25))


@pytest.mark.parametrize(
    ("budget", "stored", "said"),
    [
        ({"max_cost": 1.0}, 4, "max_cost"),
        ({"max_tokens": 250}, 3, "max_tokens"),
        ({"max_tokens": 100_000}, 20, ""),
    ],
)
def test_run_ends_where_its_budget_does(budget: dict[str, Any], stored: int, said: str) -> None:
    """No more trials begin; what was made is stored, and the run says which part is spent."""
    driven = drive(suite_of(tasks=2), spends, trials=10, concurrency=1, **budget)

    assert len(driven.trials) == driven.progress.stored == stored
    assert driven.progress.spent.startswith(said)
    assert bool(driven.progress.spent) is bool(said)


def test_run_ends_after_so_many_failures() -> None:
    """Whoever sees that an agent does not work need not pay for more of it."""
    agent = failing(100, lambda: ValueError("no"))
    driven = drive(suite_of(tasks=2), agent, trials=10, concurrency=1, max_failures=3, time="virtual")

    assert len(driven.trials) == 3


def test_run_ends_when_its_time_is_over() -> None:
    """Its own time, not its agents': trials of five seconds each, one at a time."""
    driven = drive(suite_of(tasks=1), failing(0), trials=100, concurrency=1, max_time=24, time="virtual")

    assert len(driven.trials) == 5
    assert "max_time: 24 s are over" in driven.progress.spent
