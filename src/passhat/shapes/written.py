"""JSON that is written in a text, as many tools give it: read, edited, and written again in the same style."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from passhat.model.base import Json

_STYLES: Sequence[Mapping[str, Any]] = [
    {"separators": separators, "indent": indent, "ensure_ascii": ascii_only}
    for ascii_only in (False, True)
    for separators, indent in (((", ", ": "), None), ((",", ":"), None), ((",", ": "), 2), ((",", ": "), 4))
]


def held(value: Json) -> Json:
    """The object or the array that is written in a text; None for any other value."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return None
    try:
        found: Json = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found


def read(value: Json) -> Json:
    """*value*, or the object or array that is written in it."""
    inside = held(value)
    return value if inside is None else inside


def in_json(value: Json, edit: Callable[[Json], Json]) -> Json:
    """What *edit* makes of *value*; where that is a text with JSON in it, of the JSON, and it stays a text."""
    inside = held(value)
    if inside is None:
        return edit(value)
    edited = edit(inside)
    if json.dumps(edited) == json.dumps(inside):
        return value
    style = next((one for one in _STYLES if json.dumps(inside, **one) == value), _STYLES[0])
    return json.dumps(edited, **style)
