"""An agent that is a function, or any callable, of this process: sync or async."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from passhat.agents._recognised import adapter_for
from passhat.errors import UsageError
from passhat.model import callables
from passhat.model.plain import described
from passhat.model.protocols import Agent, Request
from passhat.model.talk import Turn, text_of

_TAKES = "an agent takes (input), (input, tools), and 'seed' and 'turns' by name if it wants them"
_NAMED = ("seed", "turns")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class FunctionAgent:
    """Calls `agent(input, tools)`. Tools, and parameters named `seed` and `turns`, are passed where it takes them.

    Where the task has a user it is called for each turn of the user's, with the user's latest words as the input.
    """

    __slots__ = ("_call", "blocking", "label", "on_loop", "takes_tools", "version")

    def __init__(self, function: Callable[..., Any], *, label: str = "", version: str = "") -> None:
        """The agent that *function* is."""
        if not callable(function) or isinstance(function, type):
            raise UsageError(f"an agent is a function or another callable, not {described(function)}; {_TAKES}")
        if callables.is_generator(function):
            raise UsageError(
                f"agent {callables.label(function)} is a generator: it has a 'yield', so calling it does nothing; "
                "let it return its answer"
            )
        self.blocking = not callables.is_async(function)
        self.on_loop = not self.blocking
        self.label = label or callables.label(function)
        self.version = version
        self._call, self.takes_tools = _adapted(function, self.label)

    def start(self, request: Request) -> Any:  # noqa: ANN401 - an agent returns what it likes
        """Begin the agent's work: for an async one, what is to be awaited."""
        return self._call(request)


def as_agent(agent: Any, *, label: str = "", version: str = "") -> Agent:  # noqa: ANN401 - any callable, or an adapter
    """*agent* as the engine calls it: an adapter as it is, a framework's object or a callable in one."""
    if isinstance(agent, Agent) and not isinstance(agent, type):
        if label or version:
            raise UsageError(f"label, version: this agent says itself what it is, {agent.label!r}: leave them out")
        return agent
    kind = adapter_for(agent) or FunctionAgent
    return kind(agent, label=label, version=version)


def _adapted(function: Callable[..., Any], label: str) -> tuple[Callable[[Request], Any], bool]:
    """*function* as a function of the request, with its parameters looked at once, and whether it takes tools."""
    takes = _parameters(function, label)
    named = frozenset(p.name for p in takes if p.name in _NAMED and p.kind is not p.POSITIONAL_ONLY)
    positional = [p for p in takes if p.kind in _POSITIONAL and p.name not in _NAMED]
    tools = len(positional) > 1 or any(p.kind is p.VAR_POSITIONAL for p in takes)
    needed = [p.name for p in takes if p.default is p.empty and p.kind is p.KEYWORD_ONLY and p.name not in _NAMED]
    needed += [p.name for p in positional[2:] if p.default is p.empty]
    early = takes[: 2 if tools else 1]  # where input and tools are passed
    misplaced = any(p.name in _NAMED and p.kind in _POSITIONAL for p in early)
    if needed or misplaced or not (positional or any(p.kind is p.VAR_POSITIONAL for p in takes)):
        raise UsageError(f"agent {label} takes ({', '.join(p.name for p in takes)}): {_TAKES}")
    return _called(function, tools=tools, named=named), tools


def _called(function: Callable[..., Any], *, tools: bool, named: frozenset[str]) -> Callable[[Request], Any]:
    """*function* as a function of the request; the usual shapes look nothing up."""
    seed = "seed" in named
    if "turns" in named:
        return lambda request: function(
            *((request.input, request.tools) if tools else (request.input,)),
            **({"seed": request.seed} if seed else {}),
            turns=request.turns or (Turn("user", text_of(request.input)),),
        )
    if tools and seed:
        return lambda request: function(request.input, request.tools, seed=request.seed)
    if tools:
        return lambda request: function(request.input, request.tools)
    if seed:
        return lambda request: function(request.input, seed=request.seed)
    return lambda request: function(request.input)


def _parameters(function: Callable[..., Any], label: str) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise UsageError(f"agent {label} does not say what it takes; wrap it in a function: {_TAKES}") from None
