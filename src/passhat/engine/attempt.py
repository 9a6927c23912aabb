"""One trial, from a fresh world to a grade. Whatever happens in it becomes data: here are the fences.

The agent's failure is CRASH or TIMEOUT. The surroundings' failure (the world, a perturbation, a fault that breaks its
contract, the grader) is VOID. Only a stop from outside, and a bug of ours, passes through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from passhat.engine import printing
from passhat.engine.guard import Guard, Late
from passhat.engine.making import CellPlan, Making, Void
from passhat.engine.settings import Settings
from passhat.engine.threads import AgentThread, Threads
from passhat.engine.watch import NEVER, Slot, Watch, clock_of
from passhat.engine.where import where
from passhat.engine.worlds import Opened, open_world
from passhat.model.answer import Answer
from passhat.model.outcome import Outcome
from passhat.model.plain import plain
from passhat.model.protocols import Agent, Request
from passhat.model.task import Suite
from passhat.model.trial import Evidence, Grade, Trial
from passhat.surfaces.base import Toolbox, toolbox
from passhat.surfaces.python_tools import PythonTools

_NO_WORLD = Opened(None)
_NO_TOOLS: Toolbox = {}
_GRACE = 2.0
_PASS, _FAIL = Outcome.PASS, Outcome.FAIL  # looked up once: an enum's member costs more than a name


class Attempts:
    """Makes the trials of one run. It holds what they share, and nothing of any one of them."""

    def __init__(self, suite: Suite, agent: Agent, settings: Settings, *, wall: Callable[[], float]) -> None:
        """Trials of *agent* on *suite*; *wall* tells the time of day."""
        self._loop = asyncio.get_running_loop()
        self._clock = clock_of(self._loop)
        self._wall = wall
        self._world = suite.world
        self._grader = suite.grader
        self._agent = agent
        self._limit = float(settings.timeout)
        self._capture = settings.capture
        self._surface = PythonTools()
        self.threads = Threads()
        self.late = Late()
        self._no_guard = Guard((), clock=self._clock, late=self.late)
        self.watch = Watch(self._limit, _GRACE)

    async def make(self, slot: Slot, cell: CellPlan, index: int) -> Trial:
        """The trial of *cell* with this index, made by the worker in *slot*."""
        making = Making(cell, index)
        started_at = self._wall()
        printed = printing.begin() if self._capture else ""
        try:
            await self._lead(slot, making)
        except Void as void:
            making.end(Outcome.VOID, str(void))
        finally:
            if self._capture:
                printing.end()
        return making.trial(started_at=started_at, printed=str(printed))

    def given_up(self, cell: CellPlan, index: int) -> Trial:
        """The trial of an agent that went on after its time was over and it had been asked to stop."""
        making = Making(cell, index)
        making.end(Outcome.TIMEOUT, f"no answer within {self._limit:g} s, and the agent did not stop when asked to")
        making.seconds = self._limit
        return making.trial(started_at=self._wall() - self._limit, printed="")

    async def _lead(self, slot: Slot, making: Making) -> None:
        """World, agent, end state, tear-down, grade."""
        given = making.word() if making.cell.perturbations else making.cell.task.input
        guard = Guard(making.arm(), clock=self._clock, late=self.late) if self._agent.takes_tools else self._no_guard
        blocking = self._agent.blocking
        thread = self.threads.take() if blocking else None
        if blocking and guard is not self._no_guard:
            guard.for_threads(self._loop)
        try:
            opened = _NO_WORLD if self._world is None else await self._open(thread)
            try:
                tools = self._tools(guard, opened) if guard is not self._no_guard else None
                await self._ask(slot, making, Request(given, tools, making.seed), thread)
                making.take(guard, blocking=blocking)
                if opened is not _NO_WORLD:
                    making.state = await _state(opened.world, thread)
            finally:
                guard.close()
                if opened.leave is not None:
                    making.tear_down = await opened.close(self._limit)
        finally:
            if thread is not None:
                self.threads.give_back(thread)
        if guard.broken:
            raise Void(guard.broken)
        if making.outcome is None:
            await self._grade(making)

    async def _open(self, thread: AgentThread | None) -> Opened:
        assert self._world is not None  # noqa: S101 - for the type checker
        try:
            return await open_world(self._world, thread, self.threads, limit=self._limit)
        except TimeoutError:
            raise Void(f"the world's set-up took longer than {self._limit:g} s") from None
        except Exception as error:
            raise Void(f"the world's set-up raised {where(error)}") from error

    def _tools(self, guard: Guard, opened: Opened) -> Any:  # noqa: ANN401 - what a surface gives
        try:
            box = toolbox(getattr(opened.world, "tools", {})) if opened is not _NO_WORLD else _NO_TOOLS
        except Exception as error:
            raise Void(f"the world's tools: {error}") from error
        guard.known = box
        return self._surface.open(guard, box, blocking=self._agent.blocking)

    async def _ask(self, slot: Slot, making: Making, request: Request, thread: AgentThread | None) -> None:
        """Let the agent work, for as long as it may."""
        begun = self._clock()
        self.watch.start(slot, begun)
        try:
            if thread is None:
                said = await self._agent.start(request)
            else:
                said = await thread.call(lambda: self._agent.start(request))
            making.answer = said if isinstance(said, Answer) else Answer(said)
        except asyncio.CancelledError:
            if not slot.expired:
                if slot.cancelled_from_outside:
                    raise
                making.end(Outcome.CRASH, "the agent raised CancelledError")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the agent's fence: whatever it raises is data
            making.end(Outcome.CRASH, where(error))
        finally:
            slot.deadline = NEVER
            making.seconds = self._clock() - begun
        if slot.expired:
            slot.forgive()
            making.answer = None
            making.end(Outcome.TIMEOUT, f"no answer within {self._limit:g} s")

    async def _grade(self, making: Making) -> None:
        task = making.cell.task
        evidence = Evidence(
            task_id=task.id,
            input=task.input,
            expect=task.expect,
            answer=making.answer or Answer(),
            state=making.state,
            trace=making.trace,
        )
        try:
            grade = self._grader.grade(evidence)
            if hasattr(grade, "__await__"):
                async with asyncio.timeout(self._limit):
                    grade = await grade
        except TimeoutError:
            raise Void(f"the grader took longer than {self._limit:g} s") from None
        except Exception as error:
            raise Void(f"the grader raised {where(error)}") from error
        if not isinstance(grade, Grade) or not isinstance(grade.passed, bool):
            raise Void(f"the grader gave {grade!r:.80}, which is no Grade")
        making.grade = grade
        making.end(_PASS if grade.passed else _FAIL, grade.reason)


async def _state(world: Any, thread: AgentThread | None) -> Any:  # noqa: ANN401 - a user's world, and JSON
    """The end state of the world, where it has a snapshot to give."""
    snapshot = getattr(world, "snapshot", None)
    if snapshot is None:
        return None
    try:
        state = snapshot() if thread is None or thread.busy else await thread.call(snapshot)
        return plain(await state if hasattr(state, "__await__") else state)
    except Exception as error:
        raise Void(f"the world's snapshot raised {where(error)}") from error
