"""Python tools: the agent calls functions, `tools.refund(order=7)`, in the same process.

An agent that keeps its own list of messages passes it through `tools.messages(history)` before it asks its model, and
shows the model what it gets back. A world's own tool of that name goes before: then no messages can be passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passhat.model.protocols import Guard
from passhat.model.tools import tool_spec
from passhat.surfaces.base import MESSAGES, Toolbox


class HeldTools:
    """The tools in an agent's hand. For an async agent every call is awaited; for any other it is a plain call."""

    def __init__(
        self, bind: Callable[[str, Any], Callable[..., Any]], tools: Toolbox, pass_on: Callable[..., Any]
    ) -> None:
        """The *tools*, each as *bind* gives it; *pass_on* gives messages as the agent's model is to see them."""
        self._bind = bind
        self._tools = tools
        self._pass_on = pass_on

    def call(self, name: str, /, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        """Call a tool by its name, as a model does."""
        return self._bind(name, self._tools.get(name))(**arguments)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The tool called *name*; the first look makes it an attribute, so the next costs nothing."""
        if name.startswith("__"):
            raise AttributeError(name)
        upstream = self._tools.get(name)
        passes_on = name == MESSAGES and upstream is None
        tool = self.__dict__[name] = self._pass_on if passes_on else self._bind(name, upstream)
        return tool

    def __dir__(self) -> list[str]:
        """The names of the tools, and `call` and `messages`."""
        return ["call", *dict.fromkeys((MESSAGES, *self._tools))]

    def __shown__(self, history: Any) -> Any:  # noqa: ANN401 - a list of messages
        """The messages as a model is to see them, for an adapter that keeps them."""
        return self._pass_on(history)

    def __specs__(self) -> Any:  # noqa: ANN401 - a list of `ToolSpec`
        """What each tool says of itself, for an adapter that tells a model. No tool can have a name like this."""
        return [tool_spec(name, tool) for name, tool in self._tools.items()]

    def __bind__(self, name: str, own: Callable[..., Any] | None) -> Callable[..., Any]:
        """The tool called *name* for an agent that has tools of its own: the world's, or else *own*, guarded."""
        return self._bind(name, self._tools.get(name, own))

    def __iter__(self) -> Any:  # noqa: ANN401 - an iterator of names
        """The names of the tools."""
        return iter(self._tools)


class PythonTools:
    """Gives an agent its tools as functions of this process."""

    name = "python_tools"
    carries = frozenset({name, MESSAGES})

    def open(self, guard: Guard, tools: Toolbox, *, blocking: bool) -> HeldTools:
        """The tools for one agent, behind *guard*."""
        return HeldTools(guard.bind_blocking if blocking else guard.bind, tools, guard.messages)
