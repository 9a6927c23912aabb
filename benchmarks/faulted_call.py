"""What a plan of faults adds to a tool call: at a call that no fault fires at, and at one that a fault fires at.

The floor is the same tool, called and awaited without a guard. A trial makes 20 calls. The planned fault fires at a
rate of 0.2, and is measured in a trial in which its dice spare every call; the firing one changes the reply of each.
Then whole trials are run and stored: what a tool call costs in one with a fault, against one without. The goal is for a
fault at one call, which is what faults do unless they are told more; where one call in five meets one, that is shown.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import passhat
from benchmarks.base import cpu, folder, report
from benchmarks.guarded_call import CALLS, TRIALS, bare, get_order
from passhat import Suite, Task, faults, graders
from passhat.engine.arming import Arming
from passhat.engine.guard import Guard
from passhat.engine.ledger import Late
from passhat.engine.watch import clock_of
from passhat.model.condition import Condition, Injection
from passhat.model.dose import once_at
from passhat.model.protocols import Tools
from passhat.surfaces import PythonTools

TURNS, TASKS, EACH = 7, 20, 200
MOST_ADDED, MOST_RATIO = 3.0, 1.5
SPARED = faults.rate_limit().at(0.2)
FIRING = faults.null_result().at(1.0)


def spared() -> Arming:
    """The arming of a trial in which the dice of the planned fault spare every call."""
    for seed in range(10_000):
        found = arming(SPARED, seed=seed)
        (armed,) = found.arm(0)
        if not any(armed.strikes("get_order", call) for call in range(1, CALLS + 1)):
            return found
    raise AssertionError("no trial is spared")


def arming(injection: Injection, *, seed: int = 7) -> Arming:
    """The faults of one cell."""
    return Arming(Condition([injection]), seed=seed, task_id="task", blocks=(1,))


async def guarded(planned: Arming, *, fired: int) -> float:
    """The seconds that a trial's worth of guarded calls takes; the guard is made outside of what is measured."""
    loop = asyncio.get_running_loop()
    guard = Guard(planned.arm(0), clock=clock_of(loop), late=Late())
    tools = PythonTools().open(guard, {"get_order": get_order}, blocking=False)
    begun = time.process_time()
    for number in range(CALLS):
        await tools.get_order(order=number, customer="maria")
    taken = time.process_time() - begun
    assert len(guard.ledger.trace) == CALLS
    assert len(guard.ledger.events) == fired
    return taken


async def unguarded() -> float:
    """The same, without a guard."""
    begun = time.process_time()
    await bare()
    return time.process_time() - begun


def measured(*trials: Callable[[], Any]) -> Sequence[float]:
    """The µs that one call takes in each of *trials*, measured in turn, at best."""

    async def whole() -> Sequence[float]:
        best = [float("inf")] * len(trials)
        for _ in range(TURNS):
            for place, trial in enumerate(trials):
                taken = sum([await trial() for _ in range(TRIALS // TURNS)])
                best[place] = min(best[place], taken / (TRIALS // TURNS))
        return best

    return [seconds * 1e6 / CALLS for seconds in asyncio.run(whole())]


class Desk:
    """A world with one tool."""

    def __init__(self) -> None:
        """Make the tool."""
        self.tools = {"get_order": get_order}


async def asking(message: str, tools: Tools) -> str:
    """Make a trial's worth of calls, whatever comes of them."""
    for number in range(CALLS):
        try:
            await tools.get_order(order=number, customer="maria")
        except passhat.errors.ToolError:
            continue
    return "yes"


def trials(path: Path, **options: Any) -> float:  # noqa: ANN401 - the options of a run
    """The µs that one tool call costs in whole trials, stored."""
    tasks = [Task(f"task-{number}", "Ask.", expect="yes") for number in range(TASKS)]
    suite = Suite(tasks=tasks, world=Desk, grader=graders.equals())
    taken = cpu(lambda: passhat.run(suite, asking, trials=EACH, store=str(path), **options))
    return taken * 1e6 / (TASKS * EACH * CALLS)


def whole_trials() -> bool:
    """What a tool call costs in trials with faults, and whether the goal is met."""
    conditions = (faults.rate_limit().at(once_at(3)), SPARED)
    clean: list[float] = []
    faulted: list[list[float]] = [[] for _ in conditions]
    with folder() as place:
        for turn in range(TURNS):
            clean.append(trials(place / f"clean{turn}.db"))
            for number, condition in enumerate(conditions):
                path = place / f"faulted{turn}-{number}.db"
                faulted[number].append(trials(path, under=[condition], clean=False))
    goals = (f"ratio ≤ {MOST_RATIO}", "none, for comparison")
    for condition, taken, goal in zip(conditions, faulted, goals, strict=True):
        report(f"tool call in a trial under {condition.term}", min(taken), "µs of CPU", floor=min(clean), goal=goal)
    return min(faulted[0]) <= MOST_RATIO * min(clean)


def main() -> None:
    """Measure the calls, then the trials, and fail where a goal is missed."""
    planned, firing = spared(), arming(FIRING)
    without, with_plan, with_fault = measured(
        unguarded, lambda: guarded(planned, fired=0), lambda: guarded(firing, fired=CALLS)
    )
    added = with_plan - without
    report(
        "guarded tool call, a fault planned", with_plan, "µs", floor=without, goal="≤ 3 µs more", added=round(added, 3)
    )
    report(
        "guarded tool call, a fault fires",
        with_fault,
        "µs",
        floor=without,
        goal="none, for comparison",
        added=round(with_fault - without, 3),
    )
    if not whole_trials() or added > MOST_ADDED:
        sys.exit("a goal is missed: see above")


if __name__ == "__main__":
    main()
