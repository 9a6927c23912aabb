"""Single values made wrong in a way that stays plausible: a number, a date, a unit. The type never changes.

Each edit gives its value back where it has nothing to do with it. `corrupted` picks a place in a whole reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta

from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.shapes.places import Place, counts, is_number, name_at, names_a_thing, places, put
from passhat.shapes.schema import fits

_LARGEST = 2**53
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")
_UNIT_FIELD = re.compile(r"(?:^|_)(?:currency|unit|units|uom)$|[a-z](?:Currency|Unit)$")
_OTHER_UNITS: Mapping[str, str] = {
    one: other
    for a, b in (
        ("USD", "EUR"), ("GBP", "CHF"), ("usd", "eur"), ("$", "€"), ("kg", "lb"), ("g", "oz"), ("km", "mi"),
        ("m", "ft"), ("cm", "in"), ("l", "gal"), ("C", "F"), ("°C", "°F"), ("s", "ms"), ("MB", "MiB"), ("h", "min"),
    )
    for one, other in ((a, b), (b, a))
}  # fmt: skip


def swapped_digits(value: Json) -> Json:
    """A number with two neighbouring digits the wrong way round: 61.5 is 16.5."""
    if not is_number(value):
        return value
    text = repr(value)
    for at in range(len(text) - 1):
        one, other = text[at], text[at + 1]
        leading = at == 0 or not text[at - 1].isdigit()
        if one.isdigit() and other.isdigit() and one != other and not (leading and other == "0"):
            turned = text[:at] + other + one + text[at + 2 :]
            swapped: Json = float(turned) if isinstance(value, float) else int(turned)
            return swapped if is_number(swapped) else value  # the largest numbers may become infinite
    return value


def ten_times(value: Json) -> Json:
    """A number with its decimal point one place off."""
    if isinstance(value, int | float) and is_number(value) and abs(value) <= _LARGEST:
        return value * 10
    return value


def negated(value: Json) -> Json:
    """A number with the other sign."""
    return -value if isinstance(value, int | float) and is_number(value) and value else value


def day_off(value: Json, *, days: int = 1) -> Json:
    """An ISO date, alone or with a time behind it, moved by some days."""
    found = _DAY.match(value) if isinstance(value, str) else None
    if found is None or not isinstance(value, str):
        return value
    try:
        moved = date.fromisoformat(found[0]) + timedelta(days=days)
    except (ValueError, OverflowError):
        return value
    return moved.isoformat() + value[found.end() :]


def other_unit(value: Json) -> Json:
    """A unit or a currency that is as likely: kg is lb, USD is EUR."""
    return _OTHER_UNITS.get(value, value) if isinstance(value, str) else value


def number_as_text(value: Json) -> Json:
    """A number as a text that shows it."""
    return repr(value) if is_number(value) else value


EDITS: Mapping[str, Callable[[Json], Json]] = {
    "digits": swapped_digits,
    "scale": ten_times,
    "sign": negated,
    "date": day_off,
    "unit": other_unit,
}


def corrupted(value: Json, dice: Dice, *, how: str = "any", field: str = "", schema: object = True) -> Json:
    """*value* with one number, date or unit in it made wrong, and all else as it was.

    *how* is one of EDITS, or "any" for a drawn one. Ids and counts are left alone unless *field* names them. Where no
    edit keeps to *schema*, *value* is given back.
    """
    kinds = list(EDITS) if how == "any" else [how]
    leaves = [(place, old) for place, old in places(value) if not isinstance(old, dict | list)]
    ways = [
        (place, new)
        for place, old in leaves
        if _may_change(place, field)
        for new in (_edited(name_at(place), old, kind, dice) for kind in kinds)
        if new != old
    ]
    while ways:
        whole = put(value, *ways.pop(dice.integer(len(ways), "corrupted", len(ways))))
        if fits(whole, schema):
            return whole
    return value


def _may_change(place: Place, field: str) -> bool:
    name = name_at(place)
    return name == field if field else not (names_a_thing(name) or counts(name))


def _edited(name: str, old: Json, kind: str, dice: Dice) -> Json:
    if kind == "date":
        return day_off(old, days=dice.choice((1, -1), "days"))
    if kind == "unit" and not _UNIT_FIELD.search(name):
        return old
    return EDITS[kind](old)


def other_identity(value: Json) -> Json:
    """*value* with its outermost id made that of a neighbour: 7 is 8, A-19 is A-20."""
    named = [(place, found) for place, found in places(value) if names_a_thing(name_at(place))]
    for place, found in sorted(named, key=lambda one: len(one[0])):
        other = _next(found)
        if other != found:
            return put(value, place, other)
    return value


def _next(identity: Json) -> Json:
    """The id after *identity*; what has no number in it is given back."""
    if isinstance(identity, int) and is_number(identity):
        return identity + 1
    numbers = list(re.finditer(r"\d+", identity)) if isinstance(identity, str) else []
    if not numbers or not isinstance(identity, str):
        return identity
    last = numbers[-1]
    return f"{identity[: last.start()]}{int(last[0]) + 1:0{len(last[0])}}{identity[last.end() :]}"


def drifted(value: Json, older: Sequence[Json], *, field: str = "") -> Json:
    """*value* with one value in it, the first that can be or *field*, as one of the *older* has it, or altered.

    No dice: the same value is read in the same way wrong every time.
    """
    for place, found in places(value):
        if isinstance(found, dict | list) or not _may_change(place, field):
            continue
        earlier = [one for version in reversed(older) for at, one in places(version) if at == place]
        for other in (*earlier, _altered(found)):
            if type(other) is type(found) and other != found:
                return put(value, place, other)
    return value


def _altered(value: Json) -> Json:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        moved = day_off(value, days=-1)
        return " ".join(value.split(" ")[:-1]) if moved == value else moved
    return value + 1 if isinstance(value, int | float) and is_number(value) else value
