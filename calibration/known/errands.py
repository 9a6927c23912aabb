"""The jobs: what is read and what is written for it, step by step, and what the agent takes from what it reads.

An errand is a generator. It yields a step, is sent what the agent believes to be the reply (None where it has none),
and returns what it answers. It takes values as a hasty client does: what is not where it should be counts as 0, "" or
none. What a careful client would object to is in `sound`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from calibration.known.shop import NOTES, PAGE
from passhat.model.base import Json
from passhat.model.dice import Dice

Call: TypeAlias = tuple[str, dict[str, Json]]
HOURS: Call = ("recall", {"topic": "opening hours"})


@dataclass(frozen=True, slots=True)
class Step:
    """A call to be made; `look` is the call that shows whether a write was done."""

    tool: str
    arguments: dict[str, Json]
    look: Call = HOURS


Errand: TypeAlias = Generator[Step, Json, object]


def settle(draw: Dice) -> Errand:
    """Read an order, and pay what it costs."""
    yield from _settled(draw.choice(range(1, 7), "order"))
    return None


def settle_two(draw: Dice) -> Errand:
    """The same for two orders, one after the other."""
    first, second = (one + 1 for one in draw.ranked(6, "orders")[:2])
    yield from _settled(first)
    yield from _settled(second)
    return None


def settle_and_check(draw: Dice) -> Errand:
    """Settle an order, and answer with the status that it then has."""
    order = draw.choice(range(1, 7), "order")
    yield from _settled(order)
    return _text((yield Step("get_order", {"order": order})), "status")


def total(draw: Dice) -> Errand:
    """Answer with the sum of all orders, page by page."""
    amount, cursor, seen = 0.0, "0", {""}
    while cursor not in seen:
        seen.add(cursor)
        told = yield Step("list_orders", {"cursor": cursor})
        amount, cursor = amount + _sum(told), _text(told, "next_cursor")
    return round(amount, 2)


def reorder(draw: Dice) -> Errand:
    """Order a product that nobody has ordered yet, and answer with how many such orders there are."""
    product = draw.choice(("silk tie", "blue mug"), "product")
    read = Step("find_orders", {"product": product})
    place = Step("place", {"product": product}, ("find_orders", {"product": product}))
    if not _count((yield read)):
        yield place
    if not (found := _count((yield read))):
        yield place
    return found or 1


def dispatch(draw: Dice) -> Errand:
    """Look up an address, and send an order there."""
    topic = draw.choice([one for one in NOTES if one.startswith("address")], "topic")
    order = draw.choice(range(1, 7), "order")
    address = _text((yield Step("recall", {"topic": topic})), "text")
    yield Step("ship", {"order": order, "address": address}, ("get_order", {"order": order}))
    return None


def quote(draw: Dice) -> Errand:
    """Answer with the note on an order."""
    return _text((yield Step("get_order", {"order": draw.choice(range(1, 7), "order")})), "note")


ERRANDS: Mapping[str, Callable[[Dice], Errand]] = {
    one.__name__: one for one in (settle, settle_two, settle_and_check, total, reorder, dispatch, quote)
}


def sound(tool: str, asked: Mapping[str, Json], told: Any) -> bool:  # noqa: ANN401 - any reply
    """True where a careful client has nothing to object to in a reply: its form, its id, its count, its status."""
    if not isinstance(told, dict):
        return False
    match tool:
        case "get_order":
            return (
                told.get("id") == asked["order"] and _is_amount(told.get("total")) and _are_texts(told, "status note")
            )
        case "list_orders":
            return _is_page(int(str(asked["cursor"])), told)
        case "find_orders":
            found = told.get("orders")
            if not isinstance(found, list) or told.get("count") != len(found):
                return False
            return all(_is_of(one, "product", asked["product"]) for one in found)
        case "recall":
            return told.get("topic") == asked["topic"] and _are_texts(told, "text")
        case "pay":
            return told.get("order") == asked["order"] and told.get("status") == "paid"
        case "place":
            return _is_of(told, "product", asked["product"]) and isinstance(told.get("id"), int)
    return told.get("order") == asked["order"] and told.get("status") == "shipped"


def _settled(order: int) -> Errand:
    amount = _amount((yield Step("get_order", {"order": order})))
    yield Step("pay", {"order": order, "amount": amount}, ("get_order", {"order": order}))
    return None


def _amount(told: Any) -> float:  # noqa: ANN401 - any reply
    found = told.get("total") if isinstance(told, dict) else None
    return found if _is_amount(found) else 0.0  # type: ignore[return-value]


def _text(told: Any, name: str) -> str:  # noqa: ANN401 - any reply
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, str) else ""


def _count(told: Any) -> int:  # noqa: ANN401 - any reply
    found = told.get("orders") if isinstance(told, dict) else None
    return len(found) if isinstance(found, list) else 0


def _sum(told: Any) -> float:  # noqa: ANN401 - any reply
    found = told.get("orders") if isinstance(told, dict) else None
    return sum(_amount(one) for one in found) if isinstance(found, list) else 0.0


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(told: Mapping[str, Json], names: str) -> bool:
    return all(isinstance(told.get(name), str) for name in names.split())


def _is_of(one: Any, name: str, value: Json) -> bool:  # noqa: ANN401 - any reply
    return isinstance(one, dict) and one.get(name) == value


def _is_page(begin: int, told: Mapping[str, Any]) -> bool:
    found, count = told.get("orders"), told.get("count")
    if not isinstance(found, list) or not isinstance(count, int):
        return False
    following = str(begin + PAGE) if begin + PAGE < count else None
    whole = len(found) == min(PAGE, count - begin) and told.get("next_cursor") == following
    return whole and all(isinstance(one, dict) and _is_amount(one.get("total")) for one in found)
