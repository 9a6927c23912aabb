"""A task with a user is a talk: who is asked when, where it ends, what is kept of it, and whose failure is whose."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from passhat import Answer, Task, faults, perturbations
from passhat.agents import FunctionAgent
from passhat.engine.guard import Guard
from passhat.engine.ledger import Late
from passhat.engine.making import CellPlan, Making
from passhat.engine.talking import Talks, overdue, unstopped
from passhat.engine.threads import Threads
from passhat.engine.watch import Slot
from passhat.errors import OutOfReach
from passhat.model.answer import Usage
from passhat.model.condition import Condition
from passhat.model.dice import TrialSeeds
from passhat.model.outcome import Outcome
from passhat.model.protocols import Request
from passhat.model.talk import Turn
from passhat.testing import FakeClock
from tests.engine.drive import drive, passes, suite_of
from tests.engine.talkers import (
    ASKS,
    FIRST,
    careful,
    careful_blocking,
    customer,
    hasty,
    patient,
    said,
    suite_with,
    talk,
)

NEVER = threading.Event()  # never set
SCRIPT = ["It is order 7"]
WHOLE = [("user", FIRST), ("agent", ASKS), ("user", "It is order 7"), ("agent", "I have refunded order 7.")]


@pytest.mark.parametrize("agent", [careful, careful_blocking])
@pytest.mark.parametrize("user", [SCRIPT, tuple(SCRIPT), customer, patient])
def test_user_and_agent_take_turns(user: object, agent: object) -> None:
    """The input comes first, then they answer each other, until the user is done; every kind of user does."""
    trial = talk(user, agent)

    assert said(trial) == WHOLE
    assert trial.outcome is Outcome.PASS


def test_last_answer_is_the_trials() -> None:
    """What an agent says on the way is no answer to the task."""
    trial = talk(customer)

    assert trial.answer == Answer("I have refunded order 7.")


def test_grader_sees_the_talk() -> None:
    """An agent that does not ask is told from one that does: by the end state, and by the turns."""
    seen: list[Sequence[Turn]] = []

    def grade(evidence: Any) -> bool:  # noqa: ANN401 - Evidence
        seen.append(evidence.turns)
        return any(turn.text == ASKS for turn in evidence.turns)

    outcomes = [drive(suite_with(customer, grade=grade), agent).trial.outcome for agent in (careful, hasty)]

    assert outcomes == [Outcome.PASS, Outcome.FAIL]
    assert [len(turns) for turns in seen] == [4, 2]


def test_turns_say_how_many_calls_came_before() -> None:
    """A grader can tell an agent that acted and then asked from one that asked first."""
    assert [turn.calls for turn in talk(customer).turns] == [0, 0, 0, 1]
    assert [turn.calls for turn in talk(customer, hasty).turns] == [0, 1]


def test_script_goes_on_whatever_is_answered() -> None:
    """A script is said to its end."""
    trial = talk(["one", "two"], hasty)

    assert [text for who, text in said(trial) if who == "user"] == [FIRST, "one", "two"]


def test_empty_script_says_nothing_more() -> None:
    """A talk of one turn."""
    assert len(talk([]).turns) == 2


def test_agent_gets_the_talk_so_far() -> None:
    """A function with a parameter named turns is given them, the latest words as the last."""
    given = []

    async def agent(message: str, *, turns: Sequence[Turn]) -> str:
        given.append((message, [turn.text for turn in turns]))
        return f"{len(turns)}"

    talk(["two", "three"], agent)

    assert given == [(FIRST, [FIRST]), ("two", [FIRST, "1", "two"]), ("three", [FIRST, "1", "two", "3", "three"])]


def test_agent_that_takes_turns_needs_no_user() -> None:
    """Where the task has no user the talk is its input, so that one agent serves both kinds of tasks."""

    async def agent(message: str, *, seed: int, turns: Sequence[Turn]) -> list[object]:
        return [seed > 0, message == turns[-1].text, len(turns)]

    trial = drive(suite_of(), agent).trial

    assert trial.answer == Answer([True, True, 1])
    assert trial.turns == ()


def test_memory_is_one_for_a_trial_and_no_other() -> None:
    """What an adapter keeps between turns is there at the next one, and gone with the trial."""

    class Counting:
        label, version, blocking, takes_tools = "counting", "", False, False

        async def start(self, request: Request) -> int:
            request.memory["calls"] = request.memory.get("calls", 0) + 1
            return int(request.memory["calls"])

    driven = drive(suite_with(["again"], grade=passes), Counting(), trials=3)

    assert [trial.answer and trial.answer.output for trial in driven.trials] == [2, 2, 2]


def test_answers_that_are_no_texts_are_turns_too() -> None:
    """An answer of JSON is said as JSON, and nothing as nothing."""

    async def agent(message: str) -> Any:  # noqa: ANN401 - any output
        return {"order": 7} if message == FIRST else None

    trial = talk(["and?"], agent)

    assert [text for who, text in said(trial) if who == "agent"] == ['{"order":7}', ""]


def test_handoff_ends_the_talk() -> None:
    """Once a person has taken over the user has nothing more to say to the agent."""

    async def agent(message: str) -> Answer:
        return Answer("A colleague will write to you.", handoff=True)

    trial = talk(["one", "two"], agent)

    assert len(trial.turns) == 2
    assert trial.answer is not None
    assert trial.answer.handoff


def test_what_all_answers_cost_is_added_up() -> None:
    """Usage is that of the talk; a figure that one answer does not tell is unknown."""

    async def agent(message: str) -> Answer:
        cost = 0.5 if message == FIRST else None
        return Answer("ok", usage=Usage(input_tokens=10, output_tokens=2, cost=cost, model="m"))

    trial = talk(["one", "two"], agent)

    assert trial.answer is not None
    assert trial.answer.usage == Usage(input_tokens=30, output_tokens=6, cost=None, model="m")


def test_endless_talk_is_ended_and_says_so() -> None:
    """A user that never stops has so many turns, and the detail says that there was more to say."""
    trial = talk(lambda _: "and?", hasty, turns=3)

    assert len(trial.turns) == 6
    assert trial.detail.endswith("the user had more to say after 3 turns: the talk was ended there")


def test_talk_that_just_fits_was_not_ended() -> None:
    """Nothing is said where the user was done at the limit."""
    trial = talk(SCRIPT, turns=2)

    assert (len(trial.turns), trial.detail) == (4, "")


@pytest.mark.parametrize("output", [asyncio.Event().wait, Answer("x", usage="much")])  # type: ignore[arg-type]
def test_answer_that_is_none_ends_the_talk(output: Any) -> None:  # noqa: ANN401 - any output
    """A forgotten await is a crash at whichever turn it comes, and nothing is said to it."""

    async def agent(message: str) -> Any:  # noqa: ANN401 - any output
        return output() if callable(output) else output

    trial = talk(["one", "two"], agent)

    assert (trial.outcome, len(trial.turns)) == (Outcome.CRASH, 1)


def test_agent_that_raises_keeps_the_talk() -> None:
    """What was said until then is kept."""

    async def agent(message: str) -> str:
        if message != FIRST:
            raise ValueError(message)
        return "yes?"

    trial = talk(["boom"], agent)

    assert trial.outcome is Outcome.CRASH
    assert said(trial) == [("user", FIRST), ("agent", "yes?"), ("user", "boom")]


# ------------------------------------------------------------------------------------------------ faults, wordings


def test_faults_are_those_of_one_trace() -> None:
    """A fault at the first call fires once in the whole talk, and the user can ask again."""
    trial = talk(customer, under=[faults.rate_limit()], clean=False)

    assert [(call.step, call.ok) for call in trial.trace] == [(1, False), (2, True)]
    assert [turn.calls for turn in trial.turns] == [0, 0, 0, 1, 1, 2]
    assert trial.outcome is Outcome.PASS


def test_first_words_are_worded_anew() -> None:
    """Another wording is that of the input; what the user says next is the user's own."""
    trial = talk(SCRIPT, under=[perturbations.typos(0.5)], clean=False)

    assert trial.turns[0].text == trial.input != FIRST
    assert trial.turns[2].text == SCRIPT[0]


