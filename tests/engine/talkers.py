"""A shop, its customers, and two clerks: one who asks before acting, and one who doesn't. No test stands here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from passhat import Suite, Task
from passhat.errors import ToolError
from passhat.graders import predicate
from passhat.model.protocols import Tools
from passhat.model.talk import Turn
from passhat.model.trial import Evidence, Trial
from tests.engine.drive import drive

FIRST = "Please refund my order"
ASKS = "Which order is it?"


class Shop:
    """Orders that can be refunded."""

    def __init__(self) -> None:
        self.refunded: list[int] = []

    @property
    def tools(self) -> Mapping[str, Callable[..., Any]]:
        """What a clerk may do."""
        return {"refund": self.refund}

    def refund(self, order: int) -> str:
        """Give the money for an order back."""
        self.refunded.append(order)
        return f"I have refunded order {order}."

    def snapshot(self) -> list[int]:
        """What was refunded."""
        return self.refunded


def customer(turns: Sequence[Turn]) -> str | None:
    """A customer who names the order when asked, asks again where something went wrong, and else is done."""
    last = turns[-1].text
    if last == ASKS:
        return "It is order 7"
    return "Please try again, order 7" if last.startswith("Sorry") else None


async def patient(turns: Sequence[Turn]) -> str | None:
    """The same customer, async."""
    return customer(turns)


async def careful(message: str, tools: Tools) -> str:
    """A clerk who asks which order it is."""
    if not any(char.isdigit() for char in message):
        return ASKS
    return await refunded(tools)


async def hasty(message: str, tools: Tools) -> str:
    """A clerk who refunds the first order there is."""
    del message
    reply = await tools.refund(order=1)
    return str(reply)


def careful_blocking(message: str, tools: Tools) -> str:
    """The careful clerk, sync."""
    return str(tools.refund(order=7)) if "7" in message else ASKS


async def refunded(tools: Tools) -> str:
    """What came of a refund of order 7, as a clerk says it."""
    try:
        return str(await tools.refund(order=7))
    except ToolError as error:
        return f"Sorry, it did not work: {error.message}"


def got_it(evidence: Evidence) -> bool:
    """Pass where order 7 and nothing else was refunded, and the clerk spoke last."""
    return evidence.state == [7] and evidence.turns[-1].who == "agent"


def suite_with(user: object, *, tasks: int = 1, grade: Callable[..., Any] = got_it) -> Suite:
    """A shop's suite whose tasks have this user."""
    asked = [Task(f"task-{number}", FIRST, user=user) for number in range(tasks)]
    return Suite(tasks=asked, world=Shop, grader=predicate(grade), name="shop")


def talk(user: object, agent: Any = careful, **options: Any) -> Trial:  # noqa: ANN401 - any agent, the options of a run
    """The one trial of *agent* with this user."""
    return drive(suite_with(user), agent, **options).trial


def said(trial: Trial) -> list[tuple[str, str]]:
    """Who said what."""
    return [(turn.who, turn.text) for turn in trial.turns]
