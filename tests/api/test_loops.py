"""`run` works wherever it is called, `run_async` on its caller's own loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from tests.api.shop import echo, echo_blocking, suite

AGENTS = [echo, echo_blocking]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_run_in_a_script(agent: Callable[..., Any], tmp_path: Path) -> None:
    """Without a loop, `run` runs."""
    run = passhat.run(suite(), agent, trials=3, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().passed == (3, 3)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_run_within_a_running_loop(agent: Callable[..., Any], tmp_path: Path) -> None:
    """Within a running loop, as in a notebook, `run` runs on a loop of its own."""

    async def cell() -> Run:
        return passhat.run(suite(), agent, trials=3, store=str(tmp_path / "runs.db"))

    assert asyncio.run(cell()).trials.counts().passed == (3, 3)


@pytest.mark.asyncio
async def test_run_within_an_async_test(tmp_path: Path) -> None:
    """Within a test of pytest-asyncio `run` runs, too."""
    run = passhat.run(suite(), echo, trials=3, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().passed == (3, 3)


@pytest.mark.asyncio
async def test_run_async_uses_the_callers_loop(tmp_path: Path) -> None:
    """With `run_async` the agent runs on the caller's own loop and thread, and may use what lives there."""
    here = asyncio.get_running_loop(), threading.get_ident()
    seen = set()
    mine = asyncio.Lock()

    async def agent(message: str) -> str:
        async with mine:
            seen.add((asyncio.get_running_loop(), threading.get_ident()))
        return message

    run = await passhat.run_async(suite(), agent, trials=5, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().passed == (5, 5)
    assert seen == {here}


@pytest.mark.asyncio
async def test_cancelled_run_async_keeps_what_was_finished(tmp_path: Path) -> None:
    """A cancelled `run_async` ends as cancelled, and what had finished is stored."""
    path, reached = tmp_path / "runs.db", asyncio.Event()
    begun = 0

    async def agent(message: str) -> str:
        nonlocal begun
        begun += 1
        if begun > 5:
            reached.set()
            await asyncio.Event().wait()
        return message

    task = asyncio.ensure_future(passhat.run_async(suite(), agent, concurrency=2, store=str(path)))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    store = passhat.open_store(path, create=False)
    trials = list(store.open().trials)
    store.close()
    assert [trial.outcome for trial in trials] == [Outcome.PASS] * 5


def test_context_of_the_caller_reaches_the_agent(tmp_path: Path) -> None:
    """What the caller set in a context variable, an agent of either kind sees."""
    from contextvars import ContextVar

    request: ContextVar[str] = ContextVar("request", default="none")
    request.set("mine")
    seen = set()

    async def agent(message: str) -> str:
        seen.add(request.get())
        return message

    def blocking(message: str) -> str:
        seen.add(request.get())
        return message

    for each in (agent, blocking):
        passhat.run(suite(), each, trials=1, store=str(tmp_path / "runs.db"))

    assert seen == {"mine"}


def test_errors_come_back_to_the_caller(tmp_path: Path) -> None:
    """A usage error is raised where `run` was called."""
    with pytest.raises(UsageError):
        passhat.run(suite(), echo, trials=0, store=str(tmp_path / "runs.db"))


def test_run_measure_judge_render(tmp_path: Path) -> None:
    """The four steps of the program follow one another."""
    run = passhat.run(suite(), echo, trials=20, store=str(tmp_path / "runs.db"))
    summary = passhat.measure(run, k=5)
    verdict = passhat.judge(summary, passhat.rules.at_least("pass^5", 0.5))

    assert "shop" in passhat.render(summary, verdict)
    verdict.raise_for_status()
