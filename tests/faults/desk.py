"""A desk with orders, an agent that follows a script, and what such an agent was told under a fault: no test.

The fault is planned for the last tool that the script calls, at its last call, so that all calls before it are clean.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeAlias

from passhat.errors import ToolError
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.condition import Condition
from passhat.model.dose import once_at
from passhat.model.protocols import Tools
from passhat.model.trial import Trial
from tests.engine.drive import drive, suite_of

Step: TypeAlias = tuple[str, dict[str, Json]]
PLACES = ("warehouse", "depot", "van")
NOTE = "Leave it with the neighbour at number nine, who is at home all day"


class Desk:
    """A world with state: three orders, and what was paid back of them."""

    sandbox: ClassVar[bool] = True

    def __init__(self) -> None:
        """A fresh desk."""
        self.orders: dict[int, dict[str, Json]] = {
            number: {"id": number, "status": "placed", "total": 61.5, "placed_on": "2026-03-01"} for number in (7, 8)
        }
        self.refunded = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """What can be done here."""
        tools = (self.get_order, self.list_orders, self.ship, self.place, self.refund, self.note, self.track)
        return {tool.__name__: tool for tool in tools}

    def snapshot(self) -> Json:
        """What was done."""
        return {"refunded": self.refunded, "orders": len(self.orders)}

    def get_order(self, order: int) -> Json:
        """One order."""
        return dict(self.orders[order])

    def list_orders(self, cursor: str = "p1") -> Json:
        """A page of orders."""
        return {"orders": [dict(one) for one in self.orders.values()], "count": len(self.orders), "next": f"{cursor}+"}

    def ship(self, order: int) -> Json:
        """Send an order away."""
        self.orders[order]["status"] = "shipped"
        return dict(self.orders[order])

    def place(self, product: str) -> Json:
        """Make a new order."""
        number = max(self.orders) + 1
        self.orders[number] = {"id": number, "status": "placed", "total": 12.0, "placed_on": "2026-03-02"}
        return {"id": number, "product": product}

    def refund(self, order: int, amount: int) -> Json:
        """Pay back."""
        self.refunded += amount
        return {"order": order, "refunded": self.refunded}

    def note(self) -> str:
        """A text."""
        return NOTE

    def track(self, parcel: int) -> Iterator[Json]:
        """Where a parcel was, place by place."""
        for place in PLACES:
            yield [parcel, place]


class RealDesk(Desk):
    """A desk that nobody may play with."""

    sandbox: ClassVar[bool] = False


def _said(error: ToolError) -> Json:
    return [error.kind, error.message]


def awaiting(script: Sequence[Step]) -> Callable[[str, Tools], Awaitable[Json]]:
    """An async agent that follows *script* and answers with what it was told last."""

    async def agent(message: str, tools: Tools) -> Json:
        told: Json = None
        for tool, arguments in script:
            try:
                reply = tools.call(tool, **arguments)
                told = [item async for item in reply] if hasattr(reply, "__aiter__") else await reply
            except ToolError as error:
                told = _said(error)
        return told

    return agent


def blocking(script: Sequence[Step]) -> Callable[[str, Tools], Json]:
    """The same agent, as a plain function."""

    def agent(message: str, tools: Tools) -> Json:
        told: Json = None
        for tool, arguments in script:
            try:
                reply = tools.call(tool, **arguments)
                told = list(reply) if isinstance(reply, Iterator) else reply
            except ToolError as error:
                told = _said(error)
        return told

    return agent


KINDS: dict[str, Callable[[Sequence[Step]], Callable[..., Any]]] = {"awaiting": awaiting, "blocking": blocking}


def under(
    fault: Fault,
    script: Sequence[Step],
    kind: str = "awaiting",
    *,
    world: type[Desk] = Desk,
    timeout: float = 20.0,
    nth: int = 0,
) -> Trial:
    """The trial of an agent that follows *script*, under *fault* at its last call.

    *nth*: which of the calls that concern the fault that is, where it is not concerned by every call of that tool.
    """
    last = script[-1][0]
    injection = fault.at(once_at(nth or [tool for tool, _ in script].count(last)), match=last)
    return drive(
        suite_of(world), KINDS[kind](script), under=(Condition([injection]),), clean=False, timeout=timeout
    ).trial
