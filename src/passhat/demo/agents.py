"""Two agents that work in the shop: one that is hasty, and one that is careful.

Both are the same clerk with other habits. Chance comes from the trial's seed alone, and a slip is drawn for
the place where it is made, so that a trial under a fault makes the slips of the clean one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from passhat.demo.request import Clause, Item, Request, read
from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.model.dice import Dice, dice
from passhat.model.protocols import Tools

# What the shop itself says: trying again changes nothing. Every other error may pass.
_FINAL = frozenset({"not_found", "conflict", "invalid"})
# Here the call never ran, so that it can be made again without a look at what came of it.
_NEVER_RAN = frozenset({"rate_limit"})
_Look = tuple[str, Mapping[str, Any]]
# Nobody says the same thing ten times in the same words.
_DONE = ("Done", "That is done", "All done", "It is done", "Here is what I did", "I have done this")


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How a clerk works. The first six are probabilities, each of one slip at one place.

    forgets: a later step of a job is left out. misreads: a number is taken for another. gives_up: the job is
    not begun. bothers: an error that may pass is answered by another try, *retries* of them at most.
    bluffs: an error is passed over, and success claimed. panics: an error is let through.
    """

    forgets: float = 0.0
    misreads: float = 0.0
    gives_up: float = 0.0
    bothers: float = 1.0
    bluffs: float = 0.0
    panics: float = 0.0
    retries: int = 0
    reads_closely: bool = False
    looks_before_retrying: bool = False
    hands_off: bool = False


HASTY = Habits(forgets=0.08, misreads=0.1, gives_up=0.03, bothers=0.6, bluffs=0.4, panics=0.3, retries=1)
CAREFUL = Habits(retries=8, reads_closely=True, looks_before_retrying=True, hands_off=True)


async def hasty(message: str, tools: Tools, *, seed: int) -> Answer:
    """Does the job most times: it skips, misreads, retries once at most, and hides some failures."""
    return await _work(message, tools, habits=HASTY, chance=dice(seed, "clerk"))


async def careful(message: str, tools: Tools, *, seed: int) -> Answer:
    """Does the job every time: it reads closely, waits as told, looks before a retry, or hands over."""
    return await _work(message, tools, habits=CAREFUL, chance=dice(seed, "clerk"))


async def _work(message: str, tools: Tools, *, habits: Habits, chance: Dice) -> Answer:
    request = read(message, closely=habits.reads_closely)
    clerk = _Clerk(tools, habits, chance)
    trouble = "I do not understand what to do."
    if clerk.slips("gives_up", habits.gives_up):
        return _sorry("I cannot help with this.", habits)
    try:
        await clerk.serve(request)
    except ToolError as error:
        if clerk.slips("panics", habits.panics):
            raise
        trouble = f"I could not do this. The shop said: {error.message}"
    else:
        if clerk.done:
            return Answer(f"{chance.choice(_DONE, 'words')}: {'; '.join(clerk.done)}.", claims_success=True)
    if clerk.slips("bluffs", habits.bluffs):
        return Answer("Done, all is well.", claims_success=True)
    return _sorry(trouble, habits)


def _sorry(trouble: str, habits: Habits) -> Answer:
    """The answer that admits it."""
    return Answer(f"I am sorry. {trouble}", claims_success=False, handoff=habits.hands_off)


