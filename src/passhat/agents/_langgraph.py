"""Where LangGraph lets us in: a copy of the graph, in which each tool of each `ToolNode` is a stand-in for itself.

A stand-in is of the tool's own class, with one difference: where the tool would be carried out, our guard is asked.
That is below the node's middleware, so that a call which a `ToolRetryMiddleware` repeats is seen each time. What trial
a call belongs to is a variable of its context. The graph, its nodes and its tools are not touched.
"""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, cast
from uuid import uuid4

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import LLMResult
from langchain_core.runnables.base import Runnable, RunnableBindingBase
from langchain_core.runnables.config import RunnableConfig, merge_configs
from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.tools import ToolException as LangChainToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import ToolNode
from langgraph.pregel import Pregel

from passhat.agents._framework import Own, Tools, gathered, named, replied, reply_text
from passhat.errors import AgentFailed, ToolError, UsageError
from passhat.model.one_call import one_call
from passhat.model.plain import described, words
from passhat.model.tools import ToolSpec

__all__ = ["Graphs", "Pregel"]

_TOOLS: ContextVar[Any] = ContextVar("passhat_tools")  # the `Tools` of a trial
_WAITS_FOR_A_THREAD = (StructuredTool.ainvoke, Tool.ainvoke)  # of which there are few, and the tool itself needs one
_A_PAIR = 2
Graph = Pregel[Any, Any, Any, Any]


class ToolException(ToolError, LangChainToolException):
    """A tool's failure as LangChain knows it, so that whatever a graph has against failures takes hold of it."""


