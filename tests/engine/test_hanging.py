"""An agent that does not come to an end delays nothing: not its run, not other trials, not the end of the program."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from passhat.errors import TrialClosed
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from tests.engine.drive import drive, suite_of

LIMIT = 0.05
HUNG = threading.Event()  # never set


async def waits(message: str) -> str:
    """Await what never comes."""
    await asyncio.Event().wait()
    return "never"


def waits_blocking(message: str) -> str:
    """Wait for what never comes, on a thread."""
    HUNG.wait()
    return "never"


@pytest.mark.parametrize("agent", [waits, waits_blocking], ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_hung_agent_is_a_timeout(agent: Callable[..., Any], concurrency: int) -> None:
    """A trial over its limit is a TIMEOUT that says the limit, and the others run."""
    driven = drive(suite_of(tasks=3), agent, timeout=LIMIT, concurrency=concurrency)

    assert [trial.outcome for trial in driven.trials] == [Outcome.TIMEOUT] * 3
    assert all("0.05 s" in trial.detail for trial in driven.trials)
    assert all(trial.answer is None for trial in driven.trials)


def test_only_the_hung_trial_times_out() -> None:
    """A trial that hangs costs its neighbours nothing."""

    async def agent(message: str) -> str:
        return await waits(message) if "order 2 " in message else message

    driven = drive(suite_of(tasks=5), agent, timeout=LIMIT, concurrency=2)

    assert "".join(trial.outcome.letter for trial in driven.trials) == "PPTPP"


def test_answer_in_spite_of_being_asked_to_stop_is_a_timeout() -> None:
    """An agent that catches its cancellation and answers all the same was too late."""

    async def agent(message: str) -> str:
        try:
            return await waits(message)
        except asyncio.CancelledError:
            return "late"

    trial = drive(suite_of(), agent, timeout=LIMIT).trial

    assert trial.outcome is Outcome.TIMEOUT
    assert trial.answer is None


def test_error_in_spite_of_being_asked_to_stop_is_a_timeout() -> None:
    """An agent that raises something else when it is cancelled was too late, too."""

    async def agent(message: str) -> str:
        try:
            return await waits(message)
        except asyncio.CancelledError:
            raise ValueError from None

    assert drive(suite_of(), agent, timeout=LIMIT).trial.outcome is Outcome.TIMEOUT


class Door:
    """A world that is shared on purpose, to see who touches it."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.left = 0

    def __enter__(self) -> Self:
        """This world."""
        return self

    def __exit__(self, *_: object) -> None:
        """Note that it was left."""
        self.left += 1

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """One tool."""
        return {"open": self.open}

    def open(self, number: int) -> int:
        """Open the door."""
        self.opened.append(number)
        return number


def test_agent_that_goes_on_is_given_up() -> None:
    """An agent that swallows its cancellation and goes on is left behind: another worker makes the next trials.

    Its tools refuse from the time limit on, its world is torn down, and what it did in time stays in its trace.
    """
    door, refusals = Door(), []
    freed = asyncio.Event()

    async def agent(message: str, tools: Tools) -> str:
        if "order 0 " not in message:
            freed.set()
            return message
        await tools.open(number=1)
        try:
            await waits(message)
        except asyncio.CancelledError:
            await freed.wait()
        try:
            await tools.open(number=2)
        except TrialClosed as error:
            refusals.append(str(error))
        return "late"

    driven = drive(suite_of(lambda: door, tasks=2), agent, timeout=LIMIT, concurrency=1)

    hung, other = driven.trials
    assert (hung.outcome, other.outcome) == (Outcome.TIMEOUT, Outcome.PASS)
    assert "did not stop" in hung.detail
    assert door.opened == [1]
    assert [call.arguments for call in hung.trace] == [{"number": 1}]
    assert len(refusals) == 1
    assert driven.progress.late_calls == 1
    assert door.left == 2


