"""An agent that calls its tools in a loop keeps nobody from their turn, and no trial outgrows the memory."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from passhat.engine.execute import Control
from passhat.engine.ledger import MOST_CALLS
from passhat.engine.settings import Progress
from passhat.errors import ToolError, TrialClosed
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Evidence
from passhat.reports.trial import trial_text
from tests.engine.drive import drive, suite_of

LIMIT = 0.05
FAULTY: dict[str, Any] = {"under": ["rate_limit(rate=1)"], "clean": False}


class Counter:
    """A world whose one tool is a plain function: no call of it waits for anything."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """One tool that counts."""
        return {"add": self.add}

    def add(self) -> int:
        """Count one more."""
        self.count += 1
        return self.count


async def retries(message: str, tools: Tools) -> str:
    """Try again until it works."""
    while True:
        try:
            return str(await tools.add())
        except Exception as error:  # noqa: BLE001 - the naive retrier
            str(error)


async def repeats(message: str, tools: Tools) -> str:
    """Call a tool that works, without end."""
    while True:
        await tools.add()


def retries_blocking(message: str, tools: Tools) -> str:
    """Try again until it works, on a thread."""
    while True:
        try:
            return str(tools.add())
        except Exception as error:  # noqa: BLE001 - the naive retrier
            str(error)


@pytest.mark.parametrize("agent", [retries, retries_blocking], ids=lambda agent: agent.__name__)
def test_endless_retries_are_a_timeout(agent: Callable[..., Any]) -> None:
    """An agent that meets a fault at every call and never gives up is a TIMEOUT like any other that hangs."""
    driven = drive(suite_of(Counter, tasks=2), agent, timeout=LIMIT, concurrency=1, **FAULTY)

    assert [trial.outcome for trial in driven.trials] == [Outcome.TIMEOUT] * 2
    assert all(trial.detail == "no answer within 0.05 s" for trial in driven.trials)


def test_endless_calls_of_a_sync_tool_are_a_timeout() -> None:
    """An async agent whose tool never waits is ended by its time limit, too."""
    driven = drive(suite_of(Counter, tasks=2), repeats, timeout=LIMIT, concurrency=1)

    assert [trial.detail for trial in driven.trials] == ["no answer within 0.05 s"] * 2


@pytest.mark.parametrize("options", [{}, FAULTY], ids=["clean", "faulty"])
def test_calls_in_a_loop_leave_others_their_turn(options: dict[str, Any]) -> None:
    """While one async agent calls a tool without end, another trial on the same loop begins and ends."""
    freed = asyncio.Event()

    async def agent(message: str, tools: Tools) -> str:
        if "order 1 " in message:
            freed.set()
        while not freed.is_set():
            try:
                await tools.add()
            except ToolError as error:
                str(error)
        return message

    driven = drive(suite_of(Counter, tasks=2), agent, concurrency=2, **options)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 2


def test_run_can_be_stopped_while_an_agent_loops() -> None:
    """A stop, as of one Ctrl-C, is heard although an agent calls its tool without a break."""
    control, heard = Control(), threading.Event()

    def progress(progress: Progress) -> None:
        if progress.stopping:
            heard.set()

    async def agent(message: str, tools: Tools) -> str:
        control.stop()
        while not heard.is_set():
            await tools.add()
        return message

    driven = drive(suite_of(Counter, tasks=3), agent, concurrency=1, control=control, progress=progress)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS]


@pytest.mark.parametrize("options", [{}, FAULTY], ids=["clean", "faulty"])
def test_refused_call_ends_a_retrier(options: dict[str, Any]) -> None:
    """What a late call raises is no `Exception`, so a retrier on a thread ends with its trial, and does not spin."""
    raised: list[BaseException] = []
    over = threading.Event()

    def agent(message: str, tools: Tools) -> str:
        try:
            while True:
                try:
                    tools.add()
                except Exception as error:  # noqa: BLE001 - the naive retrier
                    str(error)
        except BaseException as error:
            raised.append(error)
            raise
        finally:
            over.set()

    driven = drive(suite_of(Counter), agent, timeout=LIMIT, **options)
    over.wait()

    assert driven.trial.outcome is Outcome.TIMEOUT
    assert [type(error) for error in raised] == [TrialClosed]


MORE = 250


async def calls(message: str, tools: Tools) -> str:
    """Call a tool more often than a trace is long."""
    for _ in range(MOST_CALLS + MORE):
        try:
            await tools.add()
        except ToolError as error:
            str(error)
    return message


def calls_blocking(message: str, tools: Tools) -> str:
    """The same on a thread."""
    for _ in range(MOST_CALLS + MORE):
        try:
            tools.add()
        except ToolError as error:
            str(error)
    return message


AGENTS = (calls, calls_blocking)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_trace_keeps_the_first_calls_and_counts_the_rest(agent: Callable[..., Any]) -> None:
    """A trial holds its first calls and says how many came after; its grader is told, too, and every call is made."""
    seen: list[int] = []
    worlds: list[Counter] = []

    def world() -> Counter:
        worlds.append(Counter())
        return worlds[-1]

    def grade(evidence: Evidence) -> bool:
        seen.append(evidence.calls_left_out)
        return True

    trial = drive(suite_of(world, grade=grade), agent).trial

    assert [call.step for call in trial.trace] == list(range(1, MOST_CALLS + 1))
    assert trial.calls_left_out == MORE
    assert seen == [MORE]
    assert worlds[0].count == MOST_CALLS + MORE


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_faults_fire_and_are_counted_beyond_the_trace(agent: Callable[..., Any]) -> None:
    """A fault that fires at every call does so after the trace is full, and the trial says how often."""
    worlds: list[Counter] = []

    def world() -> Counter:
        worlds.append(Counter())
        return worlds[-1]

    trial = drive(suite_of(world), agent, **FAULTY).trial

    assert len(trial.trace) == len(trial.faults) == MOST_CALLS
    assert (trial.calls_left_out, trial.faults_left_out) == (MORE, MORE)
    assert worlds[0].count == 0


def test_fault_that_fires_late_is_kept() -> None:
    """Where the first fault fires after the trace is full, the trial still shows that it was exposed."""
    trial = drive(suite_of(Counter), calls, under=[f"rate_limit(dose=once_at({MOST_CALLS + 7}))"], clean=False).trial

    assert [event.step for event in trial.faults] == [MOST_CALLS + 7]
    assert trial.exposed


def test_calls_at_one_time_fill_the_trace_no_further() -> None:
    """Calls that run side by side are held to the same number."""

    async def agent(message: str, tools: Tools) -> str:
        await asyncio.gather(*(tools.add() for _ in range(MOST_CALLS + MORE)))
        return message

    trial = drive(suite_of(Counter), agent).trial

    assert len(trial.trace) == MOST_CALLS
    assert trial.calls_left_out == MORE


def test_report_of_a_trial_says_what_was_left_out() -> None:
    """`passhat show` counts the calls and the fired faults that the trial does not hold."""
    text = trial_text(drive(suite_of(Counter), calls, **FAULTY).trial)

    assert f"{MORE} later calls came after these and were not kept" in text
    assert f"{MORE} later ones fired after these and were not kept" in text
