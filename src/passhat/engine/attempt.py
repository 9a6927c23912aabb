"""One trial, from a fresh world to a grade. Whatever happens in it becomes data: here are the fences.

The agent's failure is CRASH or TIMEOUT. The surroundings' failure (the world, a perturbation, a fault that breaks its
contract, the grader) is VOID. Only a stop from outside, and a bug of ours, passes through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from passhat.engine import printing
from passhat.engine.arming import Armed
from passhat.engine.box import Box
from passhat.engine.desk import Desk
from passhat.engine.fence import Overdue, ends_us, let_through, within
from passhat.engine.guard import Guard
from passhat.engine.ledger import Late
from passhat.engine.making import CellPlan, Making, Void
from passhat.engine.outage import outage
from passhat.engine.patience import Patience
from passhat.engine.settings import Settings
from passhat.engine.streaming import close_streams
from passhat.engine.talking import Talks, overdue, unstopped
from passhat.engine.threads import AgentThread, Threads
from passhat.engine.unfinished import dismiss
from passhat.engine.watch import NEVER, Slot, Watch, clock_of
from passhat.engine.where import where
from passhat.engine.worlds import NO_WORLD, Opened, open_world, reads_of
from passhat.errors import AgentFailed, UsageError
from passhat.model.answer import Answer
from passhat.model.callables import is_async
from passhat.model.outcome import Outcome
from passhat.model.parts import nearest
from passhat.model.plain import described, json_problem, plain
from passhat.model.protocols import Agent, Request
from passhat.model.task import Suite
from passhat.model.trial import Evidence, Grade, Trial
from passhat.surfaces import SURFACES
from passhat.surfaces.base import Toolbox, toolbox

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
        # A grader that says so only computes, and needs no thread; nor does one that is to be awaited.
        inline = is_async(suite.grader.grade) or getattr(suite.grader, "blocking", True) is False
        self.desk = None if inline else Desk(float(settings.timeout))
        self._agent = agent
        self._limit = float(settings.timeout)
        self._capture = settings.capture
        self._surface: Any = SURFACES[getattr(agent, "surface", "python_tools")]()
        self._close_tools: Callable[[Any], None] = getattr(self._surface, "close", _leave_open)
        self.threads = Threads()
        self._talks = Talks(agent, self.threads, clock=self._clock, most=settings.turns)
        self.late = Late()
        self.patience = Patience(settings.retries)
        self._no_guard = Guard((), clock=self._clock, late=self.late)
        self.watch = Watch(self._limit, _GRACE)

    async def begin(self) -> None:
        """Make ready what all trials share; a `UsageError` where the agent cannot be reached."""
        for one in (self._surface, self._agent):
            if (begin := getattr(one, "begin", None)) is not None:
                await begin()

    async def leave(self) -> None:
        """Let go of it again."""
        for one in (self._agent, self._surface):
            if (end := getattr(one, "end", None)) is not None:
                await end()

    async def make(self, slot: Slot, cell: CellPlan, index: int) -> Trial:
        """The trial of *cell* with this index, made by the worker in *slot*."""
        slot.making = making = Making(cell, index, self._wall())
        if self._capture:
            making.printed = printing.begin()
        try:
            await self._lead(slot, making)
        except Void as void:
            making.end(Outcome.VOID, str(void))
            making.outage = void.outage
        finally:
            if self._capture:
                printing.end()
        return making.trial()

    def end(self) -> None:
        """No more trials: let go of the clock and of the threads."""
        self.watch.stop()
        self.threads.end()
        if self.desk is not None:
            self.desk.end()

    async def give_up(self, slot: Slot) -> tuple[int, Trial]:
        """The trial of an agent that goes on after its time is over and it was asked to stop; and its cell."""
        making = slot.making
        assert isinstance(making, Making)  # noqa: S101 - for the type checker
        assert making.guard is not None  # noqa: S101 - for the type checker
        making.take(making.guard, blocking=False)
        making.end(*unstopped(making, self._limit))
        making.seconds = self._limit
        await self._look(making, None)
        making.note(await making.opened.close(self._limit))
        return making.cell.position, making.trial()

    async def _lead(self, slot: Slot, making: Making) -> None:
        """World, agent, end state, tear-down, grade."""
        given = making.word() if making.cell.perturbations else making.cell.task.input
        bare = not self._agent.takes_tools
        guard = self._no_guard if bare else Guard(making.arm(), clock=self._clock, late=self.late)
        making.guard = guard
        blocking = self._agent.blocking
        thread = self.threads.take() if blocking else None
        if blocking and not bare:
            guard.for_threads(self._loop)
        try:
            if self._world is not None:
                making.opened = await self._open(making, thread)
            tools = None
            try:
                tools = None if bare else self._tools(guard, making)
                if making.armed and making.opened is not NO_WORLD:
                    making.state_before = await self._state(making, thread)
                request = Request(given, tools, making.seed, making.cell.task.id, making.index)
                await self._ask(slot, making, request, thread)
                guard.close()
                if slot.abandoned:
                    return
                making.take(guard, blocking=blocking)
                if making.opened is not NO_WORLD:
                    await self._look(making, thread)
            finally:
                guard.close()
                self._close_tools(tools)
                if making.opened.leave is not None:
                    making.note(await making.opened.close(self._limit))
        finally:
            if thread is not None:
                self.threads.give_back(thread)
        if guard.broken:
            raise Void(guard.broken)
        if making.outcome is None:
            await self._grade(making)

    async def _close_streams(self, guard: Guard, thread: AgentThread | None) -> str:
        """Close the streams that the agent has left open; what went wrong, in words."""
        try:
            await within(self._limit, close_streams(guard, thread))
        except Overdue as overdue:
            return f"to close the streams that the agent left open took {overdue}"
        return ""

    async def _open(self, making: Making, thread: AgentThread | None) -> Opened:
        assert self._world is not None  # noqa: S101 - for the type checker
        begun = self._clock()
        try:
            opened = await open_world(self._world, thread, self.threads, limit=self._limit)
        except Overdue as overdue:
            raise Void(f"the world's set-up took {overdue}") from None
        except BaseException as error:
            let_through(error)
            raise Void(f"the world's set-up raised {where(error)}", outage(error)) from error
        if self._clock() - begun > self._limit:  # it kept the loop, so that nobody could end it
            making.note(await opened.close(self._limit))
            raise Void(f"the world's set-up took longer than {self._limit:g} s")
        return opened

    def _tools(self, guard: Guard, making: Making) -> Any:  # noqa: ANN401 - what a surface gives
        opened = making.opened
        try:
            box = toolbox(getattr(opened.world, "tools", {})) if opened is not NO_WORLD else _NO_TOOLS
        except BaseException as error:
            let_through(error)
            raise Void(f"the world's tools: {error}") from error
        brings = getattr(self._agent, "brings_tools", False)
        try:
            reads = reads_of(opened, None if brings else box)
        except UsageError as error:
            raise Void(f"the world's {error}") from error
        guard.take(Box(box, reads=reads, sandbox=getattr(opened.world, "sandbox", False) is True))
        guard.paces = making.paces
        if not brings:
            _check_matches(making.armed, box)
        return self._surface.open(guard, box, blocking=self._agent.blocking)

    async def _ask(self, slot: Slot, making: Making, request: Request, thread: AgentThread | None) -> None:
        """Let the agent work, for as long as it may."""
        begun = self._clock()
        assert making.guard is not None  # noqa: S101 - for the type checker
        making.guard.until = begun + self._limit
        slot.on_expiry = making.guard.close
        self.watch.start(slot, begun)
        try:
            if making.cell.task.user is not None:
                said = await self._talks.lead(slot, making, request, thread)
            elif thread is None:
                said = await self._agent.start(request)
            else:
                said = await thread.call(lambda: self._agent.start(request))
            making.answer = said if isinstance(said, Answer) else Answer(said)
        except asyncio.CancelledError:
            if not slot.expired:
                if slot.cancelled_from_outside:
                    raise
                making.end(Outcome.CRASH, "the agent raised CancelledError")
        except BaseException as error:  # the agent's fence: whatever it raises is data
            if ends_us(error):
                raise
            _failed(making, error)
        finally:
            slot.deadline = NEVER
            making.seconds = self._clock() - begun
        blocked = making.outcome is None and making.seconds > self._limit  # it kept the loop, so nobody could end it
        if slot.expired or blocked:
            slot.forgive()
            making.answer = None
            making.end(*overdue(making, self._limit))
        if making.user_seconds:  # which are not the agent's
            making.seconds = max(0.0, making.seconds - making.user_seconds)

    async def _look(self, making: Making, thread: AgentThread | None) -> None:
        """Take the end state of the world, where it has one to show: without it a passed trial is no evidence."""
        if making.guard is not None and making.guard.sources:
            making.note(await self._close_streams(making.guard, thread))
        try:
            making.state = await self._state(making, thread)
        except Void as void:
            if making.outcome is None:
                raise
            making.note(str(void))

    async def _state(self, making: Making, thread: AgentThread | None) -> Any:  # noqa: ANN401 - a world's state
        """The state of the world now, None where it has none to show; `Void` where it cannot show it."""
        snapshot, begun = getattr(making.opened.world, "snapshot", None), self._clock()
        if snapshot is None:
            return None
        try:
            shown = await within(self._limit, self._shown(snapshot, making, thread))
            problem = json_problem(shown)
        except Overdue as overdue:
            raise Void(f"the world's snapshot took {overdue}") from None
        except BaseException as error:
            let_through(error)
            raise Void(f"the world's snapshot raised {where(error)}") from error
        if self._clock() - begun > self._limit:  # as above
            raise Void(f"the world's snapshot took longer than {self._limit:g} s")
        if problem:
            raise Void(f"the world's snapshot is not JSON: {problem}")
        return plain(shown)

    async def _shown(self, snapshot: Callable[[], Any], making: Making, thread: AgentThread | None) -> Any:  # noqa: ANN401
        """What *snapshot* gives. Where the agent hangs it may hang too, so it is not asked on the event loop."""
        hung = making.outcome is Outcome.TIMEOUT and (thread is None or thread.busy)
        home = self.threads.take() if hung else thread
        try:
            shown = snapshot() if home is None else await home.call(snapshot)
        finally:
            if home is not None and home is not thread:
                self.threads.give_back(home)
        return await shown if hasattr(shown, "__await__") else shown

    async def _grade(self, making: Making) -> None:
        task = making.cell.task
        evidence = Evidence(
            task_id=task.id,
            input=task.input,
            expect=task.expect,
            answer=making.answer or Answer(),
            state=making.state,
            trace=making.trace,
            calls_left_out=0 if making.ledger is None else making.ledger.calls_left_out,
            faults=() if making.ledger is None else making.ledger.events,
            turns=making.turns,
        )
        tries = 0
        while True:
            try:
                grade = await self._asked_grader(evidence)
                break
            except Overdue as overdue:
                raise Void(f"the grader took {overdue}") from None
            except BaseException as error:
                let_through(error)
                tries += 1
                found = outage(error)
                if found is None or not self.patience.lasts(tries):
                    raise Void(f"the grader raised {where(error)}") from error
            await self.patience.rest(found, making.seed, tries)  # the answer stands: the agent is not asked again
        if not _is_grade(grade):
            shown = described(grade)
            dismiss(grade)
            raise Void(f"the grader gave {shown}, which is no Grade")
        making.grade = grade
        making.end(_PASS if grade.passed else _FAIL, grade.reason)

    async def _asked_grader(self, evidence: Evidence) -> Any:  # noqa: ANN401 - a user's grader may give anything
        if self.desk is None:
            grade: Any = self._grader.grade(evidence)
        else:
            grade = await self.desk.call(lambda: self._grader.grade(evidence))
        return await within(self._limit, grade) if hasattr(grade, "__await__") else grade


def _failed(making: Making, error: BaseException) -> None:
    """The trial has ended with *error*: the agent's own, or the surroundings'."""
    void = isinstance(error, Void)  # the task's user spoiled the talk
    making.outage = error.outage if isinstance(error, Void) else outage(error)
    if void or making.outage is not None:
        making.end(Outcome.VOID, str(error if void else making.outage))
    else:
        making.end(Outcome.CRASH, str(error) if isinstance(error, AgentFailed) else where(error))


def _leave_open(tools: object) -> None:
    """Tools of this process hold nothing that would have to be closed."""
    del tools


def _check_matches(armed: Sequence[Armed], box: Toolbox) -> None:
    """A fault whose match names no tool of the world could never be met: that says nothing about the agent."""
    for one in armed:
        if box and not one.match.among(box):
            raise Void(f"{one.name}: no tool of the world matches {one.match.glob!r}{nearest(one.match.glob, box)}")


def _is_grade(given: object) -> bool:
    """True for a grade that can be stored and counted: nothing checked its fields when it was made."""
    if not isinstance(given, Grade) or not isinstance(given.passed, bool):
        return False
    if not isinstance(given.grader, str) or not isinstance(given.reason, str):
        return False
    return given.score is None or (isinstance(given.score, int | float) and 0 <= given.score <= 1)
