"""Edits of whole JSON values: the fields, arrays and cursors of a reply. Single values are in `values`, text in `text`.

An edit gives its value back where there is nothing for it to do. A field that is changed is changed in every record
of an array, as a service does whose schema has moved on. All else keeps its value, its type and its order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.shapes.places import Place, change, counts, is_number, look, name_at, places, put
from passhat.shapes.schema import fits
from passhat.shapes.values import number_as_text

Record: TypeAlias = dict[str, Json]
_EACH = -1
_CURSOR = re.compile(
    r"^(?:next|cursor|next_?(?:cursor|page|token|page_?token|url|link|offset)|page_?token)$", re.IGNORECASE
)
_MORE = re.compile(r"^(?:has_?more|has_?next|more|is_?truncated)$", re.IGNORECASE)
_OTHER_NAMES: Mapping[str, str] = {
    "id": "identifier", "name": "title", "title": "name", "status": "state", "state": "status", "total": "amount",
    "amount": "total", "price": "unit_price", "quantity": "qty", "count": "total_count", "customer": "customer_id",
    "address": "shipping_address", "email": "email_address", "lines": "items", "items": "results", "results": "items",
    "product": "item", "note": "comment", "date": "timestamp", "created_at": "created", "updated_at": "modified_at",
}  # fmt: skip
_EXTRA = ("api_version", "2.1")


def rename_field(value: Json, dice: Dice, *, field: str = "") -> Json:
    """One field goes by another name."""
    taken = {name_at(place) for place, _ in places(value)}
    return _drifted(value, dice, field, lambda record, name: _renamed(record, name, _fresh(name, taken)))


def remove_field(value: Json, dice: Dice, *, field: str = "") -> Json:
    """One field is gone."""
    return _drifted(value, dice, field, lambda record, name: {n: v for n, v in record.items() if n != name})


def retype_field(value: Json, dice: Dice, *, field: str = "") -> Json:
    """One field has another type: a number is a text, a text is a list of one."""
    return _drifted(value, dice, field, lambda record, name: record | {name: _retyped(record[name])})


def nest_field(value: Json, dice: Dice, *, field: str = "") -> Json:
    """One field's value stands in an object of its own, under `value`."""
    return _drifted(value, dice, field, lambda record, name: record | {name: {"value": record[name]}})


def extra_field(value: Json, dice: Dice, *, field: str = "") -> Json:
    """There is a field more, called *field* where that is given, at the end of each record."""
    taken = {name_at(place) for place, _ in places(value)}
    name = _free(field or _EXTRA[0], taken)
    return _drifted(value, dice, "", lambda record, _: record | {name: _EXTRA[1]})


def cut_array(value: Json, *, keep: float, schema: object = True) -> Json:
    """The longest array keeps its first part, a share *keep* of it, and one item less at the least."""
    arrays = [(len(found), place) for place, found in places(value) if isinstance(found, list) and found]
    if not arrays:
        return value
    _, place = max(arrays, key=lambda one: one[0])
    cut = change(value, place, lambda found: found[: min(len(found) - 1, round(keep * len(found)))])  # type: ignore[arg-type, index]
    return cut if fits(cut, schema) else value


def emptied(value: Json, *, schema: object = True) -> Json:
    """The first array is empty, and every count beside it is 0."""
    first = next((place for place, found in places(value) if isinstance(found, list)), None)
    if first is None:
        return value
    empty = put(value, first, [])
    beside = look(empty, first[:-1]) if first else None
    for name, found in beside.items() if isinstance(beside, dict) else ():
        if counts(name) and is_number(found):
            empty = put(empty, (*first[:-1], name), type(found)(0))
    return empty if fits(empty, schema) else value


def drop_cursor(value: Json, *, schema: object = True) -> Json:
    """The reply is the last page: its cursor is null, or gone where the schema wants that, and no more is to come."""
    place = _cursor(value)
    if place is None:
        return value
    *above, name = place
    ended = change(value, tuple(above), _ended)
    without = change(ended, tuple(above), lambda record: {n: v for n, v in record.items() if n != name})  # type: ignore[union-attr]
    return next((one for one in (put(ended, place, None), without) if fits(one, schema)), value)


def repeat_cursor(value: Json, cursor: Json, *, schema: object = True) -> Json:
    """The reply's cursor leads to the page that *cursor* has led to already."""
    place = _cursor(value)
    if place is None or type(look(value, place)) is not type(cursor):
        return value
    again = put(value, place, cursor)
    return again if fits(again, schema) else value


def cursor_of(arguments: Mapping[str, Json]) -> Json:
    """The cursor that a call was made with; None where it was made without."""
    return next((found for name, found in arguments.items() if _CURSOR.match(name)), None)


def records_without(value: Json, is_hidden: Callable[[Record], bool]) -> Json:
    """*value* without the records in its arrays that are hidden, and its counts lower by as many."""
    if isinstance(value, list):
        return [records_without(item, is_hidden) for item in value if not (isinstance(item, dict) and is_hidden(item))]
    if not isinstance(value, dict):
        return value
    left = {name: records_without(item, is_hidden) for name, item in value.items()}
    missing = sum(_length(value[name]) - _length(left[name]) for name in left)
    return {name: _lower(name, item, missing) for name, item in left.items()}


def _length(value: Json) -> int:
    return len(value) if isinstance(value, list) else 0


def _lower(name: str, value: Json, by: int) -> Json:
    if by and counts(name) and isinstance(value, int) and is_number(value):
        return max(0, value - by)
    return value


def _drifted(value: Json, dice: Dice, field: str, edit: Callable[[Record, str], Record]) -> Json:
    """*value* with *edit* done to one drawn field, or to *field*, in every record that has it in the same place."""
    ways = dict.fromkeys(
        tuple(_EACH if isinstance(step, int) else step for step in place)
        for place, found in places(value)
        if place and isinstance(place[-1], str) and field in ("", place[-1])
    )
    return _everywhere(value, dice.choice(list(ways), "field"), edit) if ways else value


def _everywhere(value: Json, way: Place, edit: Callable[[Record, str], Record]) -> Json:
    step, rest = way[0], way[1:]
    if isinstance(value, list) and step == _EACH:
        return [_everywhere(item, rest, edit) for item in value]
    if not isinstance(value, dict) or not isinstance(step, str) or step not in value:
        return value
    if not rest:
        return edit(value, step)
    return {name: _everywhere(item, rest, edit) if name == step else item for name, item in value.items()}


def _renamed(record: Record, name: str, new: str) -> Record:
    return {new if one == name else one: value for one, value in record.items()}


def _fresh(name: str, taken: set[str]) -> str:
    """Another name for the same thing: one that services use, else the name written in the other habit."""
    camel = re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    other = next((one for one in (_OTHER_NAMES.get(name, ""), camel, snake) if one and one not in taken), "")
    return other or _free(f"{name}_value", taken)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}_2"
    return name


def _retyped(value: Json) -> Json:
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return number_as_text(value)
    if isinstance(value, list):
        return {"items": value}
    return "" if value is None else [value]


def _cursor(value: Json) -> Place | None:
    """Where the cursor to the next page stands, in the outermost object that has one."""
    found = [
        place
        for place, item in places(value)
        if place
        and isinstance(place[-1], str)
        and _CURSOR.match(place[-1])
        and item not in (None, "")
        and not isinstance(item, dict | list | bool)
    ]
    return min(found, key=len, default=None)


def _ended(record: Json) -> Json:
    """*record* without the promise that there is more."""
    if not isinstance(record, dict):
        return record
    return {name: False if _MORE.match(name) and item is True else item for name, item in record.items()}
