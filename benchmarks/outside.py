"""What agents outside of this process cost us: a command beside a bare spawn of it, and a thousand calls of a service.

The floor of a command is the same command, started and waited for by `subprocess` in the same process, one at a time.
The floor of a service that takes 100 ms is the ideal: trials × 100 ms ÷ concurrency. It runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from http import HTTPStatus

from benchmarks.base import folder, report, run
from passhat.agents import CommandAgent, HttpAgent
from passhat.model.protocols import Request
from passhat.surfaces._server import Asked, Said, Server

TURNS, COMMAND = 150, ("/bin/sh", "-c", "echo yes")
TRIALS, AT_A_TIME, SECONDS = 40_000, 1_000, 0.1
ADDED_MOST, SHARE_LEAST = 0.002, 0.9


def spawned() -> float:
    """The seconds of one bare spawn."""
    begun = time.perf_counter()
    subprocess.run(COMMAND, capture_output=True, check=True, timeout=60)
    return time.perf_counter() - begun


async def commanded(agent: CommandAgent) -> float:
    """The seconds of one answer of the same command as an agent."""
    begun = time.perf_counter()
    answer = await agent.start(Request("Say yes.", None, 7, "task", 0))
    assert answer.output == "yes"
    return time.perf_counter() - begun


def command() -> bool:
    """Take turns, so that both meet the same machine."""
    agent = CommandAgent(COMMAND, stdin="nothing")

    async def turns() -> tuple[list[float], list[float]]:
        bare, ours = [], []
        for _ in range(TURNS):
            bare.append(spawned())
            ours.append(await commanded(agent))
        return bare, ours

    bare, ours = asyncio.run(turns())
    added = statistics.median(ours) - statistics.median(bare)
    report(
        "a command as an agent",
        1e3 * statistics.median(ours),
        "ms",
        floor=1e3 * statistics.median(bare),
        goal=f"added ≤ {1e3 * ADDED_MOST:g} ms",
        added=round(1e3 * added, 3),
    )
    return added <= ADDED_MOST


async def _slowly(asked: Asked) -> Said:
    await asyncio.sleep(SECONDS)
    return Said(HTTPStatus.OK, b'{"output": "yes"}')


async def _serve() -> None:
    server = Server(_slowly)
    await server.start()
    print(server.url, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until the measurement is over


def service() -> bool:
    """Call it with as many trials as fit, a thousand at a time."""
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.outside", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        url = child.stdout.readline().strip()
        ideal = TRIALS * SECONDS / AT_A_TIME
        taken = []
        for _ in range(2):
            with folder() as place:
                begun = time.perf_counter()
                run(HttpAgent(url), tasks=100, trials=TRIALS // 100, concurrency=AT_A_TIME, path=place / "o.db")
                taken.append(time.perf_counter() - begun)
    finally:
        child.stdin.close()
        child.wait(timeout=60)
    share = ideal / min(taken)
    name = f"services of 100 ms, {AT_A_TIME:,} at a time"
    report(name, min(taken), "s", floor=ideal, goal=f"share ≥ {SHARE_LEAST:g}", share=round(share, 4))
    return share >= SHARE_LEAST


def main() -> None:
    """Measure both."""
    met = [command(), service()]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(_serve())
    else:
        main()
