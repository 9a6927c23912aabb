"""How much of the ideal time is kept when agents wait: 20,000 trials of 50 ms each, many at a time.

The floor is the ideal: trials × 50 ms ÷ concurrency.
"""

from __future__ import annotations

import asyncio
import time

from benchmarks.base import folder, report, run

TRIALS, SECONDS = 20_000, 0.05


async def sleeper(message: str) -> str:
    """An agent that waits, as for a model."""
    await asyncio.sleep(SECONDS)
    return "yes"


def main() -> None:
    """Measure both concurrencies, the best of two turns each."""
    for concurrency, goal in ((1_000, "share ≥ 0.85"), (100, "share ≥ 0.94")):
        ideal = TRIALS * SECONDS / concurrency
        taken = []
        for _ in range(2):
            with folder() as place:
                begun = time.perf_counter()
                run(sleeper, tasks=1_000, trials=TRIALS // 1_000, concurrency=concurrency, path=place / "w.db")
                taken.append(time.perf_counter() - begun)
        name = f"waiting agents, {concurrency:,} at a time"
        report(name, min(taken), "s", floor=ideal, goal=goal, share=round(ideal / min(taken), 4))


if __name__ == "__main__":
    main()