def test_late_call_of_a_blocking_agent_touches_nothing() -> None:
    """After a timeout a blocking agent's calls raise, are counted, and reach neither a world nor another trace."""
    door, refused = Door(), threading.Event()
    over = threading.Event()

    def agent(message: str, tools: Tools) -> str:
        if "order 0 " in message:
            over.wait()
            try:
                tools.open(number=0)
            except TrialClosed:
                refused.set()
            return "late"
        tools.open(number=1)
        over.set()
        refused.wait()
        return "done"

    driven = drive(suite_of(lambda: door, tasks=2), agent, timeout=LIMIT, concurrency=1)

    hung, other = driven.trials
    assert hung.outcome is Outcome.TIMEOUT
    assert hung.trace == ()
    assert [call.arguments for call in other.trace] == [{"number": 1}]
    assert door.opened == [1]
    assert driven.progress.late_calls == 1


def test_cleaning_up_after_the_limit_is_too_late() -> None:
    """What an async agent does with its tools while it is being cancelled is refused, too."""
    door = Door()

    async def agent(message: str, tools: Tools) -> str:
        try:
            return await waits(message)
        finally:
            await tools.open(number=1)

    driven = drive(suite_of(lambda: door), agent, timeout=LIMIT)

    assert driven.trial.outcome is Outcome.TIMEOUT
    assert door.opened == []
    assert driven.trial.trace == ()
    assert driven.progress.late_calls == 1


def test_call_left_running_after_the_answer_is_too_late() -> None:
    """What an agent starts and leaves behind touches nothing once it has answered."""
    door = Door()

    async def later(tools: Tools) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await tools.open(number=1)

    left = []

    async def agent(message: str, tools: Tools) -> str:
        left.append(asyncio.get_running_loop().create_task(later(tools)))
        return "done"

    async def slow_grade(evidence: object) -> bool:
        await asyncio.wait(left)
        return True

    driven = drive(suite_of(lambda: door, grade=slow_grade), agent)

    assert isinstance(left[0].exception(), TrialClosed)
    assert door.opened == []
    assert driven.progress.late_calls == 1


class Stuck:
    """A world with a tool that never replies."""

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """A blocking tool and an async one."""
        return {"hang": HUNG.wait, "hang_async": asyncio.Event().wait}


@pytest.mark.parametrize("tool", ["hang", "hang_async"])
def test_call_that_never_came_back_is_in_the_trace(tool: str) -> None:
    """The trace of a TIMEOUT shows the call that it hung in, for agents of both kinds."""

    async def agent(message: str, tools: Tools) -> str:
        return str(await tools.hang_async())

    def blocking_agent(message: str, tools: Tools) -> str:
        return str(tools.call(tool))

    driven = [drive(suite_of(Stuck), blocking_agent, timeout=LIMIT)]
    if tool == "hang_async":
        driven.append(drive(suite_of(Stuck), agent, timeout=LIMIT))

    for one in driven:
        assert one.trial.outcome is Outcome.TIMEOUT
        (call,) = one.trial.trace
        assert (call.tool, call.executed, call.ok) == (tool, 1, False)


PROGRAM = """
import asyncio, gc, threading, sys
from tests.engine.drive import drive, suite_of

def blocking(message):
    threading.Event().wait()

async def stubborn(message):
    while True:
        try:
            await asyncio.get_running_loop().create_future()
        except BaseException:
            pass

driven = drive(suite_of(tasks=2), {agent}, timeout=0.05, concurrency=2)
gc.collect()
print("".join(trial.outcome.letter for trial in driven.trials), flush=True)
"""


@pytest.mark.parametrize("agent", ["blocking", "stubborn"])
def test_hung_agents_do_not_keep_the_program(agent: str) -> None:
    """A program goes on and ends although agents hang on threads of ours, or swallow whatever would end them."""
    root = Path(__file__).parents[2]

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{agent}", agent)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert (done.stdout, done.stderr, done.returncode) == ("TT\n", "", 0)
