"""Whatever an agent does becomes data of its trial, and the run goes on."""

from __future__ import annotations

import asyncio
import functools
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from passhat.engine.printing import captured
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from tests.engine.drive import drive, suite_of


class Counter:
    """A world with one tool."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """One tool that counts."""
        return {"add": self.add}

    def add(self) -> int:
        """Count one more."""
        self.count += 1
        return self.count


async def raises(message: str) -> str:
    """An async agent that raises."""
    raise KeyError(message)


def raises_blocking(message: str) -> str:
    """A blocking agent that raises."""
    raise KeyError(message)


async def exits(message: str) -> str:
    """An async agent that ends the program."""
    sys.exit(3)


def exits_blocking(message: str) -> str:
    """A blocking agent that ends the program."""
    sys.exit(3)


async def cancels(message: str) -> str:
    """An async agent that raises what a cancelled one would."""
    raise asyncio.CancelledError


def cancels_blocking(message: str) -> str:
    """A blocking agent that raises what a cancelled one would."""
    raise asyncio.CancelledError


def stops_blocking(message: str) -> str:
    """A blocking agent that lets an iterator's end through."""
    return next(iter(()))


async def interrupts(message: str) -> str:
    """An async agent that raises what Ctrl-C would, where no Ctrl-C can come from."""
    raise KeyboardInterrupt


def interrupts_blocking(message: str) -> str:
    """A blocking agent that does."""
    raise KeyboardInterrupt


async def interrupts_in_a_task(message: str) -> object:
    """An async agent whose own task does, which asyncio lets through to the loop's caller."""
    return await asyncio.create_task(interrupts(message))


async def exits_in_a_task(message: str) -> object:
    """An async agent whose own task ends the program."""
    return await asyncio.create_task(exits(message))


RAISING = (
    raises,
    raises_blocking,
    exits,
    exits_blocking,
    cancels,
    cancels_blocking,
    stops_blocking,
    interrupts,
    interrupts_blocking,
    interrupts_in_a_task,
    exits_in_a_task,
)


@pytest.mark.parametrize("agent", RAISING, ids=lambda agent: agent.__name__)
def test_agent_that_raises_crashes_its_trial_alone(agent: Callable[..., Any]) -> None:
    """An agent's exception, whatever its kind, is a CRASH, and the next trials run."""
    driven = drive(suite_of(tasks=3), agent, concurrency=1)

    assert [trial.outcome for trial in driven.trials] == [Outcome.CRASH] * 3
    assert all(trial.detail for trial in driven.trials)
    assert all(trial.answer is None for trial in driven.trials)


def test_crash_says_what_and_where() -> None:
    """A CRASH names the error and the line of the agent that raised it."""
    detail = drive(suite_of(), raises).trial.detail

    assert "KeyError" in detail
    assert "test_agent_failures.py" in detail
    assert "in raises" in detail


@pytest.mark.parametrize("agent", [exits, exits_blocking, interrupts, interrupts_blocking], ids=lambda a: a.__name__)
def test_end_of_the_program_says_what_and_where(agent: Callable[..., Any]) -> None:
    """What no future can carry is told as what it was, with its line, for agents of both kinds."""
    detail = drive(suite_of(), agent).trial.detail

    assert detail.startswith(("SystemExit: 3 (", "KeyboardInterrupt ("))
    assert f"test_agent_failures.py:{agent.__code__.co_firstlineno + 2} in {agent.__name__}" in detail


def test_agent_that_stops_the_loop_stops_nobody() -> None:
    """An agent that tells the loop to stop is told nothing; the run goes on."""

    async def agent(message: str) -> str:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)
        return message

    assert [trial.outcome for trial in drive(suite_of(tasks=2), agent).trials] == [Outcome.PASS] * 2


def test_error_whose_text_raises_is_a_crash() -> None:
    """An exception that cannot even be shown is a CRASH like any other."""

    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    async def agent(message: str) -> str:
        raise Unspeakable

    driven = drive(suite_of(), agent)

    assert driven.trial.outcome is Outcome.CRASH
    assert "Unspeakable" in driven.trial.detail


def test_exception_group_is_a_crash() -> None:
    """A task group's exceptions are a CRASH of their trial."""

    async def fails() -> None:
        raise ValueError("no")

    async def agent(message: str) -> str:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
        return "unreachable"

    assert drive(suite_of(), agent).trial.outcome is Outcome.CRASH


