"""The tools of one trial's world, as a guard needs them: what they are, what they take, and whether they stream.

Nothing is called here. What a tool takes is looked up when somebody asks, because hardly any fault does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from passhat.model.callables import is_generator
from passhat.model.parts import nearest
from passhat.model.trial import Parameters

Upstream = Callable[..., Any]
_STREAMS = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Box:
    """A world's tools by name, the names of those that only read, and whether nothing in the world is real."""

    __slots__ = ("parameters", "reads", "sandbox", "tools")

    def __init__(self, tools: Mapping[str, Upstream], *, reads: Collection[str] = (), sandbox: bool = False) -> None:
        """The *tools* of one world."""
        self.tools = tools
        self.reads = reads
        self.sandbox = sandbox
        self.parameters: Mapping[str, Parameters] = _Taken(tools)

    def streams(self, tool: str) -> bool:
        """True where *tool* gives its reply item by item."""
        return tool in self.tools and streams(self.tools[tool])

    def hint(self, tool: str) -> str:
        """The tools that *tool* could be meant for, as the end of a sentence."""
        return nearest(tool, self.tools)


class _Taken(Mapping[str, Parameters]):
    """What each tool takes."""

    __slots__ = ("_tools",)

    def __init__(self, tools: Mapping[str, Upstream]) -> None:
        self._tools = tools

    def __getitem__(self, tool: str) -> Parameters:
        return _parameters(self._tools[tool])

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)


NO_BOX = Box({})


def streams(upstream: Upstream) -> bool:
    """True for a tool that gives its reply item by item: a generator function, sync or async."""
    code = getattr(upstream, "__code__", None)
    if code is not None:  # nearly every tool is a function or a method, and this is the quick way to know it
        return bool(code.co_flags & _STREAMS)
    return is_generator(upstream)


def _parameters(tool: Upstream) -> Parameters:
    try:
        taken = inspect.signature(tool).parameters.values()
    except (TypeError, ValueError):  # it does not say
        return Parameters(more=True)
    named = [one for one in taken if one.kind in _BY_NAME]
    return Parameters(
        needed=tuple(one.name for one in named if one.default is one.empty),
        optional=tuple(one.name for one in named if one.default is not one.empty),
        more=any(one.kind is one.VAR_KEYWORD for one in taken),
    )
