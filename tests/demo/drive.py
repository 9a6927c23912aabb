"""Drives an agent through the demo's suite without the engine: fast enough for many seeds."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from passhat import perturbations
from passhat.demo.shop import Shop
from passhat.demo.suite import end_state, suite
from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.model.dice import Dice, dice
from passhat.model.task import Task
from passhat.model.trial import Evidence

DemoAgent = Callable[..., Coroutine[Any, Any, Answer]]
TASKS: Mapping[str, Task] = {task.id: task for task in suite.tasks}


class Desk:
    """A shop's tools for one trial, which may refuse calls with 429 and lose replies."""

    def __init__(self, shop: Shop, *, chance: Dice | None = None, rate: float = 0.0, lost: str = "") -> None:
        """The tools of *shop*; *rate* is the share of calls refused, the first reply of *lost* gets lost."""
        self.trace: list[str] = []
        self._shop = shop
        self._chance = chance or dice(0)
        self._rate = rate
        self._lost = lost
        self._ordinals: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """One tool, as an attribute."""
        return partial(self.call, name)

    async def call(self, name: str, /, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        """Call one tool, unless it is refused."""
        self.trace.append(name)
        self._ordinals[name] += 1
        if self._chance.uniform(name, self._ordinals[name]) < self._rate:
            raise ToolError("rate_limit", "429 Too Many Requests. Retry-After: 0", retry_after=0)
        reply = self._shop.tools[name](**arguments)
        if name == self._lost and self._ordinals[name] == 1:
            raise ToolError("timeout", "504 Gateway Timeout")
        return reply


async def _serve(agent: DemoAgent, task: Task, seed: int, *, text: str = "", **trouble: Any) -> Evidence:  # noqa: ANN401
    """One trial; an agent that lets an error through has answered nothing."""
    shop = Shop()
    asked = text or str(task.input)
    try:
        answer = await agent(asked, Desk(shop, **trouble), seed=seed)
    except ToolError:
        answer = Answer()
    return Evidence(task_id=task.id, input=asked, expect=task.expect, answer=answer, state=shop.snapshot())


def serve(agent: DemoAgent, task: Task, seed: int, *, text: str = "", **trouble: Any) -> Evidence:  # noqa: ANN401
    """One trial of *task*, with the *trouble* that a `Desk` takes."""
    return asyncio.run(_serve(agent, task, seed, text=text, **trouble))


async def _passes(agent: DemoAgent, seed: int, rate: float, intensity: float) -> list[int]:
    counts = []
    for task in suite.tasks:
        passed = 0
        for index in range(10):
            chance = dice(seed, task.id, index)
            text = ""
            if intensity:
                text = perturbations.typos(intensity).perturb(str(task.input), chance.at("typos")) or ""
            own = chance.integer(2**53, "seed")
            evidence = await _serve(agent, task, own, text=text, chance=chance.at("faults"), rate=rate)
            passed += end_state(evidence).passed
        counts.append(passed)
    return counts


def passes(agent: DemoAgent, seed: int, *, rate: float = 0.0, intensity: float = 0.0) -> list[int]:
    """How many of ten trials of each task pass."""
    return asyncio.run(_passes(agent, seed, rate, intensity))
