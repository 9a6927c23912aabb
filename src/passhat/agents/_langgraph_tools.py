"""Stand-ins for LangChain's tools, and tools of the world as LangChain takes them: each asks the guard of its trial.

A stand-in is of the tool's own class, with one difference: where the tool would be carried out, the guard is asked.
What trial a call belongs to is a variable of its context.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.tools import ToolException as LangChainToolException

from passhat.agents._framework import Own, named, reply_text
from passhat.clients.replies import gathered, replied
from passhat.errors import AgentFailed, ToolError
from passhat.model.plain import words
from passhat.model.tools import ToolSpec

TOOLS: ContextVar[Any] = ContextVar("passhat_tools")  # the `Tools` of a trial
_WAITS_FOR_A_THREAD = (StructuredTool.ainvoke, Tool.ainvoke)  # of which there are few, and the tool itself needs one
_A_PAIR = 2


class ToolException(ToolError, LangChainToolException):
    """A tool's failure as LangChain knows it, so that whatever a graph has against failures takes hold of it."""


class OfWorld(StructuredTool):
    """A tool of the world that a graph is made with: it is behind the guard by itself."""


def stand_in(tool: BaseTool, *, blocking: bool) -> BaseTool:
    """A stand-in for *tool*, for a graph that is called by `invoke` (*blocking*) or by `ainvoke`."""
    if isinstance(tool, OfWorld):
        return tool
    kind = type(tool)
    behaves = _behind_blocking(tool) if blocking else _behind(tool)
    if kind.ainvoke in _WAITS_FOR_A_THREAD:
        behaves["ainvoke"] = BaseTool.ainvoke
    other = tool.model_copy()
    other.__class__ = type(kind.__name__, (kind,), {"__module__": kind.__module__, **behaves})
    return other


class _Call:
    """One call of a tool: what of it is the model's, and so shown to the guard, and what goes past it."""

    def __init__(
        self, tool: BaseTool, names: Sequence[str], unnamed: Sequence[Any], arguments: Mapping[str, Any]
    ) -> None:
        """*tool*, called with these; those of other *names* are what LangGraph adds to a call."""
        given = {**dict(zip(names, unnamed, strict=False)), **{n: v for n, v in arguments.items() if n in names}}
        self.shown = named(given)
        self._pairs = tool.response_format == "content_and_artifact"
        self._artifact: Any = None

    def content(self, reply: Any) -> Any:  # noqa: ANN401 - tools return what they like
        """Of the *reply* of the tool, what a model reads."""
        if self._pairs and isinstance(reply, tuple) and len(reply) == _A_PAIR:
            reply, self._artifact = reply
        return reply

    def whole(self, content: Any) -> Any:  # noqa: ANN401 - as above
        """A reply with this *content*."""
        return (content, self._artifact) if self._pairs else content


def _arguments_of(tool: BaseTool) -> Sequence[str]:
    """The names of what a model gives to *tool*; to ask for them takes long, and so it is done once."""
    try:
        return list(tool.args)
    except KeyError:  # a schema of its own, which names none
        return ()


def _behind(tool: BaseTool) -> dict[str, Any]:
    """How a stand-in for *tool* is carried out, where the graph awaits."""
    names = _arguments_of(tool)
    takes = type(tool)._run if type(tool)._arun is BaseTool._arun else type(tool)._arun

    @functools.wraps(takes)  # LangChain reads there what it is to pass
    async def arun(_: BaseTool, *unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        call = _Call(tool, names, unnamed, arguments)

        async def content() -> Any:  # noqa: ANN401 - as above
            return call.content(await tool._arun(*unnamed, **arguments))

        own = Own(content)
        try:
            told = await replied(TOOLS.get().__bind__(tool.name, own)(**call.shown))
        except ToolError as error:
            raise _failure(error) from error
        return call.whole(own.given(told))

    @functools.wraps(type(tool)._run)
    def run(*_: Any, **__: Any) -> Any:  # noqa: ANN401 - as above
        raise AgentFailed(
            f"tool {tool.name} was called without await, as a middleware that is not async calls it: "
            "hand the graph over as agents.LangGraphAgent(graph, sync=True)"
        )

    return {"_arun": arun, "_run": run}


def _behind_blocking(tool: BaseTool) -> dict[str, Any]:
    """The same where the graph is called by `invoke`."""
    names = _arguments_of(tool)

    @functools.wraps(type(tool)._run)
    def run(_: BaseTool, *unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - as above
        call = _Call(tool, names, unnamed, arguments)
        own = Own(lambda: call.content(tool._run(*unnamed, **arguments)))
        try:
            told = gathered(TOOLS.get().__bind__(tool.name, own.blocking)(**call.shown))
        except ToolError as error:
            raise _failure(error) from error
        return call.whole(own.given(told))

    return {"_run": run}


def offered(spec: ToolSpec, *, blocking: bool) -> StructuredTool:
    """A tool of the world, as LangChain takes it."""

    def call(**arguments: object) -> str:
        try:
            return reply_text(gathered(TOOLS.get().__bind__(spec.name, None)(**named(arguments))))
        except Exception as error:
            raise _shown(error) from error

    async def acall(**arguments: object) -> str:
        try:
            return reply_text(await replied(TOOLS.get().__bind__(spec.name, None)(**named(arguments))))
        except Exception as error:
            raise _shown(error) from error

    return OfWorld(
        name=spec.name,
        description=spec.description or spec.name,
        args_schema=dict(spec.parameters),
        func=call if blocking else None,
        coroutine=None if blocking else acall,
    )


def _shown(error: Exception) -> ToolException:
    """Whatever a tool that nobody but passhat offers raises, as the model's to see."""
    return _failure(error if isinstance(error, ToolError) else ToolError(type(error).__name__, words(error)))


def _failure(error: ToolError) -> ToolException:
    return ToolException(error.kind, error.message, retry_after=error.retry_after)
