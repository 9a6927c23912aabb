"""What a tool call asks for, as text that is the same for all calls that ask for the same.

Nothing is known here of what came of a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

import msgspec

from passhat.model.base import Json, Noun
from passhat.model.plain import encoded_alike, mended
from passhat.model.trial import Instead, ToolCall


class Declared(Noun, kw_only=True):
    """What a user says of the tools, because no trace can show it.

    keys: arguments that name an operation, so that a service does it once however often it is asked.
    substitutes: groups of tools that may stand in for each other.
    handoff: tools that pass the job to a person.
    polling: tools that may be asked the same thing again and again.
    idempotent: tools that may do the same thing again and again, such as `set_*`: twice alike is no harm.
    """

    keys: tuple[str, ...] = ("idempotency_key",)
    substitutes: tuple[tuple[str, ...], ...] = ()
    handoff: tuple[str, ...] = ()
    polling: tuple[str, ...] = ()
    idempotent: tuple[str, ...] = ()

    def harmless(self, tool: str) -> bool:
        """True where it does no harm that *tool* does the same thing twice."""
        return any(fnmatchcase(tool, pattern) for pattern in self.idempotent)


NOTHING_DECLARED = Declared()


def operation_of(call: ToolCall | Instead, declared: Declared = NOTHING_DECLARED) -> str:
    """What a call asks for: its tool and its arguments, without the declared keys."""
    asked = {name: value for name, value in call.arguments.items() if name not in declared.keys}
    return f"{call.tool}({_json(asked)[1:-1]})"


def key_of(call: ToolCall, declared: Declared) -> str:
    """The values of the declared keys that a call carries."""
    key = {name: call.arguments[name] for name in declared.keys if call.arguments.get(name) is not None}
    return _json(key) if key else ""


def is_reworded(one: ToolCall, other: ToolCall) -> bool:
    """The same tool, asked for the same and for a little more or less."""
    common = one.arguments.keys() & other.arguments.keys()
    nested = one.arguments.keys() != other.arguments.keys() and common in (one.arguments.keys(), other.arguments.keys())
    return (
        one.tool == other.tool
        and bool(common)
        and nested
        and all(encoded_alike(_level(one.arguments[name]), _level(other.arguments[name])) for name in common)
    )


def _json(value: object) -> str:
    """*value* as text, the same for all that JSON takes for the same: a model writes 5 and 5.0 for one number."""
    text = msgspec.json.encode(mended(value), order="sorted").decode()
    return msgspec.json.encode(_level(mended(value)), order="sorted").decode() if ".0" in text else text


def _level(value: Json) -> Json:
    """*value* with whole numbers written as such."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: _level(item) for name, item in value.items()}
    return [_level(item) for item in value] if isinstance(value, list | tuple) else value
