"""A shop with orders, notes and payments, which keeps its own account of every call that reached it.

Its replies have what faults act on: ids, counts, pages, versions, amounts, dates, long texts, idempotency keys. What
it did stands in `account`, one line a call that ran here; nothing of passhat writes in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, ClassVar

from passhat.errors import ToolError
from passhat.model.base import Json

PAGE = 2
_KEY = Parameter("idempotency_key", Parameter.KEYWORD_ONLY, default="")
NOTE = (
    "Leave it with the neighbour at number {}, who is at home all day and knows the customer well. "
    "Ring twice, and wait for a moment, because the way to the door is long."
)
_PRODUCTS = ("blue mug", "green tea", "red lamp", "oak tray", "wool rug", "iron pan")
_TOTALS = (61.5, 12.25, 48.75, 230.4, 19.95, 75.3)
NOTES: Mapping[str, str] = {
    "address of Ada": "12 Mill Lane, Dover",
    "address of Ben": "7 Harbour Road, Leith",
    "address of Cleo": "31 Orchard Close, Bath",
    "opening hours": "from 9 to 17, Monday to Friday",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One call that reached the shop: what it was asked, what it answered or why it refused, and if it did it."""

    tool: str
    asked: str
    reply: Json = None
    refusal: str = ""
    done: bool = False


class Shop:
    """A fresh shop of six orders."""

    sandbox: ClassVar[bool] = True
    reads: ClassVar[tuple[str, ...]] = ("get_*", "list_*", "find_*", "recall")

    def __init__(self) -> None:
        self.account: list[Line] = []
        self._keys: dict[str, Json] = {}
        self._paid: list[Json] = []
        self._shipped: list[Json] = []
        self._orders: dict[int, dict[str, Json]] = {
            number: {
                "id": number,
                "product": product,
                "status": "placed",
                "total": total,
                "currency": "EUR",
                "placed_on": f"2026-03-0{number}",
                "version": 3,
                "note": NOTE.format(number + 11),
            }
            for number, (product, total) in enumerate(zip(_PRODUCTS, _TOTALS, strict=True), start=1)
        }

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """What can be done here; every call goes into the account."""
        tools = (self.get_order, self.list_orders, self.find_orders, self.recall, self.pay, self.place, self.ship)
        return {tool.__name__: self._accounted(tool) for tool in tools}

    def snapshot(self) -> Json:
        """What was done so far."""
        placed = [
            [order["product"], order["status"]] for number, order in self._orders.items() if number > len(_TOTALS)
        ]
        return {"paid": list(self._paid), "shipped": list(self._shipped), "placed": placed}

    def get_order(self, order: int) -> Json:
        """One order."""
        return self._known(order)

    def list_orders(self, cursor: str = "0") -> Json:
        """A page of the orders."""
        if not cursor.isdigit():
            raise ToolError("bad_request", f"400 Bad Request: there is no page {cursor!r:.40}")
        orders, begin = list(self._orders.values()), int(cursor)
        following = begin + PAGE
        more = following < len(orders)
        return {
            "orders": [{"id": one["id"], "total": one["total"]} for one in orders[begin:following]],
            "count": len(orders),
            "next_cursor": str(following) if more else None,
            "has_more": more,
        }

    def find_orders(self, product: str) -> Json:
        """The orders for a product."""
        found = [one for one in self._orders.values() if one["product"] == product]
        return {"orders": [{"id": one["id"], "product": one["product"]} for one in found], "count": len(found)}

    def recall(self, topic: str) -> Json:
        """What was written down about something."""
        return {"topic": topic, "text": NOTES[topic]}

    def pay(self, order: int, amount: float) -> Json:
        """Pay for an order."""
        known = self._known(order)
        self._paid.append([order, amount])
        self._orders[order] |= {"status": "paid", "version": known["version"] + 1}
        return {"order": order, "amount": amount, "status": "paid"}

    def place(self, product: str) -> Json:
        """Make a new order."""
        number = max(self._orders) + 1
        self._orders[number] = {**self._orders[1], "id": number, "product": product, "total": 33.8}
        return {"id": number, "product": product, "status": "placed"}

    def ship(self, order: int, address: str) -> Json:
        """Send an order away, once."""
        if self._known(order)["status"] == "shipped":
            raise ToolError("conflict", f"409 Conflict: order {order} was shipped")
        self._shipped.append([order, address])
        self._orders[order]["status"] = "shipped"
        return {"order": order, "status": "shipped", "carrier": "Swift & Sons"}

    def _known(self, order: int) -> dict[str, Any]:
        if order not in self._orders:
            raise ToolError("not_found", f"404 Not Found: there is no order {order}")
        return deepcopy(self._orders[order])

    def _accounted(self, tool: Callable[..., Json]) -> Callable[..., Json]:
        """*tool*, with a line in the account for every call; a key that was seen gets what it got before."""
        name = tool.__name__

        def called(*, idempotency_key: str = "", **arguments: Any) -> Json:  # noqa: ANN401 - what a tool likes
            asked = asked_for(name, arguments)
            if idempotency_key in self._keys:
                reply = self._keys[idempotency_key]
                self.account.append(Line(name, asked, reply))
                return deepcopy(reply)
            try:
                reply = _asked_rightly(tool, arguments)
            except ToolError as error:
                self.account.append(Line(name, asked, refusal=error.message))
                raise
            if idempotency_key:
                self._keys[idempotency_key] = deepcopy(reply)
            self.account.append(Line(name, asked, deepcopy(reply), done=writes(name)))
            return reply

        taken = signature(tool)
        keyed = [*taken.parameters.values(), *([_KEY] if writes(name) else [])]
        called.__signature__ = taken.replace(parameters=keyed)  # type: ignore[attr-defined]
        return called


def _asked_rightly(tool: Callable[..., Json], arguments: Mapping[str, Any]) -> Json:
    """What *tool* replies; a call that lacks an argument, or has one that is unknown, is refused as services do it."""
    try:
        signature(tool).bind(**arguments)
    except TypeError as error:
        raise ToolError("bad_request", f"400 Bad Request: {error}") from error
    return tool(**arguments)


def writes(tool: str) -> bool:
    """True for a tool that changes something."""
    return tool in {"pay", "place", "ship"}


def asked_for(tool: str, arguments: Mapping[str, Json]) -> str:
    """What a call asks for, apart from its key."""
    asked = sorted((name, value) for name, value in arguments.items() if name != "idempotency_key")
    return f"{tool} {asked}"
