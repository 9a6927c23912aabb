"""What a tool takes, as a JSON schema: read from a function's signature, its hints and its docstring.

Agents outside of this process, and models, learn of a tool from this alone. A function that knows better may carry a
`parameters` attribute, the JSON schema of its arguments; it is taken as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import msgspec

from passhat.model.base import Json, Noun

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class ToolSpec(Noun, kw_only=True):
    """A tool as an agent is told of it: its name, what it does, and the JSON schema of its arguments."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json]


def tool_spec(name: str, tool: Callable[..., Any]) -> ToolSpec:
    """What *tool* says of itself. An argument without a hint, or with one that is no JSON, may be anything."""
    own = getattr(tool, "parameters", None)
    parameters = own if isinstance(own, Mapping) else _parameters(tool)
    return ToolSpec(name=name, description=_first_paragraph(inspect.getdoc(tool) or ""), parameters=parameters)


def _parameters(tool: Callable[..., Any]) -> dict[str, Json]:
    try:
        takes = inspect.signature(tool).parameters.values()
    except (TypeError, ValueError):  # a builtin that does not say
        return {"type": "object"}
    hints = _hints(tool)
    properties: dict[str, Json] = {}
    shared: dict[str, Json] = {}
    for one in takes:
        if one.kind in _NAMED:
            schema, named = _schema(hints.get(one.name, Any))
            properties[one.name] = {**schema, **_default(one)}
            shared.update(named)
    required: list[Json] = [one.name for one in takes if one.kind in _NAMED and one.default is one.empty]
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        **({} if any(one.kind is one.VAR_KEYWORD for one in takes) else {"additionalProperties": False}),
        **({"$defs": shared} if shared else {}),
    }


def _hints(tool: Callable[..., Any]) -> Mapping[str, Any]:
    """The hints of a function, a bound method or a callable object; none where they cannot be read."""
    called = tool if inspect.isroutine(tool) else vars(type(tool)).get("__call__", tool)
    try:
        return get_type_hints(called)
    except (NameError, TypeError, AttributeError):  # a name that is imported for type checkers alone
        return {}


def _schema(hint: Any) -> tuple[dict[str, Json], dict[str, Json]]:  # noqa: ANN401 - a hint is any object
    """The schema of *hint*, and those that it refers to by name."""
    try:
        (schema,), named = msgspec.json.schema_components([hint], ref_template="#/$defs/{name}")
    except (TypeError, RecursionError):
        return {}, {}
    return schema, named


def _default(one: inspect.Parameter) -> dict[str, Json]:
    if one.default is one.empty:
        return {}
    try:
        return {"default": msgspec.to_builtins(one.default)}
    except (TypeError, RecursionError):
        return {}


def _first_paragraph(text: str) -> str:
    return " ".join(text.split("\n\n", 1)[0].split())
