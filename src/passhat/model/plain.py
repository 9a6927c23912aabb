"""Any Python value as JSON: what JSON can't hold is kept as data about itself, and nothing raises.

Agents and tools return what they like. A trial has to be stored all the same, so an object becomes
`{"$type": …, "$repr": …}` and what is too long is cut, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Any

import msgspec

LONGEST = 1_000_000
CUT = " … (cut: "  # stands at every cut of ours, because half a secret is looked for there
_SHOWN = 10_000
_DEEPEST = 60
_MOST_LOOKED_AT = 100_000
_INSTEAD: dict[type, str] = {
    set: ", which has no order: write a list",
    frozenset: ", which has no order: write a list",
    bytes: ", which would be read back as a text: decode it",
    bytearray: ", which would be read back as a text: decode it",
}
_encode = msgspec.json.Encoder().encode
_sorted = msgspec.json.Encoder(order="sorted").encode
copied = msgspec.to_builtins  # a copy in plain values; raises where a value has none


def plain(value: object) -> Any:  # noqa: ANN401 - JSON is what it is
    """A copy of *value* in plain Python values: what happens to *value* later does not change it."""
    try:
        built = copied(value)
        if built == value:
            return built
        # There may be sets in it, and their order is the process's own.
        return msgspec.to_builtins(value, order="deterministic")
    except Exception:  # noqa: BLE001 - a fence: a user's value may do anything when it is looked at
        return _walk(value, 0, frozenset())


def as_json(value: object) -> bytes:
    """*value* as a JSON document, whatever it is; nothing of it is left out for being long."""
    built = plain(value)
    try:
        return _encode(built)
    except ValueError:  # half a surrogate pair, which UTF-8 refuses
        return _encode(mended(built))


def encoded(noun: object, again: Callable[[], object]) -> bytes:
    """*noun* as JSON. Where JSON would lose or refuse something, *again* gives the noun with its values mended."""
    try:
        document = _encode(noun)
    except Exception:  # noqa: BLE001 - a fence: what msgspec refuses (half a surrogate pair) is mended below
        document = b""
    if document and len(document) <= LONGEST and b"null" not in document:
        return document
    return _encode(again())


def encoded_alike(one: object, other: object) -> bool:
    """True where two plain values are the same JSON, whatever the order of their keys; 1 and 1.0 and true differ."""
    try:
        written = _sorted(one), _sorted(other)
    except Exception:  # noqa: BLE001 - a fence: what msgspec refuses (half a surrogate pair) is mended below
        written = b"null", b"null"
    if written[0] != written[1] or b"null" not in written[0]:
        return written[0] == written[1]
    return _sorted(mended(one)) == _sorted(mended(other))  # NaN is written as null, too


def json_problem(value: object) -> str:
    """Why *value* would be another after it was written as JSON and read; empty where it would not.

    A tuple is read back as a list, and may: it is the same JSON. A set is not: its order is the process's own.
    """
    said = ""
    try:
        _encode(value)
    except TypeError as error:  # of a value that is found below, with its place
        said = str(error)
    except (ValueError, RecursionError, OverflowError) as error:
        return str(error)
    pending: list[tuple[str, object]] = [("", value)]
    for _ in range(_MOST_LOOKED_AT) if said else count():  # what was not encoded may hold itself
        if not pending:
            break
        problem = _problem_at(*pending.pop(), pending)
        if problem:
            return problem
    return said


def _problem_at(place: str, one: object, pending: list[tuple[str, object]]) -> str:
    """What is wrong with the one value at *place*; what it holds is looked at later, and stands in *pending*."""
    if isinstance(one, dict):
        for key, item in one.items():
            if not isinstance(key, str):
                return f"{f'in {place} ' if place else ''}the key {described(key)} is not a text"
            pending.append((f"{place}[{described(key)}]", item))
    elif isinstance(one, list | tuple):
        pending += [(f"{place}[{position}]", item) for position, item in enumerate(one)]
    elif isinstance(one, float) and not math.isfinite(one):
        return "NaN and the infinities have no JSON"
    elif not (one is None or isinstance(one, str | int | float)):
        hint = _INSTEAD.get(type(one), "")
        return f"{place or 'it'} is a value of type {type(one).__name__}{hint}"
    return ""


def mended(value: object) -> Any:  # noqa: ANN401 - JSON is what it is
    """*value* with all that JSON can't hold (NaN, half a surrogate pair) and all that is too long made fit for it."""
    return _walk(value, 0, frozenset())


def clipped(text: str, longest: int = _SHOWN) -> str:
    """*text*, cut where it is too long to keep, saying how long it was; surrogates that UTF-8 refuses are escaped."""
    if len(text) > longest:
        text = f"{text[:longest]}{CUT}{len(text):,} characters)"
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def words(error: BaseException) -> str:
    """What an error says, whatever its class does when it is asked."""
    try:
        return clipped(str(error), 1_000)
    except Exception as worse:  # noqa: BLE001 - a fence: a user's __str__ may raise
        return f"<its text raises {type(worse).__name__}>"


def _walk(value: object, depth: int, above: frozenset[int]) -> object:
    if value is None or isinstance(value, bool):
        return value
    # The base class's own way: a class that inherits from it may do anything when it is asked for its value.
    if isinstance(value, str):
        return clipped(str.__str__(value), LONGEST)
    if isinstance(value, int):
        whole = int.__int__(value)
        return whole if abs(whole) < 2**63 else _described(value)
    if isinstance(value, float):
        number = float.__float__(value)
        return number if math.isfinite(number) else _described(value)
    if id(value) in above or depth > _DEEPEST:
        return _described(value)
    try:
        return _container(value, depth + 1, above | {id(value)})
    except Exception:  # noqa: BLE001 - a fence: a user's container may raise when it is read
        return _described(value)


def _container(value: object, depth: int, above: frozenset[int]) -> object:
    if isinstance(value, Mapping):
        return {_key(key): _walk(item, depth, above) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted((_walk(item, depth, above) for item in value), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [_walk(item, depth, above) for item in value]
    if isinstance(value, msgspec.Struct):
        return {name: _walk(getattr(value, name), depth, above) for name in value.__struct_fields__}
    return _described(value)


def _key(key: object) -> str:
    return clipped(key) if isinstance(key, str) else str(_described(key)["$repr"])


def described(value: object, longest: int = 80) -> str:
    """*value* as its own class shows it, whatever that does."""
    try:
        return clipped(repr(value), longest)
    except Exception as error:  # noqa: BLE001 - a fence: a user's __repr__ may raise
        return f"<its repr raises {type(error).__name__}>"


def _described(value: object) -> dict[str, str]:
    kind = type(value)
    return {"$type": f"{kind.__module__}.{kind.__qualname__}", "$repr": described(value, 1_000)}
