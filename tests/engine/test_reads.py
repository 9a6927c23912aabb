"""What a world says of its tools reaches the trace and the faults: which only read, and what stood before."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from passhat.errors import ToolError
from passhat.faults import Fault, rate_limit
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Fail
from passhat.model.outcome import Outcome
from passhat.model.trial import Call, Evidence
from tests.engine.drive import drive, suite_of


class Desk:
    """A world with two tools that read and one that writes; a list of what was written is its state."""

    reads: Any = ("get_*", "look")

    def __init__(self) -> None:
        self.paid: list[int] = []
        self.tools = {"get_order": self._get, "look": self._get, "pay": self._pay}

    def _get(self, order: int = 7) -> int:
        return order

    def _pay(self, amount: int) -> int:
        self.paid.append(amount)
        return amount

    def snapshot(self) -> object:
        """All that was paid."""
        return {"paid": list(self.paid)}


CALLS: list[tuple[str, dict[str, int]]] = [("get_order", {"order": 7}), ("look", {}), ("pay", {"amount": 5})]


async def asks(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools of a world
    """Look, look again, pay; errors are passed over."""
    for tool, arguments in CALLS:
        with suppress(ToolError):
            await tools.call(tool, **arguments)
    return "done"


def asks_blocking(message: str, tools: Any) -> str:  # noqa: ANN401 - as above
    """The same for an agent that blocks."""
    for tool, arguments in CALLS:
        with suppress(ToolError):
            tools.call(tool, **arguments)
    return "done"


AGENTS = [asks, asks_blocking]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("under", [(), (rate_limit().at(0.0),)], ids=["clean", "armed"])
def test_trace_says_what_only_reads(agent: Any, under: Any) -> None:  # noqa: ANN401 - parameters of the test
    """A call of a tool that the world declares as a reading one is no write; every other one is."""
    trial = drive(suite_of(Desk), agent, under=under, clean=not under).trial

    assert [(call.tool, call.write) for call in trial.trace] == [("get_order", False), ("look", False), ("pay", True)]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("match", "met"), [("write:*", ["pay"]), ("read:*", ["get_order", "look"]), ("*(order=7)", ["get_order"])]
)
def test_fault_meets_the_calls_that_its_match_names(agent: Any, match: str, met: list[str]) -> None:  # noqa: ANN401
    """A fault fires at the calls of its match alone: writes, reads, or those with an argument."""
    under = (rate_limit(retry_after=0.0).at(1.0, match=match),)
    trial = drive(suite_of(Desk), agent, under=under, clean=False).trial

    assert [event.tool for event in trial.faults] == met


def test_event_carries_its_dose() -> None:
    """The label of a fault that fired says how often it was to fire."""
    under = (rate_limit(retry_after=0.0).at(1.0, match="pay"),)
    (event,) = drive(suite_of(Desk), asks, under=under, clean=False).trial.faults

    assert event.dose == "rate=1.0"


def test_state_before_is_kept_where_a_fault_is_planned() -> None:
    """Under a fault a trial keeps the world's state before the agent began; a clean one needs none."""
    armed = drive(suite_of(Desk), asks, under=(rate_limit().at(0.0),), clean=False).trial
    clean = drive(suite_of(Desk), asks).trial

    assert (armed.state_before, armed.state) == ({"paid": []}, {"paid": [5]})
    assert (clean.state_before, clean.state) == (None, {"paid": [5]})


def test_match_that_names_no_tool_is_void() -> None:
    """A fault that could never be met says nothing about the agent: the trial is void, with the nearest tool."""
    trial = drive(suite_of(Desk), asks, under=(rate_limit().at(match="pya"),), clean=False).trial

    assert trial.outcome is Outcome.VOID
    assert trial.detail == "rate_limit: no tool of the world matches 'pya': did you mean pay?"


@pytest.mark.parametrize("declared", ["get_order", [1], 5])
def test_wrong_declaration_of_reads_is_void(declared: object) -> None:
    """A world that declares its reading tools wrongly is told so."""

    class Wrong(Desk):
        reads = declared

    trial = drive(suite_of(Wrong), asks).trial

    assert trial.outcome is Outcome.VOID
    assert trial.detail.startswith("the world's reads: a list of the names of tools that only read, not ")


@dataclass(frozen=True, slots=True)
class OnWrites(Fault):
    """Refuses what writes, by its own look at the call."""

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse a write."""
        return Fail("refused", "403 Forbidden") if call.write else PROCEED


def test_fault_sees_what_a_call_does() -> None:
    """A fault can decide by whether the call writes."""
    trial = drive(suite_of(Desk), asks, under=(OnWrites().at(1.0),), clean=False).trial

    assert [event.tool for event in trial.faults] == ["pay"]


def test_grader_sees_the_faults_that_fired() -> None:
    """A grader can tell an error that a fault made up from one of upstream's own."""
    seen: list[tuple[str, ...]] = []

    def note(evidence: Evidence) -> bool:
        seen.append(tuple(event.fault for event in evidence.faults))
        return True

    drive(suite_of(Desk, grade=note), asks, under=(rate_limit(retry_after=0.0).at(1.0, match="pay"),), trials=1)

    assert sorted(seen) == [(), ("rate_limit",)]
