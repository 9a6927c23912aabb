"""Faults of one condition that exclude each other: told where it is certain, and not where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.engine.binding import Catalogue
from passhat.engine.exclusion import exclusions
from passhat.errors import ToolError
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.condition import Condition, Phase
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Fail
from passhat.model.trial import Call
from tests.engine.drive import drive, suite_of


def told(condition: str | Condition) -> list[str]:
    """What is said of *condition*."""
    return list(exclusions(Catalogue().condition(condition)))


@pytest.mark.parametrize(
    ("condition", "never", "ends"),
    [
        ("rate_limit() & lost_request()", "rate_limit", "lost_request"),
        ("rate_limit() & server_error(phase=post)", "server_error", "rate_limit"),
        ("rate_limit() & latency()", "latency", "rate_limit"),
        ("rate_limit() & duplicate_delivery()", "duplicate_delivery", "rate_limit"),
        ("rate_limit(1) & schema_drift(0.3)", "schema_drift", "rate_limit"),
        ("quota_exhausted() & null_result(dose=once_at(7), match=pay)", "null_result", "quota_exhausted"),
        ("quota_exhausted(match=pay*) & null_result(match=pay_back)", "null_result", "quota_exhausted"),
        ("quota_exhausted() & stale_read()", "stale_read", "quota_exhausted"),
        ("rate_limit(dose=burst(3)) & null_result(dose=once_at(3))", "null_result", "rate_limit"),
        ("rate_limit(match=write:pay) & null_result(match=write:pay, share=0.5)", "null_result", "rate_limit"),
        ("dropped_step() & null_result()", "null_result", "dropped_step"),
        ("lost_reply() & null_result()", "null_result", "lost_reply"),
        ("connection_reset(phase=post) & latency()", "latency", "connection_reset"),
        ("connection_reset(phase=post) & server_error(phase=post)", "server_error", "connection_reset"),
        ("lost_reply() & server_error(phase=post)", "server_error", "lost_reply"),
    ],
)
def test_fault_that_can_never_act_is_told(condition: str, never: str, ends: str) -> None:
    """Who is due only where another fault ends the call first is named, and who ends it."""
    (sentence,) = told(condition)

    assert f": {never} can never act, because {ends} comes first and ends every call that it is due at" in sentence
    assert sentence.endswith("let them fire at different calls, as with dose=once_at(2), or make them two conditions")


@pytest.mark.parametrize(
    "condition",
    [
        "rate_limit()",
        "rate_limit() & lost_request(dose=once_at(2))",
        "rate_limit(match=pay) & lost_request(match=look)",
        "rate_limit(match=pay) & lost_request()",
        "rate_limit() & lost_request(match=pay)",
        "rate_limit() & null_result(0.5)",
        "rate_limit(0.5) & null_result(0.2)",
        "rate_limit(0.2) & rate_limit(0.5)",
        "rate_limit(share=0.5) & null_result()",
        "quota_exhausted(dose=permanent_from(2)) & null_result()",
        "rate_limit(dose=burst(2)) & null_result(dose=burst(2, at=2))",
        "quota_exhausted(match=read:*) & null_result()",
        'quota_exhausted(match="pay(amount=5)") & null_result(match=pay)',
        "latency() & null_result()",
        "null_result() & partial_result()",
        "wrong_tool() & null_result()",
        "empty_result() & null_result()",
        "rate_limit() & stale_read(dose=once_at(1))",
        "latency() & server_error(phase=post)",
        "duplicate_delivery() & lost_reply()",
        "connection_reset(phase=post) & doubled_step()",
        "late_reply() & lost_reply(dose=once_at(2))",
        "rate_limit() & typos(0.1)",
    ],
)
def test_faults_that_can_both_act_are_left_alone(condition: str) -> None:
    """Other calls, other trials, a part of a rate, a fault that only waits or changes: each has its chance."""
    assert told(condition) == []


@dataclass(frozen=True, slots=True)
class Sometimes(Fault):
    """Refuses some calls, and lets others pass."""

    phase: ClassVar[Phase] = Phase.PRE

    way: str = "dice"

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse or not."""
        refuses = {
            "dice": dice.uniform() < 0.5,
            "write": call.write,
            "ordinal": call.ordinal < 4,
            "argument": call.arguments.get("amount") == 5,
            "raises": bool(self.way == "raises" and call.arguments["amount"]),
        }[self.way]
        return Fail("refused", "403 Forbidden") if refuses else PROCEED


@dataclass(frozen=True, slots=True)
class ZLast(Fault):
    """Acts after upstream."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Refuse."""
        return Fail("down", "503 Service Unavailable")


@pytest.mark.parametrize("way", ["dice", "write", "ordinal", "argument", "raises"])
def test_fault_that_lets_calls_pass_excludes_nobody(way: str) -> None:
    """Whether a call is ended is asked of the fault, and one that may let it pass is given the benefit of the doubt."""
    assert told(Sometimes(way).at(1.0) & ZLast().at()) == []


def test_match_says_what_is_asked_about() -> None:
    """A fault that refuses writes ends every call of one that is about writes."""
    assert told(Sometimes("write").at(1.0) & ZLast().at(match="write:*"))
    assert told(Sometimes("argument").at(1.0) & ZLast().at(match="pay(amount=5)"))


DOSES = ("dose=once_at(1)", "dose=once_at(2)", "dose=burst(2)", "dose=permanent_from(2)", "dose=permanent_from(1)", "1")
PARTS = (
    "rate_limit",
    "lost_owner",
    "null_result",
    "server_error(phase=post",
    "latency(seconds=0.0",
    "lost_reply(hang=0.0",
)
MATCHES = ("*", "pay", "look", "p*")


def _text(part: str, dose: str, match: str) -> str:
    return f"{part}{', ' if '(' in part else '('}{dose}, match={match})" if dose != "1" else _rate(part, match)


def _rate(part: str, match: str) -> str:
    return f"{part}{', ' if '(' in part else '('}rate=1, match={match})"


async def _works(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools of a world
    for tool in ("pay", "look", "pay", "look", "look", "pay"):
        try:
            await tools.call(tool)
        except ToolError:
            continue
    return message


class Desk:
    """A world with two tools."""

    tools: ClassVar[Any] = {"pay": lambda: {"id": 1}, "look": lambda: {"id": 2}}


@given(st.tuples(*(st.tuples(*map(st.sampled_from, (PARTS, DOSES, MATCHES))) for _ in range(2))))
def test_what_is_told_never_to_act_never_acts(two: Any) -> None:  # noqa: ANN401 - drawn
    """THEOREM: a fault that is said never to act does not fire at any call of an agent that calls every tool often."""
    condition = Catalogue().condition(" & ".join(_text(*one) for one in two))
    (one, other) = condition.injections

    if told(condition) and one.fault.term.name != other.fault.term.name:
        fired = {event.fault for event in drive(suite_of(Desk), _works, under=(condition,), clean=False).trial.faults}
        assert other.fault.term.name not in fired