class Watch(BaseCallbackHandler):
    """Looks on at one run, for what its models say of themselves; they may be asked on threads."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self.models: set[str] = set()
        self.counts: list[tuple[int, int]] = []
        self._lock = threading.Lock()

    def on_llm_end(self, response: LLMResult, **_: object) -> None:
        """One model has answered."""
        for generation in (one for batch in response.generations for one in batch):
            message = getattr(generation, "message", None)
            if isinstance(message, AIMessage):
                with self._lock:
                    self._note(message)

    def _note(self, message: AIMessage) -> None:
        spent = message.usage_metadata
        if spent is not None:
            self.counts.append((spent["input_tokens"], spent["output_tokens"]))
        model = message.response_metadata.get("model_name")
        if isinstance(model, str) and model:
            self.models.add(model)


class Trial:
    """One trial of a graph: its tools, and what was seen of its models."""

    def __init__(self, graph: Graph, tools: Tools | None, config: Mapping[str, Any]) -> None:
        """A trial of *graph*, whose tools are behind the guard already; *tools* is None where it has none."""
        self.watch = Watch()
        self._tools = tools
        if graph.checkpointer:
            graph = graph.copy({"checkpointer": InMemorySaver()})
        own: RunnableConfig = {"callbacks": [self.watch], "configurable": {"thread_id": uuid4().hex}}
        self._graph, self._config = graph, merge_configs(own, cast("RunnableConfig", config))

    async def ainvoke(self, state: Any) -> Any:  # noqa: ANN401 - a graph's state
        """Let the graph work, on the event loop."""
        token = _TOOLS.set(self._tools)
        try:
            return await self._graph.ainvoke(state, self._config)
        finally:
            _TOOLS.reset(token)

    def invoke(self, state: Any) -> Any:  # noqa: ANN401 - as above
        """Let the graph work, on this thread."""
        token = _TOOLS.set(self._tools)
        try:
            return self._graph.invoke(state, self._config)
        finally:
            _TOOLS.reset(token)


class Graphs:
    """The graphs of all trials: one with stand-ins for its tools, or one for each set of tools that a world has."""

    def __init__(self, graph: Any, *, makes: bool, blocking: bool) -> None:  # noqa: ANN401 - a graph, or what makes one
        """The graphs of an agent that is *graph*; *makes*: it is the function that makes one."""
        self._make: Callable[[Sequence[BaseTool]], object] | None = graph if makes else None
        self._blocking = blocking
        self._guarding = _Guarding(blocking=blocking)
        self._made: dict[tuple[str, ...], Graph] = {}
        guarded = None if makes else self._guarding.graph(graph)
        self._graph: Graph = guarded or graph
        self.takes_tools = makes or guarded is not None

    def trial(self, tools: Tools | None, config: Mapping[str, Any]) -> Trial:
        """One trial with its *tools*; None where the graph has no place for them."""
        if self._make is None or tools is None:
            return Trial(self._graph, tools, config)
        return Trial(self._made_with(self._make, tools.__specs__()), tools, config)

    def _made_with(self, make: Callable[[Sequence[BaseTool]], object], specs: Sequence[ToolSpec]) -> Graph:
        """The graph that *make* gives for these tools of a world; it is made once."""
        names = tuple(spec.name for spec in specs)
        if names not in self._made:
            made = make([_offered(spec, blocking=self._blocking) for spec in specs])
            if not isinstance(made, Pregel):
                raise AgentFailed(f"its function made no compiled graph of LangGraph, but {described(made)}")
            self._made[names] = self._guarding.graph(made) or made
        return self._made[names]


class _OfWorld(StructuredTool):
    """A tool of the world that a graph is made with: it is behind the guard by itself."""


class _Guarding:
    """Makes the copies: of graphs, of their nodes and of their tools."""

    def __init__(self, *, blocking: bool) -> None:
        """Copies for graphs that are called by `invoke`, or by `ainvoke`."""
        self._blocking = blocking

    def graph(self, graph: Graph) -> Graph | None:
        """A copy of *graph*, and of the graphs in it; None where there is no `ToolNode` in any of them."""
        changed = {name: bound for name, node in graph.nodes.items() if (bound := self._runnable(node.bound))}
        if not changed:
            return None
        nodes = {
            name: node.copy({"bound": changed[name], "subgraphs": None} if name in changed else {})
            for name, node in graph.nodes.items()
        }
        return graph.copy({"nodes": nodes})

    def _runnable(self, bound: Runnable[Any, Any]) -> Runnable[Any, Any] | None:
        """The same with tools behind the guard; None where it has none."""
        if isinstance(bound, ToolNode):
            return self._node(bound)
        if isinstance(bound, Pregel):
            return self.graph(bound)
        if isinstance(bound, RunnableBindingBase):
            inner = self._runnable(bound.bound)
            return None if inner is None else bound.model_copy(update={"bound": inner})
        return None

    def _node(self, node: ToolNode) -> ToolNode:
        """A copy of *node* with a stand-in for each tool, which shows failures that nothing else takes hold of."""
        guarded: Any = copy.copy(node)
        try:
            guarded._tools_by_name = {name: self._stand_in(tool) for name, tool in node.tools_by_name.items()}  # noqa: SLF001
            guarded._run_one = _showing(guarded._run_one)  # noqa: SLF001
            guarded._arun_one = _ashowing(guarded._arun_one)  # noqa: SLF001
            guarded.func, guarded.afunc = guarded._func, guarded._afunc  # noqa: SLF001 - bound to the copy, not to *node*
        except AttributeError as error:
            raise UsageError(
                f"this ToolNode is not one that passhat can guard ({error}): pip install 'passhat[langgraph]'"
            ) from error
        return cast("ToolNode", guarded)

    def _stand_in(self, tool: BaseTool) -> BaseTool:
        if isinstance(tool, _OfWorld):
            return tool
        kind = type(tool)
        behaves = _behind_blocking(tool) if self._blocking else _behind(tool)
        if kind.ainvoke in _WAITS_FOR_A_THREAD:
            behaves["ainvoke"] = BaseTool.ainvoke
        stand_in = tool.model_copy()
        stand_in.__class__ = type(kind.__name__, (kind,), {"__module__": kind.__module__, **behaves})
        return stand_in


class _Call:
    """One call of a tool: what of it is the model's, and so shown to the guard, and what goes past it."""

    def __init__(self, tool: BaseTool, unnamed: Sequence[Any], arguments: Mapping[str, Any]) -> None:
        """*tool*, called with these; what LangGraph adds to a call is among them."""
        names = _arguments_of(tool)
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
    try:
        return list(tool.args)
    except KeyError:  # a schema of its own, which names none
        return ()


