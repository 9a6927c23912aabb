"""What stands in a trace: every call as the agent saw it, and what upstream really did."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from passhat.errors import ToolError
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Trial
from tests.engine.drive import drive, suite_of


class Shop:
    """A world with tools of many kinds."""

    def __init__(self) -> None:
        self.ordered: list[Any] = []

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The tools by name."""
        return {"order": self.order, "order_async": self.order_async, "fail": self.fail, "wait": self.wait}

    def order(self, item: Any, *, count: int = 1) -> list[Any]:  # noqa: ANN401 - any item
        """Order something, and give the live list of all orders."""
        self.ordered.append([item, count])
        return self.ordered

    async def order_async(self, item: Any, *, count: int = 1) -> list[Any]:  # noqa: ANN401 - any item
        """The same, to be awaited."""
        await asyncio.sleep(0)
        return self.order(item, count=count)

    def fail(self, kind: str = "") -> None:
        """Fail as a service does, or as a bug does."""
        if kind:
            raise ToolError(kind, "the shop says no", retry_after=2)
        raise ValueError("a bug")

    async def wait(self, turns: int) -> int:
        """Let *turns* turns of the event loop pass."""
        for _ in range(turns):
            await asyncio.sleep(0)
        return turns


def traced(*calls: tuple[str, dict[str, Any]]) -> list[Trial]:
    """The trial of an agent that makes these calls and swallows their errors: blocking, then async."""

    def blocking(message: str, tools: Tools) -> str:
        for name, arguments in calls:
            try:
                tools.call(name, **arguments)
            except Exception as error:  # noqa: BLE001 - a test's agent that goes on
                str(error)
        return "done"

    async def awaiting(message: str, tools: Tools) -> str:
        for name, arguments in calls:
            try:
                await tools.call(name, **arguments)
            except Exception as error:  # noqa: BLE001 - a test's agent that goes on
                str(error)
        return "done"

    return [drive(suite_of(Shop), agent).trial for agent in (blocking, awaiting)]


def test_trace_holds_arguments_and_reply() -> None:
    """A call's arguments and reply, its step and that upstream ran once are in the trace, for both kinds of agent."""
    for trial in traced(("order", {"item": "mug"}), ("order_async", {"item": "tea", "count": 2})):
        first, second = trial.trace
        assert (first.step, first.tool, first.arguments, first.reply) == (1, "order", {"item": "mug"}, [["mug", 1]])
        assert (second.step, second.tool, second.arguments) == (2, "order_async", {"item": "tea", "count": 2})
        assert second.reply == [["mug", 1], ["tea", 2]]
        assert all(call.ok and call.executed == 1 and call.upstream is None for call in trial.trace)


def test_trace_is_the_same_for_both_kinds_of_agent() -> None:
    """What is recorded does not depend on whether the agent awaits or blocks."""
    blocking, awaiting = traced(
        ("order", {"item": {"name": "mug"}}),
        ("fail", {}),
        ("no_such_tool", {"x": 1}),
        ("order", {}),
        ("fail", {"kind": "down"}),
    )

    assert blocking.content() == awaiting.content()


def test_later_changes_do_not_reach_the_trace() -> None:
    """The trace is a snapshot: what happens to an argument or a reply afterwards does not change it."""

    async def agent(message: str, tools: Tools) -> str:
        item = {"name": "mug", "parts": ["cup"]}
        reply = await tools.order(item=item)
        item["name"] = "changed"
        reply.clear()
        await tools.order(item="tea")
        return "done"

    def blocking_agent(message: str, tools: Tools) -> str:
        item = {"name": "mug", "parts": ["cup"]}
        reply = tools.order(item=item)
        item["name"] = "changed"
        reply.clear()
        tools.order(item="tea")
        return "done"

    for each in (agent, blocking_agent):
        first = drive(suite_of(Shop), each).trial.trace[0]
        assert first.arguments == {"item": {"name": "mug", "parts": ["cup"]}}
        assert first.reply == [[{"name": "mug", "parts": ["cup"]}, 1]]


