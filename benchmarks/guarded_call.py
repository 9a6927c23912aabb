"""What the guard adds to a tool call that no fault is planned for: looked at, timed, copied, written into the trace.

The floor is the same tool, called and awaited without a guard. Arguments and reply are below 200 bytes together.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from benchmarks.base import report
from passhat.engine.guard import Guard
from passhat.engine.ledger import Late
from passhat.engine.watch import clock_of
from passhat.surfaces import PythonTools

CALLS, TRIALS, TURNS = 20, 5_000, 5


async def get_order(*, order: int, customer: str) -> dict[str, Any]:
    """A tool with a small reply."""
    return {"order": order, "customer": customer, "status": "late", "total": 12.5, "carrier": "post"}


async def bare() -> None:
    """A trial's worth of calls, without a guard."""
    for number in range(CALLS):
        await get_order(order=number, customer="maria")


async def guarded() -> None:
    """A trial's worth of calls, guarded; the guard is made outside of what is measured, as a trial makes it once."""
    loop = asyncio.get_running_loop()
    guard = Guard((), clock=clock_of(loop), late=Late())
    tools = PythonTools().open(guard, {"get_order": get_order}, blocking=False)
    for number in range(CALLS):
        await tools.get_order(order=number, customer="maria")
    assert len(guard.ledger.trace) == CALLS


def measured(trial: Callable[[], Any]) -> float:
    """The µs that one call takes, at best."""

    async def whole() -> float:
        best = float("inf")
        for _ in range(TURNS):
            begun = time.process_time()
            for _ in range(TRIALS):
                await trial()
            best = min(best, time.process_time() - begun)
        return best

    return asyncio.run(whole()) * 1e6 / (CALLS * TRIALS)


def main() -> None:
    """Measure both."""
    without, with_guard = measured(bare), measured(guarded)
    report(
        "guarded tool call",
        with_guard,
        "µs",
        floor=without,
        goal="≤ 2 µs",
        added=round(with_guard - without, 3),
    )


if __name__ == "__main__":
    main()