@pytest.mark.parametrize("agent", [careful, careful_blocking])
def test_same_seed_is_the_same_talk_at_any_concurrency(agent: Callable[..., Any]) -> None:
    """What is said, called and decided does not hang on what runs beside it."""
    runs = [
        drive(
            suite_with(customer, tasks=3),
            agent,
            trials=4,
            seed=11,
            concurrency=concurrency,
            under=[faults.rate_limit(0.5)],
        ).contents
        for concurrency in (1, 8)
    ]

    assert runs[0] == runs[1]
    assert {len(trial.turns) for trial in runs[0]} > {4}


# ------------------------------------------------------------------------------------------------ whose failure


def raises(turns: Sequence[Turn]) -> str:
    """A user whose code is broken."""
    raise LookupError(f"no words for {turns[-1].text!r}")


async def raises_async(turns: Sequence[Turn]) -> str:
    """The same, async."""
    return raises(turns)


@pytest.mark.parametrize("user", [raises, raises_async])
def test_user_that_raises_makes_the_trial_void(user: object) -> None:
    """It says nothing about the agent; the place in the user's code is named, and what was said is kept."""
    trial = talk(user)

    assert trial.outcome is Outcome.VOID
    assert trial.detail.startswith(f"the task's user raised LookupError: no words for {ASKS!r} (test_talks.py:")
    assert len(trial.turns) == 2


@pytest.mark.parametrize("words", [7, ["a"], b"x"])
def test_user_that_says_no_text_makes_the_trial_void(words: object) -> None:
    """What a user says is a text or None."""
    trial = talk(lambda _: words)

    assert trial.outcome is Outcome.VOID
    assert trial.detail == f"the task's user said {words!r}, which is neither a text nor None"


