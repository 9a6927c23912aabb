"""Drives an execution from a suite to the stored trials, without the program around it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from passhat.agents import FunctionAgent
from passhat.engine.binding import Catalogue
from passhat.engine.execute import Control, Execution
from passhat.engine.plan import Address, Plan
from passhat.engine.settings import Progress, Settings
from passhat.engine.thread import in_thread
from passhat.engine.virtual import VirtualLoop
from passhat.graders import predicate
from passhat.model.protocols import Agent, Store
from passhat.model.redact import Redactor
from passhat.model.run import Header
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade, Trial
from passhat.stores import SqliteStore


@dataclass(frozen=True, slots=True)
class Driven:
    """What an execution left: its trials as they are read back, and how far it said it had come."""

    trials: Sequence[Trial]
    progress: Progress

    @property
    def trial(self) -> Trial:
        """The one trial."""
        (only,) = self.trials
        return only

    @property
    def contents(self) -> Sequence[Trial]:
        """The trials without their times."""
        return [trial.content() for trial in self.trials]


def passes(evidence: Evidence) -> bool:
    """Pass whatever was answered."""
    return evidence.answer is not None


def suite_of(world: Callable[[], Any] | None = None, *, tasks: int = 1, grade: Callable[..., Any] = passes) -> Suite:
    """A suite of some tasks that differ in their ids and numbers."""
    asked = [Task(f"task-{number}", f"please refund order {number} for the customer") for number in range(tasks)]
    return Suite(tasks=asked, grader=predicate(grade), world=world, name="shop")


def plan_of(suite: Suite, settings: Settings, *, run_id: str = "run-1") -> Plan:
    """The plan of a run of *suite*."""
    conditions = Catalogue().conditions(settings.under, clean=settings.clean)
    header = Header(
        id=run_id,
        suite=suite.name,
        agent="agent",
        tasks=tuple(task.stored for task in suite.tasks),
        conditions=tuple(condition.name for condition in conditions),
        grader="grader",
        trials=settings.trials,
        seed=settings.seed,
    )
    return Plan(header, tasks=tuple(suite.tasks), conditions=conditions)


async def execute(
    plan: Plan,
    suite: Suite,
    agent: Agent | Callable[..., Any],
    settings: Settings,
    *,
    store: Store,
    done: Collection[Address] = (),
    control: Control | None = None,
    secrets: Sequence[str] = (),
) -> Progress:
    """Carry out *plan* on the running loop; the store holds the run already."""
    adapter = agent if isinstance(agent, Agent) else FunctionAgent(agent)
    async with Execution(plan, suite, adapter, settings, wall=time.time) as execution:
        if control is not None:
            control.attach(execution)
        return await execution.run(store, Redactor(secrets), done)


def drive(
    suite: Suite,
    agent: Agent | Callable[..., Any],
    *,
    control: Control | None = None,
    **options: Any,  # noqa: ANN401 - the options of a run
) -> Driven:
    """Run *agent* on *suite*, once a task unless *options* say otherwise."""
    steering = control or Control()
    settings = Settings(**{"trials": 1, "timeout": 20.0, **options})
    plan = plan_of(suite, settings)
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "runs.db")
        store.create(plan.header)
        make_loop = VirtualLoop if settings.virtual else asyncio.new_event_loop
        begin = partial(execute, plan, suite, agent, settings, store=store, control=steering)
        progress = in_thread(begin, steering, make_loop=make_loop)
        trials = tuple(store.open().trials)
        store.close()
    return Driven(trials, progress)


def grade(*, passed: bool) -> Grade:
    """A grade that says so."""
    return Grade("test", passed=passed)
