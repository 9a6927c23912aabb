"""Strategies for JSON values, and what "all else is as it was" means: no test."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.model.dice import Dice, dice
from passhat.shapes.places import Place, places, put

NAMES = st.sampled_from(
    ["id", "order_id", "total", "price", "count", "items", "orders", "next_cursor", "has_more", "note", "currency"]
) | st.text(max_size=4)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["EUR", "kg", "2026-03-01", "2026-12-31T23:59:00Z", "9999-12-31", "A-19"])
)
JSONS: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5), max_leaves=12
)
DICE: st.SearchStrategy[Dice] = st.integers(0, 10_000).map(dice)


def written(value: Json) -> bytes:
    """*value* as JSON, its order kept."""
    return msgspec.json.encode(value)


def differences(one: Json, other: Json) -> list[Place]:
    """The outermost places at which two values of the same build differ."""
    left, right = dict(places(one)), dict(places(other))
    found: list[Place] = []
    for place, value in left.items():
        if any(place[: len(above)] == above for above in found):
            continue
        leaf = not isinstance(value, dict | list)
        mine, theirs = right.get(place, _GONE), value
        if (
            type(mine) is not type(theirs)
            or (leaf and written(mine) != written(theirs))
            or not _same_build(mine, value)
        ):
            found.append(place)
    return found


def only_at(one: Json, other: Json, place: Place) -> bool:
    """True where the two differ at *place* and, byte for byte, nowhere else."""
    return written(put(one, place, "here")) == written(put(other, place, "here"))


def _same_build(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other)
    return True


_GONE: Json = {"gone": "gone"}
