"""Whether a JSON value keeps to a JSON Schema, for the edits that must.

It errs to one side: a value that is said to fit does fit, and a schema that uses a keyword which is not known here
(a condition, a dependency, a reference elsewhere) is one that nothing is known to fit. Formats are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from passhat.shapes.places import is_number

_DEEPEST = 60
_TYPES: Mapping[str, Any] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "number": is_number,
    "integer": lambda value: is_number(value) and value == value // 1,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_NO_CLAIM = frozenset(
    (
        *("$schema", "$id", "$defs", "$comment", "$anchor", "definitions", "title", "description", "default"),
        *("examples", "deprecated", "readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType"),
    )
)


def fits(value: Any, schema: Any) -> bool:  # noqa: ANN401 - JSON is what it is
    """True where *value* is known to keep to *schema*."""
    return _fits(value, schema, schema, 0)


def _fits(value: Any, schema: Any, root: Any, depth: int) -> bool:  # noqa: ANN401 - as above
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return False
    return all(_keeps(value, word, schema, root, depth + 1) for word in schema if word not in _NO_CLAIM)


def _keeps(value: Any, word: str, schema: dict[str, Any], root: Any, depth: int) -> bool:  # noqa: ANN401 - as above
    """Whether *value* keeps to one keyword of *schema*."""
    said = schema[word]

    def below(item: Any, part: Any) -> bool:  # noqa: ANN401 - as above
        return _fits(item, part, root, depth)

    match word:
        case "$ref":
            target = _resolved(said, root)
            return target is not None and below(value, target)
        case "allOf":
            return all(below(value, part) for part in said)
        case "anyOf":
            return any(below(value, part) for part in said)
        case "properties":
            return not isinstance(value, dict) or all(below(value[n], said[n]) for n in said if n in value)
        case "additionalProperties":
            named = schema.get("properties", {})
            others = [item for name, item in value.items() if name not in named] if isinstance(value, dict) else []
            return "patternProperties" not in schema and all(below(item, said) for item in others)
        case "items":
            return not isinstance(value, list) or (
                "prefixItems" not in schema and not isinstance(said, list) and all(below(item, said) for item in value)
            )
    return _keeps_alone(value, word, said)


def _keeps_alone(value: Any, word: str, said: Any) -> bool:  # noqa: ANN401 - one answer a keyword
    """Whether *value* keeps to a keyword that speaks of it alone; False for one that is not known."""
    match word:
        case "type":
            return any(_TYPES.get(kind, lambda _: False)(value) for kind in ([said] if isinstance(said, str) else said))
        case "enum":
            return any(_key(value) == _key(one) for one in said)
        case "const":
            return _key(value) == _key(said)
        case "required":
            return not isinstance(value, dict) or all(name in value for name in said)
        case "uniqueItems":
            keys = [_key(item) for item in value] if isinstance(value, list) and said else []
            return all(key not in keys[:at] for at, key in enumerate(keys))
        case "pattern":
            return not isinstance(value, str) or _found(said, value)
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return not is_number(value) or _within(value, word, said)
        case "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties":
            kind = {"Length": str, "Items": list, "Properties": dict}[word[3:]]
            return not isinstance(value, kind) or (len(value) >= said if word.startswith("min") else len(value) <= said)
    return False


def _within(value: float, word: str, limit: object) -> bool:
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return False
    match word:
        case "minimum":
            return value >= limit
        case "maximum":
            return value <= limit
        case "exclusiveMinimum":
            return value > limit
        case _:
            return value < limit


def _found(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False


def _resolved(reference: object, root: Any) -> Any:  # noqa: ANN401 - as above
    """The part of *root* that a reference such as `#/$defs/order` names; None where there is none."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found = root
    for step in reference[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or name not in found:
            return None
        found = found[name]
    return found


def _key(value: Any) -> object:  # noqa: ANN401 - as above
    """A value that is equal where the JSON is: 1 is 1.0, and true is not 1."""
    if isinstance(value, dict):
        return frozenset((name, _key(item)) for name, item in value.items())
    if isinstance(value, list):
        return tuple(_key(item) for item in value)
    return (isinstance(value, bool), value)