def _behind(tool: BaseTool) -> dict[str, Any]:
    """How a stand-in for *tool* is carried out, where the graph awaits."""
    takes = type(tool)._run if type(tool)._arun is BaseTool._arun else type(tool)._arun  # noqa: SLF001 - for subclasses

    @functools.wraps(takes)  # LangChain reads there what it is to pass
    async def arun(_: BaseTool, *unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        call = _Call(tool, unnamed, arguments)

        async def content() -> Any:  # noqa: ANN401 - as above
            return call.content(await tool._arun(*unnamed, **arguments))  # noqa: SLF001 - as above

        own = Own(content)
        try:
            told = await replied(_TOOLS.get().__bind__(tool.name, own)(**call.shown))
        except ToolError as error:
            raise _failure(error) from error
        return call.whole(own.given(told))

    @functools.wraps(type(tool)._run)  # noqa: SLF001 - as above
    def run(*_: Any, **__: Any) -> Any:  # noqa: ANN401 - as above
        raise AgentFailed(
            f"tool {tool.name} was called without await, as a middleware that is not async calls it: "
            "hand the graph over as agents.LangGraphAgent(graph, sync=True)"
        )

    return {"_arun": arun, "_run": run}


def _behind_blocking(tool: BaseTool) -> dict[str, Any]:
    """The same where the graph is called by `invoke`."""

    @functools.wraps(type(tool)._run)  # noqa: SLF001 - as above
    def run(_: BaseTool, *unnamed: Any, **arguments: Any) -> Any:  # noqa: ANN401 - as above
        call = _Call(tool, unnamed, arguments)
        own = Own(lambda: call.content(tool._run(*unnamed, **arguments)))  # noqa: SLF001 - as above
        try:
            told = gathered(_TOOLS.get().__bind__(tool.name, own.blocking)(**call.shown))
        except ToolError as error:
            raise _failure(error) from error
        return call.whole(own.given(told))

    return {"_run": run}


def _offered(spec: ToolSpec, *, blocking: bool) -> StructuredTool:
    """A tool of the world, as LangChain takes it."""

    def call(**arguments: object) -> str:
        try:
            return reply_text(gathered(_TOOLS.get().__bind__(spec.name, None)(**named(arguments))))
        except Exception as error:
            raise _shown(error) from error

    async def acall(**arguments: object) -> str:
        try:
            return reply_text(await replied(_TOOLS.get().__bind__(spec.name, None)(**named(arguments))))
        except Exception as error:
            raise _shown(error) from error

    return _OfWorld(
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


def _showing(run_one: Callable[..., Any]) -> Callable[..., Any]:
    """How a node carries out one call of the model's, with a failure shown to it that nothing below took hold of."""

    def run(call: Mapping[str, Any], *more: Any) -> Any:  # noqa: ANN401 - a node's own
        try:
            with one_call():
                return run_one(call, *more)
        except ToolError as error:
            return _told(call, error)

    return run


def _ashowing(run_one: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The same for a node that awaits."""

    async def run(call: Mapping[str, Any], *more: Any) -> Any:  # noqa: ANN401 - as above
        try:
            with one_call():
                return await run_one(call, *more)
        except ToolError as error:
            return _told(call, error)

    return run


def _told(call: Mapping[str, Any], error: ToolError) -> ToolMessage:
    return ToolMessage(content=error.message, name=call["name"], tool_call_id=call["id"], status="error")
