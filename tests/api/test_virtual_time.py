"""`time="virtual"`: who may have it, what says so afterwards, and that a run can be stopped and gone on with."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import api
from passhat.agents import Request
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from tests.api.shop import echo, echo_blocking, suite
from tests.children import LIMIT, hearing


def refused(agent: Any, **options: Any) -> list[str]:  # noqa: ANN401 - any agent, the options of a run
    """The sentences with which a run in virtual time is refused."""
    with pytest.raises(UsageError) as caught:
        passhat.run(suite(), agent, **{"time": "virtual", "store": "/nonexistent/never-opened.db", **options})
    return list(caught.value.problems)


async def sleepy(message: str) -> str:
    """Sleep for an hour, then say what was asked."""
    await asyncio.sleep(3600)
    return message


class Elsewhere:
    """An adapter for an agent of another process, which says nothing about the event loop's clock."""

    label = "elsewhere"
    version = ""
    blocking = False
    takes_tools = False

    async def start(self, request: Request) -> str:
        """Answer."""
        return str(request.input)


def test_blocking_agent_is_refused() -> None:
    """What a blocking agent waits for cannot be skipped."""
    (problem,) = refused(echo_blocking)

    assert problem.startswith("time: agent tests.api.shop.echo_blocking blocks its thread")


def test_agent_that_does_not_say_that_it_is_fit_is_refused() -> None:
    """An adapter has to say that its agent lives on the event loop."""
    (problem,) = refused(Elsewhere())

    assert problem.startswith("time: agent elsewhere works outside")


def test_adapter_that_says_so_is_fit(tmp_path: Path) -> None:
    """An adapter that says so may have virtual time."""

    class Here(Elsewhere):
        on_loop = True

    run = passhat.run(suite(), Here(), trials=1, time="virtual", store=str(tmp_path / "s.db"))

    assert run.trials.counts().passed == (1, 1)


@pytest.mark.parametrize("time", ["fast", "", None, 5, ["virtual"]])
def test_another_time_is_refused(time: object) -> None:
    """There are two kinds of time, and a problem beside this one is shown too."""
    problems = refused(echo, time=time, trials=0)

    assert [problem.split(":")[0] for problem in problems] == ["trials", "time"]
    assert repr(time) in problems[1]


def test_plan_refuses_what_run_refuses() -> None:
    """A plan of a run that could not be made is refused for the same reason."""
    with pytest.raises(UsageError, match="blocks its thread"):
        api.plan(suite(), echo_blocking, time="virtual")


def test_loop_of_the_caller_is_refused() -> None:
    """`run_async` runs on a loop whose clock is not ours; every problem is said at once."""

    async def main() -> None:
        await passhat.run_async(suite(), echo_blocking, time="virtual", store="/nonexistent/never-opened.db")

    with pytest.raises(UsageError) as caught:
        asyncio.run(main())

    assert ["run_async" in problem for problem in caught.value.problems] == [True, False]


def test_run_within_a_running_loop_may_have_it(tmp_path: Path) -> None:
    """`run` has a loop of its own wherever it is called, and leaves the caller's clock alone."""

    async def main() -> float:
        before = asyncio.get_running_loop().time()
        passhat.run(suite(), sleepy, trials=1, timeout=9000, time="virtual", store=str(tmp_path / "s.db"))
        return asyncio.get_running_loop().time() - before

    assert asyncio.run(main()) < 3600


def test_run_says_that_its_seconds_are_virtual(tmp_path: Path) -> None:
    """A run in virtual time carries it, and one in real time has nothing to say."""
    path = str(tmp_path / "s.db")
    virtual = passhat.run(suite(), sleepy, trials=1, timeout=9000, time="virtual", store=path)
    real = passhat.run(suite(), echo, trials=1, store=path)

    assert (virtual.header.provenance["time"], real.header.provenance.get("time")) == ("virtual", None)


def test_seconds_and_time_of_day_are_kept_apart(tmp_path: Path) -> None:
    """A trial took an hour of virtual time, and the next began at the time of day at which it did."""
    run = passhat.run(suite(), sleepy, trials=2, timeout=9000, concurrency=1, time="virtual", store=str(tmp_path / "s"))

    trials = list(run.trials)
    assert all(trial.seconds >= 3600 for trial in trials)
    assert max(trial.started_at for trial in trials) - min(trial.started_at for trial in trials) < 3600


@pytest.mark.parametrize(("first", "then"), [("real", "virtual"), ("virtual", "real")])
def test_run_goes_on_in_its_own_time(first: str, then: str, tmp_path: Path) -> None:
    """Seconds of both kinds are not mixed in one run."""
    path = str(tmp_path / "s.db")
    run = passhat.run(suite(), echo, trials=1, time=first, store=path)  # type: ignore[arg-type]

    (problem,) = refused(echo, trials=1, time=then, store=path, resume=run.header.id)

    assert f"the time was {first!r} and is {then!r} now" in problem


PROGRAM = """
import asyncio
import os
import signal
from pathlib import Path

from passhat import Suite, Task, graders

suite = Suite(tasks=[Task(f"t{i}", "say hello", expect="hello") for i in range(3)], grader=graders.contains())
begun = 0


async def agent(message):
    global begun
    begun += 1
    if begun == 8 and not Path("stopped").exists():
        Path("stopped").write_text("once")
        os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(3600)
    return "hello"
"""


def test_interrupted_run_goes_on(tmp_path: Path) -> None:
    """Ctrl-C stops a run that skips its waiting, and the rest can be run."""
    (tmp_path / "own.py").write_text(PROGRAM)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        words = ["run", "own.py", "--agent", "own.py", "-n", "500", "--time", "virtual", "--timeout", "9000", *more]
        command = hearing("-m", "passhat", *words)
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT, check=False)

    stopped = run()
    found = re.search(r"run (\w+) was stopped: ([\d,]+) of 1,500", stopped.stderr)

    assert (stopped.returncode, bool(found)) == (130, True), stopped.stderr
    assert found is not None
    assert run("--resume", found[1]).returncode == 0
    trials = list(api.open_store(tmp_path / "passhat.db").open(found[1]).trials)
    assert {trial.outcome for trial in trials} == {Outcome.PASS}
    assert len(trials) == 1500
