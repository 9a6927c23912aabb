"""Where LangGraph lets us in: a copy of the graph, in which each tool of each `ToolNode` is a stand-in for itself.

A tool is carried out below the middleware of its node, so that a call which a `ToolRetryMiddleware` repeats is seen
each time. The graph, its nodes and its tools are not touched.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import LLMResult
from langchain_core.runnables.base import Runnable, RunnableBindingBase
from langchain_core.runnables.config import RunnableConfig, merge_configs
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import ToolNode
from langgraph.pregel import Pregel

from passhat.agents._framework import Tools
from passhat.agents._langgraph_tools import TOOLS, offered, stand_in
from passhat.errors import AgentFailed, ToolError, UsageError
from passhat.model.one_call import one_call
from passhat.model.plain import described
from passhat.model.tools import ToolSpec

__all__ = ["Graphs", "Pregel"]

Graph = Pregel[Any, Any, Any, Any]


class Watch(BaseCallbackHandler):
    """Looks on at one run, for what its models say of themselves; they may be asked on threads."""

    run_inline = True  # without a thread for each look

    @property
    def ignore_chain(self) -> bool:
        """Each step of a graph is one, and says nothing of models."""
        return True

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

    def __init__(self, graph: Graph, tools: Tools | None, config: Mapping[str, Any], memory: dict[str, Any]) -> None:
        """A trial of *graph*, whose tools are behind the guard already; *tools* is None where it has none.

        Its checkpointer and its thread are kept in the trial's *memory*, where a talk finds them again.
        """
        self.watch = Watch()
        self._tools = tools
        self.remembers = bool(graph.checkpointer)
        if self.remembers:
            graph = graph.copy({"checkpointer": memory.setdefault("checkpointer", InMemorySaver())})
        thread = memory.setdefault("thread", uuid4().hex)
        own: RunnableConfig = {"callbacks": [self.watch], "configurable": {"thread_id": thread}}
        self._graph, self._config = graph, merge_configs(own, cast("RunnableConfig", config))

    async def ainvoke(self, state: Any) -> Any:  # noqa: ANN401 - a graph's state
        """Let the graph work, on the event loop."""
        token = TOOLS.set(self._tools)
        try:
            return await self._graph.ainvoke(state, self._config)
        finally:
            TOOLS.reset(token)

    def invoke(self, state: Any) -> Any:  # noqa: ANN401 - as above
        """Let the graph work, on this thread."""
        token = TOOLS.set(self._tools)
        try:
            return self._graph.invoke(state, self._config)
        finally:
            TOOLS.reset(token)


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

    def trial(self, tools: Tools | None, config: Mapping[str, Any], *, memory: dict[str, Any]) -> Trial:
        """One trial with its *tools*, None where the graph has no place for them, and what it goes on with."""
        if self._make is None or tools is None:
            return Trial(self._graph, tools, config, memory)
        return Trial(self._made_with(self._make, tools.__specs__()), tools, config, memory)

    def _made_with(self, make: Callable[[Sequence[BaseTool]], object], specs: Sequence[ToolSpec]) -> Graph:
        """The graph that *make* gives for these tools of a world; it is made once."""
        names = tuple(spec.name for spec in specs)
        if names not in self._made:
            made = make([offered(spec, blocking=self._blocking) for spec in specs])
            if not isinstance(made, Pregel):
                raise AgentFailed(f"its function made no compiled graph of LangGraph, but {described(made)}")
            self._made[names] = self._guarding.graph(made) or made
        return self._made[names]


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
        """A copy of *node* with a stand-in for each tool, which shows failures that nothing else takes hold of.

        A node has no public way to either, so the copy's own names are set.
        """
        guarded: Any = copy.copy(node)
        try:
            guarded._tools_by_name = {
                name: stand_in(tool, blocking=self._blocking) for name, tool in node.tools_by_name.items()
            }
            guarded._run_one = _showing(guarded._run_one)
            guarded._arun_one = _ashowing(guarded._arun_one)
            guarded.func, guarded.afunc = guarded._func, guarded._afunc
        except AttributeError as error:
            raise UsageError(
                f"this ToolNode is not one that passhat can guard ({error}): pip install 'passhat[langgraph]'"
            ) from error
        return cast("ToolNode", guarded)


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
