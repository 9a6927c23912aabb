"""An agent that blocks the event loop cannot be ended, but it is named."""

import asyncio
import logging
import threading
from pathlib import Path

from passhat import Suite, Task, graders, run
from passhat.engine.stall import LOG


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
