"""A graph of LangGraph, as it is: what `create_agent` gives, or a `StateGraph` that is compiled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from passhat.agents._framework import Framework, jsonable, loaded, usage
from passhat.errors import UsageError
from passhat.model.answer import Answer
from passhat.model.plain import described
from passhat.model.protocols import Request
from passhat.model.talk import text_of

FRAMEWORK = Framework("LangGraph", "langgraph", "langgraph", "langgraph")
_INTERRUPT = "__interrupt__"
_SAID = "messages"  # where a trial's memory keeps them


class LangGraphAgent:
    """Runs a graph of LangGraph with the tools of its `ToolNode`s behind our guard.

    A tool of the world that is called like one of theirs stands in for it. A graph is bound to its model and its tools
    when it is made; one that is to have all of the world's tools is handed over as the function that makes it, from a
    list of them. A tool that fails is shown to the model as a `ToolMessage` with `status="error"`, unless the graph
    has a way of its own. A trial has a checkpointer of its own, where the graph has one at all, and a graph that is
    interrupted hands over. In a talk with a user a graph with a checkpointer goes on with its thread; any other is
    given the messages so far, and the new one after them. *input* makes the graph's state from a `Request`, a message
    of the user without it; *output* takes the answer from the state in the end. With `sync=True` the graph is called by
    `invoke`, on a thread.
    """

    takes_tools = True
    brings_tools = True

    def __init__(
        self,
        graph: Any,  # noqa: ANN401 - one of a package that need not be here
        *,
        input: Callable[[Request], Any] | None = None,  # noqa: A002 - the graph's own word for it
        output: Callable[[Any], Any] | None = None,
        config: Mapping[str, Any] | None = None,
        sync: bool = False,
        label: str = "",
        version: str = "",
    ) -> None:
        """The graph as it is, which is not changed, or the function that makes it. *config* goes to each call of it."""
        self._parts = loaded(FRAMEWORK, "_langgraph")
        makes = callable(graph) and not isinstance(graph, self._parts.Pregel | type)
        if not makes and not isinstance(graph, self._parts.Pregel):
            raise UsageError(
                f"graph: a compiled graph of LangGraph, or a function that makes one from a list of tools, "
                f"not {described(graph)}{'; compile it first' if hasattr(graph, 'compile') else ''}"
            )
        problems = [
            f"{name}: a function, not {described(value)}"
            for name, value in (("input", input), ("output", output))
            if value is not None and not callable(value)
        ]
        if config is not None and not isinstance(config, Mapping):
            problems.append(f"config: a mapping, as LangGraph takes it, not {described(config)}")
        if problems:
            raise UsageError(*problems)
        self._graphs = self._parts.Graphs(graph, makes=makes, blocking=sync)
        self._input = input or _message
        self._output = output or answered
        self._config = dict(config or {})
        self.blocking = sync
        self.takes_tools = self._graphs.takes_tools
        self.models_seen: set[str] = set()
        self.label = label or (graph.__name__ if makes else graph.name) or "langgraph"
        self.version = version

    def start(self, request: Request) -> Answer | Awaitable[Answer]:
        trial = self._graphs.trial(request.tools, self._config, memory=request.memory)
        if not self.blocking:
            return self._run(trial, request)
        return self._answer(trial, trial.invoke(self._input(request)), request)

    async def _run(self, trial: Any, request: Request) -> Answer:  # noqa: ANN401 - a part's
        return self._answer(trial, await trial.ainvoke(self._input(request)), request)

    def _answer(self, trial: Any, state: Any, request: Request) -> Answer:  # noqa: ANN401 - as above, and any state
        self.models_seen |= trial.watch.models
        if not trial.remembers and isinstance(state, dict) and isinstance(state.get("messages"), list):
            request.memory[_SAID] = state["messages"]
        asked = state.get(_INTERRUPT) if isinstance(state, dict) else None
        return Answer(
            jsonable([one.value for one in asked] if asked else self._output(state)),
            handoff=bool(asked),
            usage=usage(trial.watch.counts, trial.watch.models),
        )


def _message(request: Request) -> Any:  # noqa: ANN401 - a graph's state
    """The state that most graphs begin with: what the user says; an input that is an object is the state itself."""
    if isinstance(request.input, dict):
        return request.input
    said = {"role": "user", "content": text_of(request.input)}
    return {"messages": [*request.memory.get(_SAID, ()), said]}


def answered(state: Any) -> Any:  # noqa: ANN401 - a graph's state
    """What a graph answers: its structured response, else the text of its last message, else its whole state."""
    if not isinstance(state, dict):
        return state
    if state.get("structured_response") is not None:
        return state["structured_response"]
    messages = state.get("messages")
    if not messages:
        return state
    last = messages[-1]
    return str(getattr(last, "text", getattr(last, "content", last)))
