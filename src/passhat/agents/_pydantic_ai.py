"""Where Pydantic AI lets us in: a capability of one run, which puts our guard beneath every toolset of the agent.

The guard stands at the leaves, below whatever the agent's own toolsets and capabilities wrap around them, so that a
call which they repeat is seen each time. Nothing here outlives its run, and the agent itself is not touched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import DeferredToolRequests, ModelRetry, RunContext, ToolDefinition
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelResponse
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset
from pydantic_core import SchemaValidator, core_schema

from passhat.agents._framework import Own, Tools, named
from passhat.clients.replies import replied
from passhat.errors import ToolError
from passhat.model.one_call import one_call
from passhat.model.plain import words
from passhat.model.tools import ToolSpec

__all__ = ["AbstractAgent", "DeferredToolRequests", "Guarding", "replies"]

_AN_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema()))
_SHOWN: Mapping[str, Callable[[str], Exception]] = {"retry": ModelRetry, "failed": ToolFailed}


def replies(result: Any) -> Iterator[ModelResponse]:  # noqa: ANN401 - the result of a run, whatever its output
    """What the models said in a run."""
    return (message for message in result.new_messages() if isinstance(message, ModelResponse))


_CALLED: ContextVar[str] = ContextVar("passhat_called", default="")  # by a prefix or a new name, a leaf has another


@contextmanager
def _called(name: str) -> Iterator[None]:
    """What happens in it is the call of the tool that the model knows by *name*."""
    token = _CALLED.set(name)
    try:
        yield
    finally:
        _CALLED.reset(token)


@dataclass(frozen=True)
class _Trial:
    """The tools of one trial, how their failures are shown, and the names under which the agent has tools itself."""

    tools: Tools
    shown_as: str
    specs: tuple[ToolSpec, ...]
    own: set[str] = field(default_factory=set)

    async def called(self, name: str, arguments: Mapping[str, Any], own: Callable[..., Any] | None) -> Any:  # noqa: ANN401
        """What the tool called *name* replies; an error of a tool is the model's to see."""
        try:
            return await replied(self.tools.__bind__(name, own)(**named(arguments)))
        except ToolError as error:
            raise self.failed(error.message) from error

    def failed(self, message: str) -> Exception:
        """What is raised so that the model sees *message*."""
        return _SHOWN[self.shown_as](message)


class Guarding(AbstractCapability[Any]):
    """Guards the tools of one run."""

    def __init__(self, tools: Tools, *, shown_as: str) -> None:
        """A capability that gives its run the *tools* of one trial."""
        self.id = None
        self.description = None
        self.defer_loading = False
        self._trial = _Trial(tools, shown_as, tuple(tools.__specs__()))

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        """All tools of the agent, each behind the guard, and those of the world that it lacks."""
        return _WithWorld(toolset.visit_and_replace(lambda leaf: _Guarded(leaf, self._trial)), self._trial)


@dataclass
class _Guarded(WrapperToolset[Any]):
    """A toolset of the agent's, behind the guard; a tool goes by the name that the model knows."""

    trial: _Trial

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        tools = await self.wrapped.get_tools(ctx)
        self.trial.own.update(tools)
        return tools

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Any],
        tool: ToolsetTool[Any],
    ) -> Any:  # noqa: ANN401 - tools return what they like
        limit = tool.tool_def.timeout
        seconds: float | None = getattr(self.wrapped, "timeout", None) if limit is None else limit
        try:
            async with asyncio.timeout(seconds) as clock:
                own = Own(lambda: _unlimited(clock, self.wrapped.call_tool(name, tool_args, ctx, tool)))
                return own.given(await self.trial.called(_CALLED.get() or name, tool_args, own))
        except TimeoutError:
            if not clock.expired():  # the tool's own
                raise
            raise ModelRetry(f"Timed out after {seconds} seconds.") from None  # the framework's words for it


async def _unlimited(clock: asyncio.Timeout, call: Awaitable[Any]) -> Any:  # noqa: ANN401 - tools return what they like
    """What *call* gives; *clock* stands still for it, as the toolset itself sees to the tool's time limit."""
    until = clock.when()
    clock.reschedule(None)
    try:
        return await call
    finally:
        clock.reschedule(until)


@dataclass
class _WithWorld(WrapperToolset[Any]):
    """The agent's tools, and those of the world that it lacks. One that it hides for a while is not lacking."""

    trial: _Trial

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        tools = await self.wrapped.get_tools(ctx)
        for spec in self.trial.specs:
            if spec.name not in tools and spec.name not in self.trial.own:
                tools[spec.name] = self._offered(spec, ctx)
        return tools

    def _offered(self, spec: ToolSpec, ctx: RunContext[Any]) -> ToolsetTool[Any]:
        definition = ToolDefinition(
            name=spec.name, description=spec.description, parameters_json_schema=dict(spec.parameters)
        )
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=ctx.max_retries, args_validator=_AN_OBJECT)

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Any],
        tool: ToolsetTool[Any],
    ) -> Any:  # noqa: ANN401 - as above
        if tool.toolset is not self:
            # By its id, as a capability of the agent's that tries again does so above this.
            with _called(name), one_call(f"{ctx.run_step} {ctx.tool_call_id}"):
                return await self.wrapped.call_tool(name, tool_args, ctx, tool)
        try:
            return await self.trial.called(name, tool_args, None)
        except (ModelRetry, ToolFailed):
            raise
        except Exception as error:  # a fence: nobody but passhat offers this tool
            raise self.trial.failed(f"{type(error).__name__}: {words(error)}") from error