def test_agent_gets_the_tools_own_reply() -> None:
    """Without a fault the agent gets the very object that the tool returned."""
    shops = []

    def world() -> Shop:
        shops.append(Shop())
        return shops[-1]

    async def agent(message: str, tools: Tools) -> bool:
        return await tools.order(item="mug") is shops[0].ordered

    answer = drive(suite_of(world), agent).trial.answer

    assert answer is not None
    assert answer.output is True


def test_unknown_tool_is_an_error_that_helps() -> None:
    """A call of a tool that isn't there fails for the agent, names the nearest, and stands in the trace."""
    seen = []

    async def agent(message: str, tools: Tools) -> str:
        try:
            await tools.ordr(item="mug")
        except ToolError as error:
            seen.append((error.kind, error.message))
        return "done"

    trial = drive(suite_of(Shop), agent).trial

    assert seen == [("unknown_tool", "there is no tool called 'ordr': did you mean order, order_async?")]
    (call,) = trial.trace
    assert (call.tool, call.executed, call.ok) == ("ordr", 0, False)


def test_call_without_a_world_is_an_error() -> None:
    """A suite without a world has no tools, and says so to an agent that calls one."""

    async def agent(message: str, tools: Tools) -> str:
        return str(await tools.order(item="mug"))

    trial = drive(suite_of(), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert "there is no tool called 'order'" in trial.detail


def test_tool_error_is_the_agents_to_handle() -> None:
    """A tool's exception reaches the agent unchanged, and the trace says what it was."""
    for trial in traced(("fail", {}), ("fail", {"kind": "down"})):
        assert [call.error for call in trial.trace] == ["ValueError: a bug", "the shop says no"]
        assert [call.executed for call in trial.trace] == [1, 1]
        assert trial.outcome is Outcome.PASS


def test_wrong_arguments_are_the_agents_error() -> None:
    """A call that the tool does not take raises in the agent, and stands in the trace."""
    for trial in traced(("order", {"thing": "mug"})):
        (call,) = trial.trace
        assert "TypeError" in call.error
        assert call.arguments == {"thing": "mug"}


def test_parallel_calls_keep_their_steps() -> None:
    """Calls made at the same time are in the trace in the order in which they began, whichever ends first."""

    async def agent(message: str, tools: Tools) -> str:
        await asyncio.gather(tools.wait(turns=5), tools.wait(turns=1), tools.wait(turns=3))
        return "done"

    trace = drive(suite_of(Shop), agent).trial.trace

    assert [call.step for call in trace] == [1, 2, 3]
    assert [call.reply for call in trace] == [5, 1, 3]


def test_strange_values_are_recorded_as_data() -> None:
    """Arguments and replies that JSON can't hold are recorded as data, and the tool gets the original."""

    class Unshowable:
        def __repr__(self) -> str:
            raise RuntimeError

    for trial in traced(("order", {"item": Unshowable()}), ("order", {"item": float("nan")})):
        assert trial.outcome is Outcome.PASS
        assert "Unshowable" in str(trial.trace[0].arguments)
        assert "nan" in str(trial.trace[1].arguments)


@pytest.mark.parametrize("name", ["call", "_call", "_tools"])
def test_tool_of_any_name_can_be_called_by_name(name: str) -> None:
    """A tool whose name is taken by the object that holds the tools is called with `call`."""

    class Odd:
        def __init__(self) -> None:
            self.tools = {name: lambda number: number + 1}

    async def agent(message: str, tools: Tools) -> int:
        return int(await tools.call(name, number=1))

    answer = drive(suite_of(Odd), agent).trial.answer

    assert answer is not None
    assert answer.output == 2


def test_tools_are_listed() -> None:
    """An agent can see which tools there are."""

    def agent(message: str, tools: Any) -> list[str]:  # noqa: ANN401 - iterated
        return sorted(tools)

    answer = drive(suite_of(Shop), agent).trial.answer

    assert answer is not None
    assert answer.output == ["fail", "order", "order_async", "wait"]
