"""The contract of a surface: where an agent's tool calls are taken in, and handed to a guard.

A surface knows how calls arrive and how replies and errors go back; it decides nothing and records nothing. It is
handed a guard and never makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from passhat.errors import UsageError
from passhat.model.plain import described
from passhat.model.protocols import Guard

# What an agent passes through its tools besides calls: the messages that its model is to see. Faults name it as a
# surface, because it is another place at which an agent is met.
MESSAGES = "messages"

Toolbox = Mapping[str, Callable[..., Any]]


class Surface(Protocol):
    """Makes what one trial's agent holds as its tools.

    What a surface need not have: `begin()` and `end()` are awaited before the first trial and after the last, and
    `close(tools)` is called when a trial is over, with what `open` gave for it, or None where that went wrong.
    """

    @property
    def name(self) -> str:
        """The name that faults list among the surfaces that can deliver them."""

    @property
    def carries(self) -> frozenset[str]:
        """All that can be met here, its own name included; what a fault names has to be among it."""

    def open(self, guard: Guard, tools: Toolbox, *, blocking: bool) -> Any:  # noqa: ANN401 - each surface has its own
        """The tools for one agent, behind *guard*; *blocking* for an agent that doesn't await."""


def toolbox(tools: object) -> Toolbox:
    """A world's tools by name: a mapping as it is, or callables by their own names."""
    if isinstance(tools, dict | Mapping):
        return tools
    if isinstance(tools, Sequence) and all(callable(tool) and hasattr(tool, "__name__") for tool in tools):
        return {tool.__name__: tool for tool in tools}
    raise UsageError(
        f"a world's tools are a mapping of names to functions, or a list of functions, not {described(tools)}"
    )
