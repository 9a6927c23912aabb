"""Where the OpenAI Agents SDK lets us in: copies of the agents of one trial, whose function tools are behind our guard.

The agents themselves are not touched, and the copies live as long as their trial. What an agent is handed over to is
copied when it is first met, so that agents may hand over to each other in a circle.
"""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
from agents import Agent, FunctionTool, Handoff, RunContextWrapper, RunHooks, Runner
from agents.items import ModelResponse
from agents.models import get_default_model
from agents.tool import (
    Tool,
    maybe_invoke_function_tool_failure_error_function,
    set_function_tool_failure_error_function,
)
from agents.tool_context import ToolContext

from passhat.agents._framework import Own, Tools, named, reply_text
from passhat.clients.replies import replied
from passhat.errors import ToolError
from passhat.model.tools import ToolSpec

__all__ = ["Agent", "Guarding", "Runner"]

_NO_OBJECT = "the arguments are no JSON object"


class Watch(RunHooks[Any]):
    """Looks on at one run, for the names of the models that are asked."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self.models: set[str] = set()

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        """One model has answered."""
        del context, response  # a response does not name the model
        model = agent.model if isinstance(agent.model, str) else getattr(agent.model, "model", None)
        if agent.model is None:
            model = get_default_model()
        if isinstance(model, str) and model:
            self.models.add(model)


class Guarding:
    """The agents of one trial, each with its tools behind the guard, as far as they can be met from the first."""

    def __init__(self, tools: Tools, agent: Agent[Any]) -> None:
        """Copies of *agent* and of those that it hands over to, with the *tools* of one trial."""
        self.watch = Watch()
        self._tools = tools
        self._copies: dict[int, tuple[Agent[Any], Agent[Any]]] = {}  # the first of the two is held, so that its id is
        self._known = {tool.name for one in _reachable(agent) for tool in one.tools}
        self.first = self._copied(agent, offers=tools.__specs__())

    def _copied(self, agent: Agent[Any], *, offers: Iterable[ToolSpec] = ()) -> Agent[Any]:
        known = self._copies.get(id(agent))
        if known is not None:
            return known[1]
        guarded = copy.copy(agent)
        self._copies[id(agent)] = agent, guarded
        guarded.handoffs = [self._handed(handoff) for handoff in agent.handoffs]
        all_tools = guarded.get_all_tools

        async def guarded_tools(run_context: RunContextWrapper[Any]) -> list[Tool]:
            own = [self._behind(tool) for tool in await all_tools(run_context)]
            names = self._known | {tool.name for tool in own}
            return [*own, *(self._offered(spec) for spec in offers if spec.name not in names)]

        guarded.get_all_tools = guarded_tools  # type: ignore[method-assign]  # of this copy alone
        return guarded

    def _handed(self, handoff: Agent[Any] | Handoff[Any, Any]) -> Agent[Any] | Handoff[Any, Any]:
        """The same handoff, to a copy of the agent."""
        if isinstance(handoff, Agent):
            return self._copied(handoff)
        guarded, invoke = copy.copy(handoff), handoff.on_invoke_handoff

        async def to_a_copy(context: RunContextWrapper[Any], text: str) -> Agent[Any]:
            return self._copied(await invoke(context, text))

        guarded.on_invoke_handoff = to_a_copy
        return guarded

    def _behind(self, tool: Tool) -> Tool:
        """A function tool behind the guard; any other is run by OpenAI, or by a machine of its own."""
        if not isinstance(tool, FunctionTool):
            return tool
        guarded = copy.copy(tool)
        guarded.on_invoke_tool = self._invoking(tool)
        return guarded

    def _invoking(self, tool: FunctionTool) -> Callable[[ToolContext[Any], str], Awaitable[Any]]:
        # What @function_tool makes shows its own errors to the model; any other tool's end the run.
        handles = hasattr(tool.on_invoke_tool, "__agents_bind_function_tool__")
        raising = set_function_tool_failure_error_function(copy.copy(tool), None)

        async def invoke(context: ToolContext[Any], text: str) -> Any:  # noqa: ANN401 - tools return what they like
            arguments = _arguments(text)
            if arguments is None:  # no call: the tool says so to the model in its own words
                return await tool.on_invoke_tool(context, text)
            own = Own(lambda: raising.on_invoke_tool(context, text))
            try:
                told = await replied(self._tools.__bind__(tool.name, own)(**arguments))
            except Exception as error:
                if not handles and (own.failed or not isinstance(error, ToolError)):
                    raise
                return await _shown(tool, context, error)
            return own.given(told, written=reply_text)

        return invoke

    def _offered(self, spec: ToolSpec) -> FunctionTool:
        """A tool of the world that none of the agents has."""

        async def invoke(context: ToolContext[Any], text: str) -> Any:  # noqa: ANN401 - as above
            arguments = _arguments(text)
            if arguments is None:
                return await _shown(tool, context, ToolError("invalid_arguments", _NO_OBJECT))
            try:
                return reply_text(await replied(self._tools.__bind__(spec.name, None)(**arguments)))
            except Exception as error:  # noqa: BLE001 - a fence: nobody but passhat offers this tool
                return await _shown(tool, context, error)

        tool = FunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=dict(spec.parameters),
            on_invoke_tool=invoke,
            strict_json_schema=False,
        )
        return tool


async def _shown(tool: FunctionTool, context: ToolContext[Any], error: Exception) -> Any:  # noqa: ANN401 - a tool's reply
    """What the model sees of *error*, by the tool's own failure function; one that has none raises."""
    told = await maybe_invoke_function_tool_failure_error_function(function_tool=tool, context=context, error=error)
    if told is None:
        raise error
    return told


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        arguments = msgspec.json.decode(text or "{}")
    except (msgspec.DecodeError, RecursionError):
        return None
    return named(arguments) if isinstance(arguments, dict) else None


def _reachable(agent: Agent[Any]) -> list[Agent[Any]]:
    """*agent* and all that it may hand over to, as far as they are known before it does."""
    found, ids = [agent], {id(agent)}
    for one in found:
        for handoff in one.handoffs:
            target = handoff if isinstance(handoff, Agent) else _target(handoff)
            if isinstance(target, Agent) and id(target) not in ids:
                ids.add(id(target))
                found.append(target)
    return found


def _target(handoff: Handoff[Any, Any]) -> object:
    refers = getattr(handoff, "_agent_ref", None)
    return refers() if callable(refers) else None
