"""Where things stand in a JSON value, and copies of the value with one place changed.

A place is the way from the root: names of members and numbers of items. Nothing here changes what it is given, and
what is not at the place keeps its value and its order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from passhat.model.base import Json

Place: TypeAlias = tuple[str | int, ...]
_IDENTITY = re.compile(r"(?:^|_)(?:id|uuid|guid|key|ref|reference|sku|code|email|number|no|token)$|[a-z](?:Id|ID|Key)$")
_COUNT = re.compile(r"(?:^|_)(?:count|total_count|totalCount|total_results|totalResults|total_items|hits|found|size)$")


def places(value: Json) -> Iterator[tuple[Place, Json]]:
    """Every place in *value* with what stands there, the root first, in the order of reading."""
    pending: list[tuple[Place, Json]] = [((), value)]
    while pending:
        place, found = pending.pop()
        yield place, found
        below: list[tuple[Place, Json]] = []
        if isinstance(found, dict):
            below = [((*place, name), item) for name, item in found.items()]
        elif isinstance(found, list):
            below = [((*place, at), item) for at, item in enumerate(found)]
        pending.extend(reversed(below))


def look(value: Json, place: Place) -> Json:
    """What stands at *place*."""
    found = value
    for step in place:
        found = found[step]  # type: ignore[index]
    return found


def change(value: Json, place: Place, new: Callable[[Json], Json]) -> Json:
    """*value* with what stands at *place* replaced by what *new* makes of it."""
    if not place:
        return new(value)
    if isinstance(value, dict):
        return {name: change(item, place[1:], new) if name == place[0] else item for name, item in value.items()}
    if isinstance(value, list):
        return [change(item, place[1:], new) if at == place[0] else item for at, item in enumerate(value)]
    return value


def put(value: Json, place: Place, new: Json) -> Json:
    """*value* with *new* at *place*."""
    return change(value, place, lambda _: new)


def name_at(place: Place) -> str:
    """The name that a place goes by: its own, or that of the array it stands in."""
    return next((step for step in reversed(place) if isinstance(step, str)), "")


def names_a_thing(name: str) -> bool:
    """True for the name of a field that says which thing this is, such as `id`, `order_id` or `sku`."""
    return bool(_IDENTITY.search(name))


def counts(name: str) -> bool:
    """True for the name of a field that says how many there are."""
    return bool(_COUNT.search(name))


def is_number(value: object) -> bool:
    """True for a JSON number: neither a bool nor NaN is one."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)
