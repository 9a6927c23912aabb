"""Several tool calls that are one call of the agent's: what the guard writes down, for every kind of agent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from passhat.agents import one_call
from passhat.errors import ToolError, UsageError
from passhat.faults import rate_limit
from passhat.model.dose import Burst
from passhat.model.paths import RecoveryPath
from passhat.model.protocols import Tools
from passhat.model.recovery import recovery
from passhat.model.trial import Trial
from tests.engine.drive import drive, suite_of


class Shop:
    """One tool, which replies with what it was given."""

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The tool."""
        return {"ask": self.ask}

    def ask(self, *, what: int = 0) -> int:
        """Reply."""
        return what


def trial_of(agent: Callable[..., Any], *, burst: int = 0) -> Trial:
    """The trial of *agent*, of which the first *burst* calls are refused."""
    under = [rate_limit(retry_after=0.0).at(Burst(burst))] if burst else []
    return drive(suite_of(Shop), agent, under=under, clean=not burst).trial


def parts_of(trial: Trial) -> list[int | None]:
    """To the first of which call each call belongs."""
    return [call.part_of for call in trial.trace]


async def asked(tools: Tools, times: int) -> None:
    """So many calls in a row."""
    for _ in range(times):
        await tools.ask(what=1)


@pytest.mark.parametrize("burst", [0, 1])
def test_calls_in_a_block_are_one_call(burst: int) -> None:
    """All but the first name the first, and what is outside of the block stands alone: with a fault and without."""

    async def agent(message: str, tools: Tools) -> str:
        with suppress(ToolError):
            await tools.ask()
        with one_call():
            await asked(tools, 3)
        await tools.ask()
        with one_call():
            await asked(tools, 2)
        return message

    assert parts_of(trial_of(agent, burst=burst)) == [None, None, 2, 2, None, None, 6]


def test_agent_that_blocks_says_it_in_the_same_way() -> None:
    """A plain function's calls belong together as well."""

    def agent(message: str, tools: Tools) -> str:
        with one_call():
            tools.ask()
            tools.ask()
        tools.ask()
        return message

    assert parts_of(trial_of(agent)) == [None, 1, None]


def test_blocks_of_one_id_are_one_call() -> None:
    """A framework that retries comes by its hook once for each try, with the id of the model's tool call."""

    async def agent(message: str, tools: Tools) -> str:
        for call_id in ("call_1", "call_2", "call_1"):
            with one_call(call_id):
                await tools.ask()
        return message

    assert parts_of(trial_of(agent)) == [None, None, 1]


def test_ids_of_other_trials_are_other_calls() -> None:
    """The same id in the next trial begins anew."""

    async def agent(message: str, tools: Tools) -> str:
        with one_call("call_1"):
            await asked(tools, 2)
        return message

    made = drive(suite_of(Shop), agent, trials=3).trials

    assert [parts_of(trial) for trial in made] == [[None, 1]] * 3


def test_what_stands_around_it_all_is_the_call() -> None:
    """A retrying client within another one: the agent made one call."""

    async def agent(message: str, tools: Tools) -> str:
        with one_call():
            await tools.ask()
            with one_call("inner"):
                await tools.ask()
            await tools.ask()
        return message

    assert parts_of(trial_of(agent)) == [None, 1, 1]


def test_block_goes_with_the_tasks_that_are_begun_in_it() -> None:
    """Two blocks at once, each with tasks of its own, are not mixed up."""

    async def agent(message: str, tools: Tools) -> str:
        async def twice(what: int) -> None:
            with one_call():
                await asyncio.gather(tools.ask(what=what), tools.ask(what=what))

        await asyncio.gather(twice(1), twice(2))
        return message

    trial = trial_of(agent)
    calls: dict[int, set[int]] = {}
    for call in trial.trace:
        calls.setdefault(call.of_agent, set()).add(call.arguments["what"])  # type: ignore[arg-type]

    assert sorted(calls.values(), key=sorted) == [{1}, {2}]


def test_block_reaches_into_to_thread_and_no_other_thread() -> None:
    """`asyncio.to_thread` takes the context along; a thread that is started by hand has its own."""

    def agent(message: str, tools: Tools) -> str:
        with one_call():
            tools.ask()
            asyncio.run(asyncio.to_thread(tools.ask))
            by_hand = threading.Thread(target=tools.ask)
            by_hand.start()
            by_hand.join()
        return message

    assert parts_of(trial_of(agent)) == [None, 1, None]


def test_block_ends_where_an_error_leaves_it() -> None:
    """After an error the next call stands alone."""

    async def agent(message: str, tools: Tools) -> str:
        try:
            with one_call():
                await tools.ask()
        except ToolError:
            await tools.ask()
        return message

    trial = trial_of(agent, burst=1)
    said = recovery(trial)

    assert parts_of(trial) == [None, None]
    assert said is not None
    assert said.path is RecoveryPath.RETRY


def test_id_that_could_not_be_told_apart_is_refused() -> None:
    """One sentence, where it is written."""
    with pytest.raises(UsageError, match=r"one_call: an id is a text or a number, not \('a', \[\]\)"):
        one_call(("a", []))  # type: ignore[arg-type]