def test_users_service_that_is_busy_is_asked_again() -> None:
    """A user that is a model may meet an outage: the trial is made again, and the try is kept."""
    tries = []

    def user(turns: Sequence[Turn]) -> str | None:
        tries.append(turns)
        if len(tries) == 1:
            raise OutOfReach("busy", busy=True, retry_after=0)
        return customer(turns)

    trial = talk(user)

    assert (trial.outcome, [attempt.outcome for attempt in trial.attempts]) == (Outcome.PASS, [Outcome.VOID])


def test_user_may_give_something_to_await() -> None:
    """A sync function around an async one is a user too."""

    def user(turns: Sequence[Turn]) -> Any:  # noqa: ANN401 - a coroutine
        return patient(turns)

    assert said(talk(user)) == WHOLE


async def hangs(turns: Sequence[Turn]) -> str:
    """A user that never speaks."""
    await asyncio.Event().wait()
    return "never"


def hangs_blocking(turns: Sequence[Turn]) -> str:
    """The same, on a thread."""
    NEVER.wait()
    return "never"


@pytest.mark.parametrize("user", [hangs, hangs_blocking])
def test_user_that_hangs_makes_the_trial_void(user: object) -> None:
    """The time of the talk is over, and it was not the agent that took it."""
    trial = talk(user, timeout=0.05)

    assert trial.outcome is Outcome.VOID
    assert trial.detail == "the task's user took more than half of the 0.05 s that a talk may take"


def test_agent_that_hangs_in_a_talk_is_a_timeout() -> None:
    """One limit for the whole talk."""

    async def agent(message: str) -> str:
        if message != FIRST:
            await asyncio.Event().wait()
        return "yes?"

    trial = talk(SCRIPT, agent, timeout=0.05)

    assert (trial.outcome, trial.detail) == (Outcome.TIMEOUT, "no answer within 0.05 s")
    assert len(trial.turns) == 3


def test_users_time_is_counted_apart() -> None:
    """What the user took is known of every talk, by the clock of the run, so that it is not the agent's."""
    clock = FakeClock()

    async def user(turns: Sequence[Turn]) -> str | None:
        clock.advance(5.0)
        return "more" if len(turns) < 6 else None

    async def agent(message: str) -> str:
        clock.advance(1.0)
        return message

    async def led() -> Making:
        task = Task("task", FIRST, user=user)
        making = Making(CellPlan(0, task, task.digest, Condition(()), seeds=TrialSeeds(0, task.id)), 0, 0.0)
        making.guard = Guard((), clock=clock.now, late=Late())
        talks = Talks(FunctionAgent(agent), Threads(), clock=clock.now, most=9)
        await talks.lead(Slot(lambda _: None), making, Request(FIRST, None, 0), None)
        return making

    making = asyncio.run(led())

    assert (len(making.turns), making.user_seconds, making.user_speaks) == (6, 15.0, False)


@pytest.mark.parametrize(("users", "outcome"), [(0.0, "TIMEOUT"), (30.0, "TIMEOUT"), (31.0, "VOID")])
def test_whoever_took_the_time_is_to_blame_for_its_end(users: float, outcome: str) -> None:
    """A talk whose time is over says nothing about an agent that took less than half of it."""
    task = Task("task", FIRST, user=[])
    making = Making(CellPlan(0, task, task.digest, Condition(()), seeds=TrialSeeds(0, task.id)), 0, 0.0)
    making.seconds, making.user_seconds = 60.0, users

    assert overdue(making, 60.0)[0] == outcome


@pytest.mark.parametrize(("speaks", "outcome", "who"), [(True, "VOID", "the task's user"), (False, "TIMEOUT", "agent")])
def test_whoever_does_not_stop_is_to_blame(speaks: bool, outcome: str, who: str) -> None:  # noqa: FBT001 - a parameter
    """A trial that is left behind is the agent's failure, unless it is the user that goes on."""
    task = Task("task", FIRST, user=[])
    making = Making(CellPlan(0, task, task.digest, Condition(()), seeds=TrialSeeds(0, task.id)), 0, 0.0)
    making.user_speaks = speaks

    said = unstopped(making, 60.0)

    assert said[0] == outcome
    assert who in said[1]


def test_virtual_time_waits_for_the_user() -> None:
    """The agent's waiting may be skipped, the user's not: what a user waits for is real."""
    skips = {}

    async def agent(message: str) -> str:
        await asyncio.sleep(3600)
        skips["agent"] = asyncio.get_running_loop().may_skip()  # type: ignore[attr-defined]
        return message

    async def user(turns: Sequence[Turn]) -> None:
        skips["user"] = asyncio.get_running_loop().may_skip()  # type: ignore[attr-defined]

    talk(user, agent, time="virtual", timeout=7200.0)

    assert skips == {"agent": True, "user": False}
