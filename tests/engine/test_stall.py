"""Who blocks the event loop cannot be ended, but is named."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from passhat import Suite, Task, graders, run
from passhat.engine.stall import LOG
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect
from passhat.model.protocols import Tools
from passhat.model.trial import Call, Evidence, Grade


class Heard(logging.Handler):
    """Keeps what is logged, and lets the agent go on."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.enough = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())
        self.enough.set()


def test_an_agent_that_blocks_the_loop_is_named(tmp_path: Path) -> None:
    """A warning says that the loop does not turn and where; the trial is over its time limit, and the run goes on."""
    heard = Heard()
    LOG.addHandler(heard)

    async def blocker(message: str) -> str:
        heard.enough.wait()
        return "yes"

    suite = Suite(tasks=[Task("a", "Go.", expect="yes"), Task("b", "Go.", expect="yes")], grader=graders.equals())
    try:
        done = run(suite, blocker, trials=1, timeout=0.05, store=str(tmp_path / "s.db"))
    finally:
        LOG.removeHandler(heard)

    assert done.trials.counts().timed_out[0] == 1
    assert len(heard.said) == 1
    assert "test_stall.py" in heard.said[0]
    assert "in blocker" in heard.said[0]


class Slow:
    """A world, each of whose parts keeps the loop until somebody has said so."""

    def __init__(self, heard: Heard, part: str) -> None:
        self.heard, self.part = heard, part
        self.held("set-up")

    def held(self, part: str) -> None:
        """Keep the loop, where it is the turn of *part*."""
        if part == self.part:
            self.heard.enough.wait()

    @property
    def tools(self) -> dict[str, Callable[[], None]]:
        """One tool."""
        return {"hold": lambda: self.held("tool")}

    def snapshot(self) -> dict[str, str]:
        """Show nothing."""
        self.held("snapshot")
        return {}

    @contextmanager
    def entered(self) -> Iterator[Slow]:
        """This world as a context manager."""
        self.held("entry")
        yield self


@dataclass(frozen=True, slots=True)
class Hasty(graders.Grader):
    """A grader that says it only computes."""

    world: list[Slow]
    blocking = False

    def grade(self, evidence: Evidence) -> Grade:
        """Pass, when it likes."""
        self.world[0].held("grader")
        return Grade("hasty", passed=evidence.output == "yes")


CULPRITS = {
    "set-up": ("the world's set-up", "in world", "VOID", "the world's set-up took longer than 0.05 s"),
    "entry": ("the world's set-up", "in world", "VOID", "the world's set-up took longer than 0.05 s"),
    "tool": ("a tool", "in <lambda>", "TIMEOUT", "no answer within 0.05 s"),
    "snapshot": ("the world's snapshot", "in snapshot", "VOID", "the world's snapshot took longer than 0.05 s"),
    "grader": ("the grader", "in grade", "PASS", ""),
    "task": ("a task of the agent", "in later", "TIMEOUT", "no answer within 0.05 s"),
}


@pytest.mark.parametrize("part", CULPRITS)
def test_whoever_blocks_the_loop_beside_an_async_agent_is_named(part: str, tmp_path: Path) -> None:
    """What is sync beside an async agent is named, with its line; what is over its limit is no clean trial."""
    heard, worlds = Heard(), []
    LOG.addHandler(heard)

    @contextmanager
    def world() -> Iterator[Slow]:
        worlds.append(Slow(heard, part))
        with worlds[-1].entered() as entered:
            yield entered

    async def later() -> str:
        if part == "task":
            heard.enough.wait()
        return "yes"

    async def agent(message: str, tools: Tools) -> str:
        await tools.hold()
        return await asyncio.create_task(later())

    suite = Suite(tasks=[Task("a", "Go.", expect="yes")], grader=Hasty(worlds), world=world)
    who, where, outcome, detail = CULPRITS[part]
    try:
        done = run(suite, agent, trials=1, timeout=0.05, store=str(tmp_path / "s.db"))
    finally:
        LOG.removeHandler(heard)

    (trial,) = done.trials
    assert len(heard.said) == 1
    assert heard.said[0].startswith(f"{who} has kept the event loop busy for 0.05 s at test_stall.py:")
    assert where in heard.said[0]
    assert (trial.outcome, trial.detail) == (outcome, detail)


@dataclass(frozen=True, slots=True)
class Holds(Fault):
    """A fault that waits before it has decided, but not where it is asked about made-up calls."""

    enough: ClassVar[threading.Event] = threading.Event()

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Decide nothing, when it likes."""
        if call.tool == "hold" and reply == "held":
            self.enough.wait()
        return PROCEED


def test_a_fault_that_blocks_the_loop_is_told_what_faults_do(tmp_path: Path) -> None:
    """A fault is never async, so that is not what it is advised to be."""
    heard = Heard()
    heard.enough = Holds.enough
    LOG.addHandler(heard)

    class World:
        tools: ClassVar[Any] = {"hold": lambda: "held"}

    async def agent(message: str, tools: Tools) -> str:
        return str(await tools.hold())

    suite = Suite(tasks=[Task("a", "Go.", expect="held")], grader=graders.equals(), world=World)
    try:
        run(suite, agent, under=[Holds()], clean=False, trials=1, timeout=0.05, store=str(tmp_path / "s.db"))
    finally:
        LOG.removeHandler(heard)

    (said,) = heard.said
    assert said.startswith("a fault has kept the event loop busy")
    assert said.endswith("A fault decides at once, and waits by what it decides, as with Delay(2)")


def test_a_loop_that_turns_is_left_alone(tmp_path: Path) -> None:
    """An agent that awaits longer than the watch looks gives no warning."""
    heard = Heard()
    LOG.addHandler(heard)

    async def waiter(message: str) -> str:
        await asyncio.get_running_loop().create_future()
        return "never"

    suite = Suite(tasks=[Task("a", "Go.", expect="yes")], grader=graders.equals())
    try:
        run(suite, waiter, trials=3, concurrency=1, timeout=0.05, store=str(tmp_path / "s.db"))
    finally:
        LOG.removeHandler(heard)

    assert heard.said == []
