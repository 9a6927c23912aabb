"""Carrying out a plan: as many workers as the concurrency, each taking the next trial of the plan until none is left.

There is never a task object for a trial that has not begun. A run can be stopped (running trials end, and are stored)
or aborted (running trials are dropped); what was stored before is safe either way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from passhat.engine.again import Again
from passhat.engine.arming import Arming
from passhat.engine.attempt import Attempts
from passhat.engine.budget import Spending
from passhat.engine.making import CellPlan
from passhat.engine.pace import Paces, goes_by_pace
from passhat.engine.plan import Address, Plan
from passhat.engine.record import Recorder, Sink
from passhat.engine.settings import Progress, Settings
from passhat.engine.stall import Stall
from passhat.engine.throttle import Throttle
from passhat.engine.watch import Slot
from passhat.errors import Interrupted
from passhat.model.dice import TrialSeeds
from passhat.model.protocols import Agent
from passhat.model.redact import Redactor
from passhat.model.task import Suite
from passhat.model.trial import Trial

_TURN = 64
_GRACE = 2.0


class Control:
    """The handle by which a run is stopped from outside; made before the run, and safe to use at any time."""

    __slots__ = ("_execution", "wanted")

    def __init__(self) -> None:
        """Nothing is wanted yet."""
        self.wanted = ""
        self._execution: Execution | None = None

    def stop(self) -> None:
        """Begin no more trials; those that run may end."""
        self._want("stop")

    def abort(self) -> None:
        """Drop the trials that run."""
        self._want("abort")

    def attach(self, execution: Execution) -> None:
        """Steer *execution* from now on."""
        self._execution = execution
        if self.wanted:
            self._want(self.wanted)

    def interruption(self) -> KeyboardInterrupt:
        """What to raise where the run is left behind: it says how far the run has come."""
        if self._execution is None:
            return KeyboardInterrupt()
        progress = self._execution.progress
        return Interrupted(progress.run_id, progress.stored, progress.planned)

    def _want(self, wanted: str) -> None:
        self.wanted = wanted
        if self._execution is not None:
            self._execution.steer(wanted)


class Execution:
    """One run of a plan, on the running event loop."""

    def __init__(
        self, plan: Plan, suite: Suite, agent: Agent, settings: Settings, *, wall: Callable[[], float]
    ) -> None:
        """The run of *plan*; *wall* tells the time of day."""
        self._loop = asyncio.get_running_loop()
        self._plan = plan
        self._settings = settings
        self._attempts = Attempts(suite, agent, settings, wall=wall)
        throttle = Throttle(settings.concurrency, self._loop.time)
        self._again = Again(self._attempts, throttle)
        self._spending = Spending(settings.budget, settings.prices, self._loop.time) if settings.budget else None
        self._spent = ""
        self._paces = Paces.wanted(plan)
        self._cells = _cells(plan, self._paces)
        self._addresses: Iterator[Address] = iter(())
        self._outcomes: Counter[str] = Counter()
        self._workers: dict[asyncio.Task[None], Slot] = {}
        self._given_up: set[asyncio.Task[None]] = set()  # held, because to collect one would be to run it once more
        self._ended = asyncio.Event()
        self._stopping = False
        self._asked_to_stop = False
        self._before = 0
        self._recorder: Recorder | None = None
        self._bug: BaseException | None = None

    async def __aenter__(self) -> Self:
        """Make ready what all trials share, before the first; a `UsageError` where the agent cannot be reached."""
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._attempts.leave)
            await self._attempts.begin()
            undo.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.shield(self._attempts.leave())

    def recall(self, trials: Iterable[Trial]) -> None:
        """Learn from trials that are stored already, where a fault goes by what the run has shown so far."""
        if self._paces is not None:
            self._paces.recall(trials)

    async def run(self, store: Sink, redactor: Redactor, done: Collection[Address] = ()) -> Progress:
        """Make every trial that is not *done*, and store it."""
        recorder = Recorder(store, self._plan.header.id, redactor, self._stored)
        recorder.on_failure = self._abort
        self._recorder = recorder
        self._before = len(done)
        self._addresses = self._plan.addresses(done)
        stall = Stall(float(self._settings.timeout))
        over = self._at_the_end_of_time()
        try:
            for _ in range(min(self._settings.concurrency, self._plan.planned - len(done))):
                self._hire()
            if self._workers:
                await self._ended.wait()
        except asyncio.CancelledError:
            self._abort()
            await self._fired()
            raise
        finally:
            stall.end()
            if over is not None:
                over.cancel()
            self._attempts.end()
            await asyncio.shield(recorder.close())
        if self._bug is not None:
            raise self._bug
        return self.progress

    def _at_the_end_of_time(self) -> asyncio.TimerHandle | None:
        """A timer that ends the run where the time that it may take is limited."""
        budget = self._settings.budget
        if budget is None or budget.seconds is None:
            return None
        return self._loop.call_later(budget.seconds, self._look_at_the_budget)

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        return Progress(
            run_id=self._plan.header.id,
            planned=self._plan.planned,
            stored=self._before + self._outcomes.total(),
            outcomes=dict(self._outcomes),
            late_calls=self._attempts.late.count,
            stopping=self._asked_to_stop,
            spent=self._spent,
        )

    def steer(self, wanted: str) -> None:
        """Stop or abort, from any thread."""
        self._loop.call_soon_threadsafe(self._steer, wanted)

    def _look_at_the_budget(self) -> None:
        """Begin no more trials where the budget is spent."""
        if self._spending is not None and not self._spent and (spent := self._spending.spent):
            self._spent = spent
            self._begin_no_more()

    def _begin_no_more(self) -> None:
        self._stopping = True
        self._again.end()

    def _steer(self, wanted: str) -> None:
        self._asked_to_stop = True
        self._begin_no_more()
        self._report()
        if wanted == "abort":
            self._abort()

    def _abort(self) -> None:
        self._begin_no_more()
        for task in self._workers:
            task.cancel()
        self._loop.call_later(_GRACE, self._ended.set)

    async def _fired(self) -> None:
        """Wait for cancelled workers, but not for ever."""
        if self._workers:
            await asyncio.wait(self._workers, timeout=_GRACE)

    def _hire(self, instead_of: Slot | None = None) -> None:
        """Put one more worker to work, which first ends the trial of the worker that it stands in for."""
        slot = Slot(self._give_up)
        slot.task = task = self._loop.create_task(self._work(slot, instead_of))
        self._workers[task] = slot
        self._attempts.watch.add(slot)
        task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        """A worker has ended; the last one ends the run, and one that raised was a bug of ours."""
        self._workers.pop(task, None)
        self._given_up.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._bug = self._bug or task.exception()
            self._abort()
        if not self._workers:
            self._ended.set()

    async def _work(self, slot: Slot, instead_of: Slot | None) -> None:
        attempts, recorder, turn = self._attempts, self._recorder, 0
        assert recorder is not None  # noqa: S101 - for the type checker
        if instead_of is not None:
            self._keep(recorder, *await attempts.give_up(instead_of))
        while not self._stopping and (address := next(self._addresses, None)) is not None:
            cell, index = self._cells[address[0]], address[1]
            trial = await self._again.make(slot, cell, index)
            if slot.abandoned:
                return
            self._keep(recorder, cell.position, trial)
            turn += 1
            if recorder.full:
                await recorder.room()
            elif turn % _TURN == 0:  # an agent that never waits would keep the loop from everybody else
                await asyncio.sleep(0)

    def _keep(self, recorder: Recorder, cell: int, trial: Trial) -> None:
        """Take a trial that has ended."""
        recorder.put(cell, trial)
        if self._spending is not None:
            self._spending.add(trial)
            self._look_at_the_budget()
        if self._paces is not None:
            self._paces.learn(trial)

    def _give_up(self, slot: Slot) -> None:
        """Go on without a worker whose agent does not stop; another takes its place."""
        if slot.task is not None and self._workers.pop(slot.task, None) is not None:
            self._given_up.add(slot.task)
            self._again.give_up()
            self._hire(instead_of=slot)

    def _stored(self, outcomes: Counter[str]) -> None:
        self._outcomes.update(outcomes)
        self._report()

    def _report(self) -> None:
        if self._settings.progress is not None:
            self._settings.progress(self.progress)


def _cells(plan: Plan, paces: Paces | None) -> list[CellPlan]:
    """What the trials of each cell share, by the position of the cell."""
    header = plan.header
    cells: list[CellPlan] = []
    for task, stored in zip(plan.tasks, header.tasks, strict=True):
        digest, seeds = stored.digest, TrialSeeds(header.seed, task.id, same=header.same_seed)
        for condition in plan.conditions:
            cell = CellPlan(len(cells), task, digest, condition, seeds=seeds)
            if condition.injections:
                cell.arming = Arming(
                    condition,
                    seed=header.seed,
                    task_id=task.id,
                    blocks=header.blocks,
                    same=header.same_seed,
                    picks=plan.picks,
                )
                cell.paces = paces if goes_by_pace(condition) else None
            cells.append(cell)
    return cells
