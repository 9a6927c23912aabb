"""What the measurements share: how one is written down, and how a run of passhat is set up without a command line."""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from passhat import Suite, Task, graders
from passhat.agents import FunctionAgent
from passhat.engine.execute import Execution
from passhat.engine.plan import Plan
from passhat.engine.settings import Progress, Settings
from passhat.model.condition import Condition
from passhat.model.protocols import Agent
from passhat.model.redact import Redactor
from passhat.model.run import Header
from passhat.stores import SqliteStore


def report(name: str, value: float, unit: str, *, floor: float, goal: str, **more: float | str) -> None:
    """Print one measurement as one JSON line; the ratio is what counts."""
    line = {"name": name, "value": round(value, 4), "unit": unit, "floor": round(floor, 4)}
    print(json.dumps({**line, "ratio": round(value / floor, 3), "goal": goal, **more}), flush=True)


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def cpu(work: Callable[[], object]) -> float:
    """The seconds of processor time that *work* takes, over all threads."""
    gc.collect()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def resident() -> float:
    """The megabytes of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def noop(message: str) -> str:
    """The agent that does nothing."""
    return "yes"


def run(agent: Agent | Callable[..., object], *, tasks: int, trials: int, concurrency: int, path: Path) -> Progress:
    """Run *agent* as `passhat.run` does, every trial stored."""
    suite = Suite(
        tasks=[Task(f"task-{number}", "Say yes.", expect="yes") for number in range(tasks)], grader=graders.equals()
    )
    adapter = agent if isinstance(agent, Agent) else FunctionAgent(agent)
    header = Header(
        id="bench",
        suite=suite.name,
        agent=adapter.label,
        tasks=tuple(suite.tasks),
        conditions=("clean",),
        grader=suite.grader.identity,
        trials=trials,
        seed=7,
    )
    plan = Plan(header, tasks=header.tasks, conditions=(Condition(),))
    store = SqliteStore(path)
    store.create(header)

    async def whole() -> Progress:
        settings = Settings(trials=trials, concurrency=concurrency)
        async with Execution(plan, suite, adapter, settings, wall=time.time) as execution:
            return await execution.run(store, Redactor(["a-secret-nobody-prints"]))

    progress = asyncio.run(whole())
    store.close()
    assert progress.outcomes == {"PASS": tasks * trials}, progress
    return progress