def test_returned_coroutine_is_a_crash() -> None:
    """A blocking function that returns a coroutine which nobody awaited never passes."""

    async def work(message: str) -> str:
        return message

    def agent(message: str) -> Coroutine[Any, Any, str]:
        return work(message)

    trial = drive(suite_of(), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert "awaited" in trial.detail


def test_async_function_that_returns_a_coroutine_is_a_crash() -> None:
    """An async agent that forgot to await its own work never passes."""

    async def work(message: str) -> str:
        return message

    async def agent(message: str) -> object:
        return work(message)

    trial = drive(suite_of(), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert "awaited" in trial.detail


def test_coroutine_in_an_answer_is_a_crash() -> None:
    """A coroutine within an `Answer` never passes either."""

    async def work() -> str:
        return "done"

    async def agent(message: str) -> Answer:
        return Answer(work())

    assert drive(suite_of(), agent).trial.outcome is Outcome.CRASH


async def _work() -> str:
    return "done"


async def _yield() -> AsyncIterator[str]:
    yield "done"


@dataclass
class Reply:
    """An answer of an agent's own kind."""

    text: object


class Message(msgspec.Struct):
    """Another kind."""

    text: object


FORGOTTEN: dict[str, Callable[[], object]] = {
    "in a mapping": lambda: {"reply": _work()},
    "in a list": lambda: ["first", [_work()]],
    "in a tuple": lambda: (1, (2, _work())),
    "in a set": lambda: {_work()},
    "in a data class": lambda: Reply(_work()),
    "in a struct": lambda: {"reply": Message(_work())},
    "in an answer": lambda: Answer({"reply": _work()}),
    "in a ring": lambda: _ring(_work()),
    "generator": lambda: (number for number in range(3)),
    "async generator": _yield,
    "generator in a list": lambda: [(each for each in "abc")],
}


def _ring(value: object) -> list[object]:
    ring = [value]
    ring.append(ring)
    return ring


@pytest.mark.parametrize("name", FORGOTTEN)
@pytest.mark.parametrize("blocking", [True, False], ids=["blocking", "async"])
def test_work_nobody_did_is_a_crash_wherever_it_is(name: str, blocking: bool) -> None:  # noqa: FBT001 - a parameter
    """An answer that holds what nobody awaited, or a generator that nobody ran, never passes."""

    def agent(message: str) -> object:
        return FORGOTTEN[name]()

    async def agent_async(message: str) -> object:
        return FORGOTTEN[name]()

    trial = drive(suite_of(), agent if blocking else agent_async).trial

    assert trial.outcome is Outcome.CRASH
    assert "that nobody " in trial.detail
    assert trial.answer is None


def test_task_nobody_awaited_is_a_crash() -> None:
    """An agent that returns an asyncio task instead of its result never passes."""

    async def work() -> str:
        return "done"

    async def agent(message: str) -> object:
        return asyncio.get_running_loop().create_task(work())

    trial = drive(suite_of(), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert "awaited" in trial.detail


def test_tool_call_nobody_awaited_is_a_crash() -> None:
    """An async agent that forgets to await a tool call never passes, and the tool never ran."""
    worlds: list[Counter] = []

    def world() -> Counter:
        worlds.append(Counter())
        return worlds[-1]

    async def agent(message: str, tools: Tools) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            tools.add()
        return "done"

    trial = drive(suite_of(world), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert trial.detail == "the agent made 1 tool call that it never awaited"
    assert worlds[0].count == 0


def test_async_callable_object_is_awaited() -> None:
    """An object with an async `__call__`, also behind `partial`, is an async agent."""

    class Bot:
        async def __call__(self, greeting: str, message: str) -> str:
            return greeting

    trial = drive(suite_of(), functools.partial(Bot(), "hello")).trial

    assert trial.outcome is Outcome.PASS
    assert trial.answer == Answer("hello")


class Unshowable:
    """An object whose text raises."""

    def __repr__(self) -> str:
        raise RuntimeError


def _cycle() -> list[Any]:
    cycle: list[Any] = []
    cycle.append(cycle)
    return cycle


def _deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


STRANGE: dict[str, Callable[[], object]] = {
    "object": object,
    "unshowable": Unshowable,
    "set": lambda: {"b", "a", "c"},
    "bytes": lambda: b"\x00\xff",
    "nan": lambda: float("nan"),
    "infinity": lambda: [float("inf"), -float("inf")],
    "huge integer": lambda: 2**200,
    "cycle": _cycle,
    "deep": lambda: _deep(100_000),
    "rather deep": lambda: _deep(700),
    "half a surrogate pair": lambda: "\ud800 and text",
    "surrogate key": lambda: {"\udfff": "\ud800"},
    "odd keys": lambda: {1: "a", None: "b", (1, 2): "c", 2.5: "d"},
    "megabytes": lambda: "x" * 3_000_000,
    "many items": lambda: list(range(300_000)),
    "function": lambda: len,
    "class": lambda: Counter,
    "exception": lambda: ValueError("no"),
    "complex": lambda: 1 + 2j,
}


@pytest.mark.parametrize("name", STRANGE)
def test_answer_json_cannot_hold_is_kept_as_data(name: str) -> None:
    """An answer that JSON can't hold is stored as data about itself, and the next trial runs."""

    async def agent(message: str) -> object:
        return STRANGE[name]()

    driven = drive(suite_of(tasks=2), agent)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 2
    assert all(trial.answer is not None and trial.answer.output is not None for trial in driven.trials)


WRONG_ANSWERS: dict[str, Callable[[], Answer]] = {
    "usage": lambda: Answer("done", usage=Usage(input_tokens="many")),  # type: ignore[arg-type]
    "half a token": lambda: Answer("done", usage=Usage(input_tokens=1.5)),  # type: ignore[arg-type]
    "claim": lambda: Answer("done", claims_success="very much"),  # type: ignore[arg-type]
    "hand-off": lambda: Answer("done", handoff=object()),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG_ANSWERS)
def test_answer_of_a_wrong_shape_is_a_crash(name: str) -> None:
    """An `Answer` whose fields are of the wrong kind is the agent's mistake, and the stored run can be read."""

    async def agent(message: str) -> Answer:
        return WRONG_ANSWERS[name]()

    driven = drive(suite_of(tasks=2), agent)

    assert [trial.outcome for trial in driven.trials] == [Outcome.CRASH] * 2
    assert all("Answer" in trial.detail for trial in driven.trials)


def test_cost_that_is_no_number_is_no_cost() -> None:
    """A cost of NaN is stored as none."""

    async def agent(message: str) -> Answer:
        return Answer("done", usage=Usage(input_tokens=3, cost=float("nan")))

    trial = drive(suite_of(), agent).trial

    assert trial.outcome is Outcome.PASS
    assert trial.answer == Answer("done", usage=Usage(input_tokens=3))


def test_sets_have_one_order() -> None:
    """A set is stored in an order that does not depend on the process."""

    async def agent(message: str) -> object:
        return {"words": {f"word-{number}" for number in range(50)}}

    answer = drive(suite_of(), agent).trial.answer

    assert answer is not None
    assert answer.output == {"words": sorted(f"word-{number}" for number in range(50))}


def test_printed_megabytes_are_kept_in_part() -> None:
    """What an agent prints goes with its trial where asked for, cut where it is long, and not to the screen."""

    def agent(message: str) -> str:
        for _ in range(50):
            sys.stdout.write("x" * 100_000)
        return "done"

    with captured():
        driven = drive(suite_of(tasks=2), agent, capture=True)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 2
    assert all("5,000,000 characters" in trial.printed for trial in driven.trials)
    assert all(len(trial.printed) < 11_000 for trial in driven.trials)


def test_prints_go_to_their_own_trial() -> None:
    """Trials that run at the same time keep their prints apart."""

    async def agent(message: str) -> str:
        sys.stdout.write(f"first {message}\n")
        await asyncio.sleep(0)
        sys.stderr.write(f"then {message}\n")
        return "done"

    with captured():
        driven = drive(suite_of(tasks=8), agent, capture=True, concurrency=8)

    inputs = [f"please refund order {number} for the customer" for number in range(8)]
    assert [trial.printed for trial in driven.trials] == [f"first {text}\nthen {text}\n" for text in inputs]


def test_seed_is_passed_to_an_agent_that_asks() -> None:
    """An agent with a parameter `seed` gets the trial's seed."""

    async def agent(message: str, *, seed: int) -> int:
        return seed

    driven = drive(suite_of(), agent, trials=3)

    seeds = [trial.seed for trial in driven.trials]
    assert [trial.answer and trial.answer.output for trial in driven.trials] == seeds
    assert len(set(seeds)) == 3