class _Clerk:
    """Serves one request with these tools and habits; `done` says what was done."""

    def __init__(self, tools: Tools, habits: Habits, chance: Dice) -> None:
        self.done: list[str] = []
        self._tools = tools
        self._habits = habits
        self._chance = chance
        self._steps = 0
        self._calls = 0

    def slips(self, what: str, probability: float, *place: str | int) -> bool:
        """True where this slip is made at this place."""
        return self._chance.uniform(what, *place) < probability

    async def serve(self, request: Request) -> None:
        """Do what is asked, clause by clause."""
        verbs: Mapping[str, Callable[[Clause, Request], Awaitable[None]]] = {
            "refund": self._refund,
            "cancel": self._cancel,
            "send": self._send,
            "add": self._add,
            "remove": self._remove,
            "checkout": self._checkout,
        }
        for clause, following in zip_longest(request.clauses, request.clauses[1:]):
            way_out = following is not None and following.otherwise
            try:
                await verbs[clause.verb](clause, request)
            except ToolError as error:
                if not way_out or error.kind != "conflict":
                    raise
            else:
                if way_out:
                    return

    async def _refund(self, clause: Clause, request: Request) -> None:
        for order in await self._orders(request):
            found = await self._call("get_order", order=order)
            already = 0 if self._misreads("refunded", order) else found["refunded"]
            amount = await self._price(clause.items) if clause.items else found["total"] - already
            look = ("get_order", {"order": order})
            await self._step("refund_order", {"order": order, "amount": amount}, look=look)

    async def _cancel(self, clause: Clause, request: Request) -> None:
        for order in await self._orders(request):
            await self._step("cancel_order", {"order": order}, look=("get_order", {"order": order}))

    async def _send(self, clause: Clause, request: Request) -> None:
        for order in await self._orders(request):
            arguments = {"order": order, "address": request.address}
            await self._step("change_address", arguments, look=("get_order", {"order": order}))

    async def _add(self, clause: Clause, request: Request) -> None:
        customer = await self._customer(request)
        for item in clause.items:
            quantity = self._quantity(item)
            if clause.up_to_stock and not self.slips("forgets", self._habits.forgets, "stock"):
                level = await self._call("stock_level", product=item.product)
                quantity = min(quantity, level["stock"])
            arguments = {"customer": customer, "product": item.product, "quantity": quantity}
            await self._step("add_to_cart", arguments, look=("get_cart", {"customer": customer}))

    async def _remove(self, clause: Clause, request: Request) -> None:
        customer = await self._customer(request)
        for item in clause.items:
            arguments = {"customer": customer, "product": item.product}
            await self._step("remove_from_cart", arguments, look=("get_cart", {"customer": customer}))

    async def _checkout(self, clause: Clause, request: Request) -> None:
        customer = await self._customer(request)
        await self._step("checkout", {"customer": customer}, look=("get_cart", {"customer": customer}))

    async def _orders(self, request: Request) -> Sequence[int]:
        """The orders that are meant; a misreader takes the first of a list for the latest."""
        if request.orders or not request.latest:
            return request.orders
        found = await self._call("find_orders", customer=await self._customer(request))
        return [found[0 if self._misreads("latest") else -1]["id"]]

    async def _customer(self, request: Request) -> str:
        found = await self._call("find_customer", email=request.email)
        return str(found["id"])

    async def _price(self, items: Sequence[Item]) -> int:
        total = 0
        for item in items:
            found = await self._call("find_product", name=item.product)
            total += int(found[0]["price"]) * self._quantity(item)
        return total

    def _quantity(self, item: Item) -> int:
        """The quantity, as far as it is read rightly; a misreader takes the number above it."""
        return item.quantity + (item.quantity > 1 and self._misreads(item.product))

    def _misreads(self, *place: str | int) -> bool:
        return self.slips("misreads", self._habits.misreads, *place)

    async def _step(self, tool: str, arguments: Mapping[str, Any], *, look: _Look) -> None:
        """Change something, unless the step is forgotten; *look* is the call that shows it."""
        self._steps += 1
        if self._steps > 1 and self.slips("forgets", self._habits.forgets, self._steps):
            return
        if self._habits.looks_before_retrying:
            await self._surely(tool, arguments, look=look)
        else:
            await self._call(tool, **arguments)
        self.done.append(f"{tool}({', '.join(f'{name}={value}' for name, value in arguments.items())})")

    async def _surely(self, tool: str, arguments: Mapping[str, Any], *, look: _Look) -> None:
        """Change something exactly once: where an error leaves the outcome open, look before the next try."""
        name, shown = look
        before = await self._call(name, **shown)
        for attempt in range(self._habits.retries + 1):
            try:
                await self._tools.call(tool, **arguments)
            except ToolError as error:
                await self._wait(error, attempt)
                if error.kind not in _NEVER_RAN and await self._call(name, **shown) != before:
                    return
            else:
                return

    async def _call(self, tool: str, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        """Call a tool, and again where the error may pass and the clerk bothers."""
        self._calls += 1
        call, attempt = self._calls, 0
        while True:
            try:
                return await self._tools.call(tool, **arguments)
            except ToolError as error:
                if not self.slips("bothers", self._habits.bothers, call):
                    raise
                await self._wait(error, attempt)
                attempt += 1

    async def _wait(self, error: ToolError, attempt: int) -> None:
        """Wait for as long as the service says; where no try is left, or none would help, raise *error*."""
        if error.kind in _FINAL or attempt >= self._habits.retries:
            raise error
        await asyncio.sleep(error.retry_after or 0)
