"""Which reply belongs to which question: agents that know it by the reply, and agents that take the order for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from passhat import faults
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.condition import Condition, Injection
from passhat.model.dose import Burst, Dose, PermanentFrom, once_at
from passhat.model.ledger import ledger
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Evidence, Trial
from tests.engine.drive import drive, suite_of

CITIES = {7: "Oslo", 8: "Rome", 9: "Bern"}


class Register:
    """A world that knows where parcels are, and where they are sent."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """A read that takes a moment, and a write."""
        return {"city": self.city, "send": self.send}

    async def city(self, parcel: int) -> Json:
        """Where a parcel has to go."""
        await asyncio.sleep(0)
        return {"parcel": parcel, "city": CITIES[parcel]}

    def send(self, parcel: int, city: str) -> Json:
        """Send it there."""
        self.sent[str(parcel)] = city
        return {"parcel": parcel, "city": city}

    def snapshot(self) -> Json:
        """What was sent where."""
        return dict(self.sent)


def right(evidence: Evidence) -> bool:
    """Every parcel has gone where it has to."""
    return evidence.state == {str(parcel): city for parcel, city in CITIES.items()}


def under(agent: Callable[..., Any], injection: Injection, **options: Any) -> Trial:  # noqa: ANN401 - of a run
    """The trial of *agent*, graded by where the parcels went; waiting costs nothing."""
    suite = suite_of(Register, grade=right)
    return drive(suite, agent, under=(Condition([injection]),), clean=False, **{"time": "virtual", **options}).trial


async def by_call(message: str, tools: Tools) -> str:
    """Ask for all at once, and take each reply for the answer to its own call."""
    found = await asyncio.gather(*(tools.city(parcel=parcel) for parcel in CITIES))
    for parcel, reply in zip(CITIES, found, strict=True):
        await tools.send(parcel=parcel, city=reply["city"])
    return "sent"


async def by_order(message: str, tools: Tools) -> str:
    """Ask for all at once, and take the first reply that comes for the answer to the first call."""
    asked = [asyncio.ensure_future(tools.city(parcel=parcel)) for parcel in CITIES]
    for parcel, arriving in zip(CITIES, asyncio.as_completed(asked), strict=True):
        await tools.send(parcel=parcel, city=(await arriving)["city"])
    return "sent"


@pytest.mark.parametrize(("agent", "outcome"), [(by_call, Outcome.PASS), (by_order, Outcome.FAIL)])
def test_out_of_order_is_told_by_the_call(agent: Callable[..., Any], outcome: Outcome) -> None:
    """The first reply comes after the second: who goes by the call is right, who goes by the order is not."""
    trial = under(agent, faults.out_of_order().at(once_at(1), match="city"))

    assert trial.outcome is outcome, trial.detail
    (event,) = trial.faults
    assert (event.effect, event.step, event.phase) == ("hold", 1, "post")
    assert event.detail == "later calls were answered first"
    assert (event.upstream_executed, event.agent_visible) == (True, True)


def test_without_the_fault_the_order_is_as_good() -> None:
    """Without the fault nothing tells the two agents apart: replies come in the order of the calls."""
    trial = under(by_order, faults.out_of_order().at(once_at(99), match="city"))

    assert trial.outcome is Outcome.PASS


def test_calls_one_after_the_other_just_wait() -> None:
    """An agent that waits for each reply is kept for the time that the fault names, and gets its own reply."""

    async def agent(message: str, tools: Tools) -> str:
        for parcel in CITIES:
            await tools.send(parcel=parcel, city=(await tools.city(parcel=parcel))["city"])
        return "sent"

    trial = under(agent, faults.out_of_order(seconds=9.0).at(once_at(1), match="city"))

    assert trial.outcome is Outcome.PASS
    assert trial.trace[0].seconds >= 9
    assert trial.faults[0].detail == "no later call was answered first"
    assert ledger(trial).changed == ()


def test_reply_that_was_let_go_says_how_many_came_before_it() -> None:
    """Where some of the later calls were answered first, but too few, the event says how many."""
    trial = under(by_order, faults.out_of_order(calls=9, seconds=1.0).at(once_at(1), match="city"))

    assert trial.outcome is Outcome.FAIL  # the order was another, so it misled
    assert trial.faults[0].detail == "4 of 9 later calls were answered first"


@pytest.mark.parametrize("dose", [1.0, PermanentFrom(1), Burst(3)])
@pytest.mark.parametrize(("agent", "outcome"), [(by_call, Outcome.PASS), (by_order, Outcome.FAIL)])
def test_replies_that_are_all_to_be_kept_back_do_not_wait_for_each_other(
    agent: Callable[..., Any], outcome: Outcome, dose: float | Dose
) -> None:
    """While one reply is kept back another passes, so a fault at every call does change the order."""
    trial = under(agent, faults.out_of_order(seconds=9.0).at(dose, match="city"))

    assert trial.outcome is outcome
    assert {event.detail for event in trial.faults} == {"later calls were answered first"}
    assert max(call.seconds for call in trial.trace) < 9


def test_call_after_call_each_reply_is_kept_back() -> None:
    """An agent that never asks two things at once waits at each call, and no order is changed."""

    async def agent(message: str, tools: Tools) -> str:
        for parcel in CITIES:
            await tools.city(parcel=parcel)
        return "asked"

    trial = under(agent, faults.out_of_order(seconds=0.5).at(1.0, match="city"))

    assert [event.detail for event in trial.faults] == ["no later call was answered first"] * 3


def test_held_reply_waits_for_as_many_calls_as_it_says() -> None:
    """With calls=2 the first reply comes after the other two."""
    arrived: list[int] = []

    async def agent(message: str, tools: Tools) -> str:
        asked = [asyncio.ensure_future(tools.city(parcel=parcel)) for parcel in CITIES]
        arrived.extend([(await one)["parcel"] for one in asyncio.as_completed(asked)])
        return "asked"

    under(agent, faults.out_of_order(calls=2).at(once_at(1), match="city"))

    assert arrived == [8, 9, 7]


def test_held_reply_of_a_thread_waits_for_another_thread() -> None:
    """For an agent that blocks it is the same: the call of one thread comes back after that of another."""
    first_runs = threading.Event()

    class Desk(Register):
        @property
        def tools(self) -> dict[str, Callable[..., Any]]:
            return {"city": self.look}

        def look(self, parcel: int) -> Json:
            if parcel == 7:
                first_runs.set()
            return {"parcel": parcel, "city": CITIES[parcel]}

    def agent(message: str, tools: Tools) -> str:
        told: dict[int, Any] = {}
        first = threading.Thread(target=lambda: told.update({7: tools.city(parcel=7)}))
        first.start()
        first_runs.wait(5.0)
        told[8] = tools.city(parcel=8)
        first.join(20.0)
        return f"{told[7]['city']}, {told[8]['city']}"

    condition = Condition([faults.out_of_order(seconds=20.0).at(once_at(1))])
    trial = drive(suite_of(Desk), agent, under=(condition,), clean=False).trial

    assert trial.answer is not None, trial.detail
    assert trial.answer.output == "Oslo, Rome"
    held, later = trial.trace
    assert held.at + held.seconds >= later.at + later.seconds
    assert trial.faults[0].detail == "later calls were answered first"


def test_held_reply_ends_with_the_trial() -> None:
    """An agent that waits for a held reply until its time is over has timed out; upstream had done its job."""

    def agent(message: str, tools: Tools) -> str:
        return str(tools.send(parcel=7, city="Oslo"))

    async def awaiting(message: str, tools: Tools) -> str:
        return str(await tools.send(parcel=7, city="Oslo"))

    for each in (agent, awaiting):
        trial = under(each, faults.out_of_order(seconds=3600.0).at(), time="real", timeout=0.3)

        assert trial.outcome is Outcome.TIMEOUT
        assert trial.state == {"7": "Oslo"}
        assert ledger(trial).unknown == (1,)


class Asking:
    """Asks for one parcel after the other, again where no reply comes, and sends them where the reply says."""

    def __init__(self, *, compares: bool) -> None:
        """*compares*: a reply about another parcel is no answer, so it asks again."""
        self._compares = compares

    async def __call__(self, message: str, tools: Tools) -> str:
        """Send every parcel."""
        for parcel in CITIES:
            await tools.send(parcel=parcel, city=await self._city(parcel, tools))
        return "sent"

    async def _city(self, parcel: int, tools: Tools) -> str:
        for _ in range(3):
            try:
                reply = await tools.city(parcel=parcel)
            except ToolError:
                continue
            if reply["parcel"] == parcel or not self._compares:
                return str(reply["city"])
        return "nowhere"


class Skipping(Asking):
    """Leaves a parcel for later where no reply comes, so that the late reply meets another question."""

    async def __call__(self, message: str, tools: Tools) -> str:
        """Send every parcel, those first that have an answer."""
        left = list(CITIES)
        while left:
            parcel = left.pop(0)
            try:
                reply = await tools.city(parcel=parcel)
            except ToolError:
                left.append(parcel)
                continue
            if self._compares and reply["parcel"] != parcel:
                left.append(parcel)
                continue
            await tools.send(parcel=parcel, city=reply["city"])
        return "sent"


@pytest.mark.parametrize(("compares", "outcome"), [(True, Outcome.PASS), (False, Outcome.FAIL)])
def test_late_reply_answers_the_next_question(compares: bool, outcome: Outcome) -> None:  # noqa: FBT001 - pytest's
    """What comes late is read as the answer to the next call: who compares asks again, who does not sends it wrong."""
    trial = under(Skipping(compares=compares), faults.late_reply().at(match="city"))

    assert trial.outcome is outcome, trial.detail
    assert [(event.effect, event.step) for event in trial.faults] == [("delay", 1), ("fail", 1), ("reply", 2)]
    lost, wrong = trial.trace[0], trial.trace[1]
    assert (lost.error, lost.executed, lost.upstream) == (
        "Timed out: no response within 5 s",
        1,
        {"parcel": 7, "city": "Oslo"},
    )
    assert (wrong.arguments, wrong.reply) == ({"parcel": 8}, {"parcel": 7, "city": "Oslo"})
    assert wrong.upstream == {"parcel": 8, "city": "Rome"}
    assert ledger(trial).changed == (2,)


def test_late_reply_to_the_same_question_is_its_answer() -> None:
    """Who asks the same again gets the answer that it wanted: a late reply is then no other than its own."""
    trial = under(Asking(compares=False), faults.late_reply().at(match="city"))

    assert trial.outcome is Outcome.PASS
    assert [event.effect for event in trial.faults] == ["delay", "fail"]


def test_late_reply_comes_once() -> None:
    """After it has come all is as before: no call after the second is touched."""
    trial = under(Skipping(compares=True), faults.late_reply().at(match="city"))

    assert {event.step for event in trial.faults} == {1, 2}
    assert len(trial.trace) > 4


def test_late_reply_waits_for_the_same_tool() -> None:
    """A call of another tool in between gets its own reply."""

    async def agent(message: str, tools: Tools) -> list[Any]:
        told: list[Any] = []
        for name, arguments in (
            ("city", {"parcel": 7}),
            ("send", {"parcel": 9, "city": "Bern"}),
            ("city", {"parcel": 8}),
        ):
            try:
                told.append((await tools.call(name, **arguments))["parcel"])
            except ToolError as error:
                told.append(error.kind)
        return told

    trial = under(agent, faults.late_reply().at())

    assert trial.answer is not None
    assert trial.answer.output == ["timeout", 9, 7]


def test_late_reply_that_is_nothing_comes_too() -> None:
    """A tool that replies with nothing has replied: its late reply is nothing, and comes once."""

    class Mute(Register):
        @property
        def tools(self) -> dict[str, Callable[..., Any]]:
            return {"ping": lambda number: None if number == 1 else number}

    async def agent(message: str, tools: Tools) -> list[Any]:
        told: list[Any] = []
        for number in (1, 2, 3):
            try:
                told.append(await tools.ping(number=number))
            except ToolError as error:
                told.append(error.kind)
        return told

    condition = Condition([faults.late_reply(hang=0.0).at()])
    trial = drive(suite_of(Mute), agent, under=(condition,), clean=False).trial

    assert trial.answer is not None
    assert trial.answer.output == ["timeout", None, 3]
