"""Every surface keeps the promises of its kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from passhat import surfaces
from passhat.clients.http import Client, address
from passhat.errors import ToolError
from passhat.faults import Fault
from tests.contracts.known import FAULTS, SURFACES

Call = tuple[str, dict[str, Any], bool]


def refund(order: int) -> dict[str, Any]:
    """Give the money back."""
    if order < 0:
        raise ToolError("not_found", f"there is no order {order}")
    return {"refunded": order}


TOOLS: Mapping[str, Callable[..., Any]] = {"refund": refund, "look": lambda: [1, 2]}


class WritingGuard:
    """A guard that plans no fault, and writes down what comes by: the tool, its arguments, whether there is one."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def bind_blocking(self, tool: str, upstream: Callable[..., Any] | None) -> Callable[..., Any]:
        """The tool for an agent that doesn't await."""

        def call(**arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
            self.calls.append((tool, arguments, upstream is not None))
            if upstream is None:
                raise ToolError("no_such_tool", tool)
            return upstream(**arguments)

        return call

    def bind(self, tool: str, upstream: Callable[..., Any] | None) -> Callable[..., Awaitable[Any]]:
        """The tool for an agent that awaits."""
        blocking = self.bind_blocking(tool, upstream)

        async def call(**arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
            await asyncio.sleep(0)
            return blocking(**arguments)

        return call

    def messages(self, history: Iterable[Any]) -> list[Any]:
        """All of them, as they are."""
        self.calls.append(("messages", {}, True))
        return list(history)


async def _in_process(tools: Any, name: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - any reply
    reply = tools.call(name, **arguments)
    return await reply if hasattr(reply, "__await__") else reply


async def _over_http(tools: Any, name: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - any reply
    headers = {"Authorization": f"Bearer {tools.token}"}
    body = json.dumps({"tool": name, "arguments": arguments}).encode()
    client = Client()
    async with client.send(address(f"{tools.url}/call"), body=body, headers=headers) as response:
        said = json.loads(await response.read(10_000))
    client.close()
    if "error" in said:
        raise ToolError(said["error"]["kind"], said["error"]["message"])
    return said["reply"]


# How an agent calls a tool through each surface, by name.
CALLERS: Mapping[str, Callable[[Any, str, dict[str, Any]], Awaitable[Any]]] = {
    "python_tools": _in_process,
    "tool_server": _over_http,
}
CASES = [(name, blocking) for name in CALLERS for blocking in (True, False)]


def told(name: str, guard: WritingGuard, tool: str, *, blocking: bool, **arguments: Any) -> Any:  # noqa: ANN401 - any reply
    """What the agent is told when it calls a tool through the surface of this name."""

    async def tell() -> Any:  # noqa: ANN401 - any reply
        surface = SURFACES[name]()
        async with opened(surface, guard, blocking=blocking) as tools:
            return await CALLERS[name](tools, tool, arguments)

    return asyncio.run(tell())


@asynccontextmanager
async def opened(surface: Any, guard: WritingGuard, *, blocking: bool) -> AsyncIterator[Any]:  # noqa: ANN401 - any tools
    """The tools that *surface* gives, as long as it is at work; what it need not have it may lack."""
    if hasattr(surface, "begin"):
        await surface.begin()
    tools = surface.open(guard, TOOLS, blocking=blocking)
    try:
        yield tools
    finally:
        if hasattr(surface, "close"):
            surface.close(tools)
        if hasattr(surface, "end"):
            await surface.end()


def test_every_surface_has_a_caller() -> None:
    """The tests below see every built-in surface at work; an installed one is seen as far as that needs no agent."""
    assert CALLERS.keys() == surfaces.SURFACES.keys()


@pytest.mark.parametrize("name", SURFACES)
def test_surface_is_documented_and_named(name: str) -> None:
    """A surface says where calls are taken in, and bears the name that it is listed under."""
    assert vars(SURFACES[name])["__doc__"]
    assert SURFACES[name]().name == name


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_surfaces_that_there_are(name: str) -> None:
    """A fault is delivered by surfaces that exist."""
    fault: type[Fault] = FAULTS[name]

    assert fault.surfaces <= {carried for surface in SURFACES.values() for carried in surface().carries}


@pytest.mark.parametrize(("name", "blocking"), CASES)
def test_every_call_goes_through_the_guard(name: str, blocking: bool) -> None:  # noqa: FBT001 - pytest's parameter
    """The guard sees the tool and the arguments of each call, once, and the agent gets the reply as it is."""
    guard = WritingGuard()

    reply = told(name, guard, "refund", blocking=blocking, order=7)

    assert reply == {"refunded": 7}
    assert guard.calls == [("refund", {"order": 7}, True)]


@pytest.mark.parametrize(("name", "blocking"), CASES)
def test_tool_that_there_is_not_is_the_guards_to_refuse(name: str, blocking: bool) -> None:  # noqa: FBT001 - as above
    """A call of no tool reaches the guard too, which records it."""
    guard = WritingGuard()

    with pytest.raises(ToolError, match="no_tool"):
        told(name, guard, "no_tool", blocking=blocking)

    assert guard.calls == [("no_tool", {}, False)]


@pytest.mark.parametrize(("name", "blocking"), CASES)
def test_errors_go_back_as_they_are(name: str, blocking: bool) -> None:  # noqa: FBT001 - as above
    """The agent meets the error that the guard let through: its kind and its words."""
    with pytest.raises(ToolError, match=r"^there is no order -1$") as caught:
        told(name, WritingGuard(), "refund", blocking=blocking, order=-1)

    assert caught.value.kind == "not_found"


@pytest.mark.parametrize(("name", "blocking"), CASES)
def test_opening_calls_nothing(name: str, blocking: bool) -> None:  # noqa: FBT001 - as above
    """To hand out tools is not to use them, and leaves the world's own as they are."""
    guard, tools = WritingGuard(), dict(TOOLS)

    SURFACES[name]().open(guard, tools, blocking=blocking)

    assert guard.calls == []
    assert tools == TOOLS


def test_messages_go_through_the_guard() -> None:
    """What an agent passes on before it asks its model comes by the guard, at once, whether the agent awaits or not."""
    for blocking in (True, False):
        guard = WritingGuard()
        tools: Any = SURFACES["python_tools"]().open(guard, TOOLS, blocking=blocking)

        assert tools.messages(("a", "b")) == ["a", "b"]
        assert guard.calls == [("messages", {}, True)]
        assert "messages" in dir(tools)
