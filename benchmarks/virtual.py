"""What virtual time costs: 10,000 trials in which a call takes 30 s longer, or hangs until its agent gives it up.

The floor is the same trials without faults, in real time: they wait for nothing.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import passhat
from benchmarks.base import folder, report
from passhat import Suite, Task, graders
from passhat.faults import Fault
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.effect import Delay, Effect, Hang
from passhat.model.protocols import Tools
from passhat.model.trial import Call

TASKS, TRIALS, SECONDS = 100, 50, 30.0


@dataclass(frozen=True, slots=True)
class Slow(Fault):
    """Makes a call take 30 s longer."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Wait."""
        return Delay(SECONDS)


@dataclass(frozen=True, slots=True)
class Stuck(Fault):
    """Makes a call hang."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Wait for good."""
        return Hang()


class Desk:
    """A world with one tool."""

    def __init__(self) -> None:
        """Make the tool."""
        self.tools = {"look": lambda: "yes"}


async def agent(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what the tool replies
    """Look, and look again where there is no reply within 30 s."""
    try:
        return await asyncio.wait_for(tools.look(), SECONDS + 0.1)
    except TimeoutError:
        return await tools.look()


def seconds(path: Path, concurrency: int, **options: Any) -> float:  # noqa: ANN401 - the options of a run
    """How long 10,000 trials take."""
    tasks = [Task(f"task-{number}", "Look.", expect="yes") for number in range(TASKS)]
    suite = Suite(tasks=tasks, world=Desk, grader=graders.equals())
    begun = time.perf_counter()
    run = passhat.run(suite, agent, concurrency=concurrency, store=str(path), **options)
    taken = time.perf_counter() - begun
    assert sum(run.trials.counts().passed) == 2 * TASKS * TRIALS
    return taken


def main() -> None:
    """Measure it at two concurrencies, the best of two turns each."""
    for concurrency in (64, 8):
        floors, ours = [], []
        for _ in range(2):
            with folder() as place:
                floors.append(seconds(place / "f.db", concurrency, trials=2 * TRIALS))
                faulty: dict[str, Any] = {"under": [Slow(), Stuck()], "clean": False, "time": "virtual"}
                ours.append(seconds(place / "v.db", concurrency, trials=TRIALS, **faulty))
        waited = 2 * TASKS * TRIALS * SECONDS / concurrency
        name = f"10,000 trials that wait 30 s each, {concurrency} at a time"
        report(name, min(ours), "s", floor=min(floors), goal="seconds", in_real_time=waited)


if __name__ == "__main__":
    main()
