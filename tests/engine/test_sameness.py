"""The same seed gives the same trials: at any concurrency, in one go or in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from passhat.engine.execute import Control
from passhat.engine.settings import Progress, Settings
from passhat.engine.thread import in_thread
from passhat.errors import ToolError
from passhat.faults import rate_limit
from passhat.model.condition import Condition
from passhat.model.dice import dice
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.task import Suite
from passhat.model.trial import Evidence, Trial
from passhat.perturbations import typos
from passhat.stores import SqliteStore
from tests.engine.drive import drive, execute, plan_of, suite_of

UNDER = (
    rate_limit().at(0.4),
    typos(0.3),
    rate_limit().at(0.4, share=0.5) & typos(0.3),
    rate_limit().at(0.3, match="ref*") & rate_limit().at(0.3, match="find"),
)


class Shop:
    """A world with state: orders that are found and refunded."""

    def __init__(self) -> None:
        self.refunds: list[int] = []

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """Two tools, one of them async."""
        return {"find": self.find, "refund": self.refund}

    async def find(self, text: str) -> int:
        """The number of an order."""
        await asyncio.sleep(0)
        return int("".join(letter for letter in text if letter.isdigit()) or 0)

    def refund(self, order: int) -> int:
        """Refund it."""
        self.refunds.append(order)
        return len(self.refunds)

    def snapshot(self) -> list[int]:
        """What was refunded."""
        return self.refunds


async def agent(message: str, tools: Tools, *, seed: int) -> object:
    """An agent that uses its seed, retries now and then, gives up at times and crashes at times."""
    chance = dice(seed)
    for attempt in range(3):
        try:
            order = await tools.find(text=message)
            await tools.refund(order=order)
        except ToolError:
            if chance.uniform("give up", attempt) < 0.2:
                raise
        else:
            return {"message": message, "lucky": chance.uniform("luck") < 0.7}
    return None


def blocking_agent(message: str, tools: Tools, *, seed: int) -> object:
    """The same agent, blocking."""
    chance = dice(seed)
    for attempt in range(3):
        try:
            order = tools.find(text=message)
            tools.refund(order=order)
        except ToolError:
            if chance.uniform("give up", attempt) < 0.2:
                raise
        else:
            return {"message": message, "lucky": chance.uniform("luck") < 0.7}
    return None


def lucky(evidence: Evidence) -> bool:
    """Pass where the agent was lucky and refunded once."""
    output = evidence.output
    return isinstance(output, dict) and output["lucky"] and len(evidence.trace) > 1


def a_suite() -> Suite:
    """A suite of three tasks in the shop."""
    return suite_of(Shop, tasks=3, grade=lucky)


def run(each: Callable[..., Any], concurrency: int, *, seed: int = 7) -> Sequence[Trial]:
    """The contents of all trials of a run."""
    return drive(a_suite(), each, under=UNDER, trials=6, seed=seed, concurrency=concurrency).contents


@pytest.fixture(scope="module")
def one_at_a_time() -> Sequence[Trial]:
    """The trials of the async agent, one at a time."""
    return run(agent, 1)


def test_run_is_varied_enough_to_show_something(one_at_a_time: Sequence[Trial]) -> None:
    """The trials that the tests below compare have several outcomes, faults, wordings and seeds."""
    assert {trial.outcome for trial in one_at_a_time} >= {Outcome.PASS, Outcome.FAIL, Outcome.CRASH}
    assert len(one_at_a_time) == 3 * 5 * 6
    assert {len(trial.faults) for trial in one_at_a_time} >= {0, 1, 2}
    assert len({trial.seed for trial in one_at_a_time}) == 3 * 6


@pytest.mark.parametrize("concurrency", [8, 64])
def test_concurrency_changes_no_trial(concurrency: int, one_at_a_time: Sequence[Trial]) -> None:
    """The same seed gives the same trials however many run at a time."""
    assert run(agent, concurrency) == one_at_a_time


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_blocking_agent_gives_the_same_trials(concurrency: int, one_at_a_time: Sequence[Trial]) -> None:
    """An agent that blocks its thread meets the same faults and wordings as one that awaits."""
    trials = run(blocking_agent, concurrency)

    assert [_but_detail(trial) for trial in trials] == [_but_detail(trial) for trial in one_at_a_time]


def _but_detail(trial: Trial) -> tuple[object, ...]:
    """The content of a trial without the line number of the agent that crashed."""
    content = trial.content()
    return tuple(getattr(content, name) for name in content.__struct_fields__ if name != "detail")


def test_another_seed_gives_other_trials(one_at_a_time: Sequence[Trial]) -> None:
    """The seed matters."""
    assert run(agent, 8, seed=8) != one_at_a_time


@pytest.mark.parametrize("each", [agent, blocking_agent], ids=["async", "blocking"])
def test_stopped_and_resumed_run_is_the_same_run(each: Callable[..., Any], tmp_path: Path) -> None:
    """A run that is stopped in the middle and gone on with holds the trials of a run in one go."""
    store, control = SqliteStore(tmp_path / "runs.db"), Control()
    suite, begun = a_suite(), []

    def stops(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - as the agent
        begun.append(1)
        if len(begun) == 20:
            control.stop()
        return each(*arguments, **named)

    async def stops_async(message: str, tools: Tools, *, seed: int) -> object:
        return await stops(message, tools, seed=seed)

    def stops_blocking(message: str, tools: Tools, *, seed: int) -> object:
        return stops(message, tools, seed=seed)

    settings = Settings(under=UNDER, trials=6, seed=7, concurrency=3)
    plan = plan_of(suite, settings)
    store.create(plan.header)
    stopper = stops_async if each is agent else stops_blocking
    first = in_thread(lambda: execute(plan, suite, stopper, settings, store=store, control=control), control)
    done = frozenset(store.stored("run-1"))
    second = in_thread(lambda: execute(plan, suite, each, settings, store=store, done=done), Control())
    trials = [trial.content() for trial in store.open().trials]
    store.close()

    assert 20 <= first.stored < 90
    assert second.stored == 90
    assert [_but_detail(trial) for trial in trials] == [_but_detail(trial) for trial in run(each, 8)]


def test_conditions_are_paired(one_at_a_time: Sequence[Trial]) -> None:
    """A trial has one seed under every condition, so trial 3 under a fault is trial 3 of the clean run, plus it."""
    seeds = {(trial.task_id, trial.index, trial.seed) for trial in one_at_a_time}

    assert len(seeds) == 3 * 6


def test_conditions_may_be_listed_in_any_order(one_at_a_time: Sequence[Trial]) -> None:
    """Neither the order of the conditions nor the order of their parts changes a trial."""
    turned = [Condition(reversed(condition.parts)) for condition in map(_as_condition, reversed(UNDER))]
    again = drive(a_suite(), agent, under=turned, trials=6, seed=7).contents

    assert sorted(again, key=_address) == sorted(one_at_a_time, key=_address)


def _as_condition(part: Any) -> Condition:  # noqa: ANN401 - a part or a condition
    return part if isinstance(part, Condition) else Condition([part])


def _address(trial: Trial) -> tuple[str, str, int]:
    return trial.task_id, trial.condition, trial.index


def test_progress_tells_what_is_stored() -> None:
    """Progress is reported after each batch, never runs ahead of the store, and ends at the whole."""
    told: list[Progress] = []

    drive(a_suite(), agent, under=UNDER, trials=6, progress=told.append)

    assert [progress.stored for progress in told] == sorted(progress.stored for progress in told)
    assert told[-1].stored == told[-1].planned == 90
    assert sum(told[-1].outcomes.values()) == 90
