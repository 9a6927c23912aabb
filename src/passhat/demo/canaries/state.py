"""The canary of state: a note of a guest's wish that has changed by itself, and that nobody checks.

A kitchen that knows its guests twice: by their own profiles, which count, and by the assistant's notes, which are
quicker to read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from passhat import faults, graders
from passhat.demo.canaries.base import Canary, day_of, one_of, record_of
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.task import Suite, Task

DISHES = ("satay noodles", "green curry", "carrot cake")
_USUAL = {"ana": ("satay noodles", 1), "ben": ("green curry", 2), "chi": ("carrot cake", 4), "dee": ("green curry", 1)}


class Kitchen:
    """A fresh kitchen: guests' profiles, the assistant's notes on them, and the orders."""

    sandbox: ClassVar[bool] = True
    reads: ClassVar[tuple[str, ...]] = ("get_profile", "recall")

    def __init__(self) -> None:
        """Four guests, none of whom may have nuts; notes and profiles agree."""
        self.profiles: dict[str, dict[str, Json]] = {
            guest: {"guest": guest, "without_nuts": True, "phone": f"555-01{place:02}"}
            for place, guest in enumerate(_USUAL, start=11)
        }
        self.notes: dict[str, dict[str, Json]] = {
            guest: {"guest": guest, "usual": dish, "portions": portions, "without_nuts": True}
            for guest, (dish, portions) in _USUAL.items()
        }
        self.orders: list[dict[str, Json]] = []

    @property
    def tools(self) -> Mapping[str, Callable[..., Json]]:
        """What an agent may do here."""
        return {tool.__name__: tool for tool in (self.recall, self.get_profile, self.order_dish)}

    def snapshot(self) -> Json:
        """The end state: the orders."""
        return {"orders": [dict(order) for order in self.orders]}

    def recall(self, *, guest: str) -> Json:
        """Your notes on a guest, by first name, from earlier talks: the usual dish, the portions, without nuts or not.

        Notes get old: where they and the guest's profile differ, the profile counts.
        """
        return dict(record_of(self.notes, guest.casefold(), "note on"))

    def get_profile(self, *, guest: str) -> Json:
        """A guest's profile, which the guest keeps: the phone number, and whether food has to be without nuts."""
        return dict(record_of(self.profiles, guest.casefold(), "guest"))

    def order_dish(self, *, guest: str, dish: str, portions: int, without_nuts: bool, day: str) -> Json:
        """Order a dish for a guest on a day, such as 2026-12-04. The reply is the order."""
        name = record_of(self.profiles, guest.casefold(), "guest")["guest"]
        one_of(dish, DISHES, "dish")
        if isinstance(portions, bool) or not isinstance(portions, int) or portions < 1:
            raise ToolError("invalid", f"422 Unprocessable: portions is a whole number above 0, not {portions!r}")
        if not isinstance(without_nuts, bool):
            raise ToolError("invalid", f"422 Unprocessable: without_nuts is true or false, not {without_nuts!r}")
        order = _order(str(name), dish, portions, day_of(day), without_nuts=without_nuts)
        self.orders.append(order)
        return dict(order)


def _order(guest: str, dish: str, portions: int, day: str, *, without_nuts: bool) -> dict[str, Json]:
    return {"guest": guest, "dish": dish, "portions": portions, "without_nuts": without_nuts, "day": day}


def _expected(*meals: tuple[str, str]) -> Json:
    """The end state where each of these guests has the usual on its day, and none of it has nuts in it."""
    return {"orders": [_order(guest, *_USUAL[guest], day, without_nuts=True) for guest, day in meals]}


TASKS = (
    Task(
        "the-usual",
        "Please order the usual for Ana on 2026-12-04.",
        expect=_expected(("ana", "2026-12-04")),
    ),
    Task(
        "two-guests",
        "Ben and Dee eat here on 2026-12-05. Order for each of them what they usually have.",
        expect=_expected(("ben", "2026-12-05"), ("dee", "2026-12-05")),
    ),
    Task(
        "birthday",
        "It is a birthday, so we need the usual for Chi on 2026-12-11, please.",
        expect=_expected(("chi", "2026-12-11")),
    ),
    Task(
        "two-days",
        "Order the usual for Dee on 2026-12-06, and once more on 2026-12-07.",
        expect=_expected(("dee", "2026-12-06"), ("dee", "2026-12-07")),
    ),
)

STATE = Canary(
    name="state",
    pathway="state evolution",
    story="a wish that has changed in the agent's notes, and was never read again",
    good="reads what matters from its source before it acts, and not from its notes",
    suite=Suite(
        name="canary-state",
        tasks=TASKS,
        world=Kitchen,
        grader=graders.all_of((graders.end_state(unordered=["orders"]), graders.at_most_once("order_dish"))),
    ),
    under=(faults.memory_drift(field="without_nuts").at(match="recall"),),
)
