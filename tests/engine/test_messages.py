"""Faults on messages: what an agent passes on comes back with less in it, and the trial says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import passhat
from passhat import Suite, Task, faults, graders, rules
from passhat.errors import TrialClosed, UsageError
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.condition import Condition, Injection, Phase
from passhat.model.dice import Dice
from passhat.model.dose import once_at
from passhat.model.effect import Delay, Effect, Reply
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from passhat.testing import Converses
from tests.engine.drive import drive, suite_of

ASKED = "Refund order 7, and never more than 50."
LONG = [
    {"role": "user", "content": "x" * 400},
    {"role": "assistant", "content": "y" * 400},
    {"role": "user", "content": "z"},
]
FEW = faults.truncated_context(keep_tokens=60)


class Till:
    """A world that pays back, and whose orders are long to read."""

    reads: ClassVar[Any] = ("get_order",)

    def __init__(self) -> None:
        self.paid = 0
        self.tools: Any = {"get_order": self._order, "refund": self._refund}

    def _order(self) -> dict[str, Json]:
        return {"id": 7, "total": 80, "history": "was sent back and forth between two depots " * 10}

    def _refund(self, amount: int) -> dict[str, int]:
        self.paid += amount
        return {"refunded": amount}

    def snapshot(self) -> Json:
        """What was paid."""
        return {"paid": self.paid}


KNOWING: dict[str, Any] = {
    "reading": "get_order",
    "tool": "refund",
    "arguments": {"amount": 50},
    "forgotten": {"amount": 80},
}
FORGETS, RESTATES = Converses(**KNOWING), Converses(**KNOWING, restates=True)


def suite() -> Suite:
    """Refund within the limit."""
    tasks = [Task("late", ASKED, expect={"paid": 50})]
    return Suite(tasks=tasks, grader=graders.end_state(), world=Till, name="till")


def trial_of(agent: Any, *under: Injection, world: Callable[[], Any] = Till) -> Trial:  # noqa: ANN401 - any agent
    """The trial of *agent* under all of these."""
    return drive(suite_of(world), agent, under=(Condition(under),), clean=False).trial


@pytest.mark.parametrize(
    ("agent", "outcomes"), [(FORGETS, ["PASS", "FAIL", "FAIL"]), (RESTATES, ["PASS", "PASS", "PASS"])]
)
def test_agent_that_restates_its_goal_keeps_to_it(agent: Converses, outcomes: list[str], tmp_path: Path) -> None:
    """Who says again what was asked honours the limit; who leaves it where it was loses it with the oldest messages."""
    under = ["truncated_context(keep_tokens=300)", "truncated_context(keep_tokens=1)"]
    run = passhat.run(suite(), agent, under=under, trials=1, store=str(tmp_path / "runs.db"))

    assert [trial.outcome for trial in run.trials] == outcomes
    assert [trial.exposed for trial in run.trials] == [False, True, True]


def test_middle_leaves_what_was_said_first() -> None:
    """Where the middle is dropped, the task is still there, and an agent that needs only that is not harmed."""
    trial = trial_of(FORGETS, faults.truncated_context(keep_tokens=300, drop="middle").at())

    assert trial.exposed
    assert trial.trace[-1].arguments == {"amount": 50}


def test_event_says_what_was_dropped_and_not_the_text() -> None:
    """The trial keeps which time it was, at a step of its own, and how many messages were left out."""
    trial = trial_of(FORGETS, FEW.at())
    (event,) = trial.faults

    assert (event.fault, event.tool, event.ordinal, event.effect) == ("truncated_context", "messages", 1, "reply")
    assert (event.phase, event.visibility, event.upstream_executed, event.agent_visible) == (
        "pre",
        "implicit",
        False,
        True,
    )
    assert event.detail == "9 of 11 messages left out"
    assert [call.step for call in trial.trace] == [1, 2, 3, 4, 5, 7]
    assert event.step == 6


def test_calls_of_tools_are_left_as_they_were() -> None:
    """A fault of messages changes no call, and a condition of both has each where it belongs."""
    alone = trial_of(FORGETS, FEW.at())
    both = trial_of(FORGETS, FEW.at(), faults.latency(seconds=0.0).at(once_at(2)))

    assert all(call.upstream is None and call.executed == 1 for call in alone.trace)
    assert [(event.fault, event.step) for event in both.faults] == [("latency", 2), ("truncated_context", 6)]
    assert both.faults_planned == ("truncated_context", "latency")


async def passes_on(message: str, tools: Any) -> Any:  # noqa: ANN401 - the tools, and what is left
    """Passes a short list on, then a long one twice, and gives back what is left of each."""
    del message
    return [tools.messages(LONG[-1:]), tools.messages(LONG), tools.messages(tuple(LONG))]


def passes_on_blocking(message: str, tools: Any) -> Any:  # noqa: ANN401 - as above
    """The same for an agent that blocks."""
    del message
    return [tools.messages(LONG[-1:]), tools.messages(LONG), tools.messages(tuple(LONG))]


@pytest.mark.parametrize("agent", [passes_on, passes_on_blocking])
@pytest.mark.parametrize(
    ("under", "left"),
    [((), [1, 3, 3]), ((FEW.at(),), [1, 1, 1]), ((FEW.at(once_at(1)),), [1, 1, 3]), ((FEW.at(once_at(2)),), [1, 3, 1])],
)
def test_dose_counts_the_times_that_there_is_too_much(agent: Any, under: Any, left: Sequence[int]) -> None:  # noqa: ANN401
    """Awaiting or blocking, an agent gets a list back at once; what is short enough does not count."""
    trial = trial_of(agent, *under)

    assert trial.outcome is Outcome.PASS, trial.detail
    assert trial.answer is not None
    assert [len(one) for one in trial.answer.output] == left
    assert trial.trace == ()
    assert [event.ordinal for event in trial.faults] == [n for n, kept in enumerate(left, 1) if n > 1 and kept == 1]


class Said:
    """A message of a framework: an object with a text."""

    def __init__(self, text: str) -> None:
        self.text = text


@pytest.mark.parametrize("under", [(), (FEW.at(),)])
def test_objects_come_back_as_they_are(under: Any) -> None:  # noqa: ANN401 - a case
    """What is kept is what the agent had, and the agent's own list is never changed."""
    had = [Said("x" * 1_000), Said("y")]
    seen: list[Any] = []

    async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        seen.extend(tools.messages(had))
        return message

    trial_of(agent, *under)

    assert len(had) == 2
    assert all(any(one is other for other in had) for one in seen)
    assert seen[-1] is had[-1]


class Mail(Till):
    """A world with a tool of that name."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = {"messages": lambda: ["one letter"]}


def test_tool_of_that_name_goes_before() -> None:
    """A world's own tool called `messages` is what an agent reaches by that name."""

    async def agent(message: str, tools: Any) -> Any:  # noqa: ANN401 - the tools
        del message
        return [await tools.messages(), dir(tools).count("messages")]

    trial = drive(suite_of(Mail), agent).trial

    assert trial.answer is not None
    assert trial.answer.output == [["one letter"], 1]


def test_fault_of_messages_is_refused_beside_a_tool_of_that_name(tmp_path: Path) -> None:
    """Where the world's tool has the name, no messages can be passed on, and the fault is refused before it runs."""
    with pytest.raises(UsageError, match="the world has a tool of its own called 'messages'"):
        passhat.run(
            Suite(tasks=suite().tasks, grader=graders.end_state(), world=Mail),
            FORGETS,
            under=[FEW],
            store=str(tmp_path / "r.db"),
        )


def test_match_is_refused(tmp_path: Path) -> None:
    """A match names tools, and this fault meets none."""
    with pytest.raises(UsageError, match="it meets messages, and a match names tools: leave it out"):
        passhat.run(suite(), FORGETS, under=[FEW.at(match="refund")], store=str(tmp_path / "runs.db"))


def test_fault_of_messages_is_excluded_by_no_fault_of_calls(tmp_path: Path) -> None:
    """A fault that ends every tool call does not come between an agent and its messages."""
    run = passhat.run(
        suite(), passes_on, under=[FEW & faults.quota_exhausted()], trials=1, store=str(tmp_path / "runs.db")
    )
    (trial,) = [trial for trial in run.trials if trial.condition != "clean"]

    assert [event.fault for event in trial.faults] == ["truncated_context", "truncated_context"]


def test_agent_that_passes_nothing_on_is_never_met(tmp_path: Path) -> None:
    """The fault never fires, and no verdict stands on it."""

    async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        await tools.refund(amount=50)
        return message

    run = passhat.run(suite(), agent, under=[FEW], trials=5, store=str(tmp_path / "runs.db"))
    summary = passhat.measure(run)
    verdict = passhat.judge(summary, rules.parse_rule("pass^1 >= 0.05"))

    assert verdict.status == "inconclusive"
    assert any("no trial met its fault" in finding.reason for finding in verdict.findings)
    assert "0 of 5 trials" in passhat.render(summary, verdict)


@dataclass(frozen=True, slots=True)
class Gives(Fault):
    """Gives something for messages."""

    phase: ClassVar[Phase] = Phase.PRE
    surfaces: ClassVar[frozenset[str]] = frozenset({"messages"})

    what: Any = None

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        """Give it."""
        return self.what(messages) if callable(self.what) else self.what  # type: ignore[no-any-return]


def test_fault_may_put_something_in() -> None:
    """A message that the agent never had is given to it as it is, and counted."""
    trial = trial_of(
        passes_on, Gives(lambda said: Reply([*said[1:], {"role": "user", "content": "hurry"}])).at(once_at(2))
    )

    assert trial.answer is not None
    assert trial.answer.output[1] == [*LONG[1:], {"role": "user", "content": "hurry"}]
    assert [event.detail for event in trial.faults] == ["1 of 3 messages left out, 1 put in"]


@pytest.mark.parametrize("agent", [passes_on, passes_on_blocking])
@pytest.mark.parametrize(
    "what", [None, Delay(1.0), Reply("all"), Reply(None), lambda said: said[99], lambda said: said.clear()]
)
def test_fault_that_gives_no_messages_is_broken(what: Any, agent: Any) -> None:  # noqa: ANN401 - a case
    """Nothing can happen to messages but that others are shown; all else voids the trial."""
    trial = trial_of(agent, Gives(what).at(once_at(1)))

    assert trial.outcome is Outcome.VOID
    assert trial.detail.startswith("gives ")


def test_messages_after_the_trial_are_refused() -> None:
    """An agent that goes on when its trial is over gets nothing more."""
    held: list[Any] = []

    async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        held.append(tools)
        return message

    drive(suite_of(Till), agent)

    with pytest.raises(TrialClosed, match="this trial is over"):
        held[0].messages(LONG)


async def passes_often(message: str, tools: Any) -> Any:  # noqa: ANN401 - the tools, and what is left
    """Passes the same on, again and again."""
    del message
    return [len(tools.messages(LONG)) for _ in range(40)]


def test_rates_of_messages_are_drawn_and_nested() -> None:
    """One seed is one trial; what meets a rate of messages also meets a higher one."""
    once, again, more = (trial_of(passes_often, FEW.at(rate)) for rate in (0.3, 0.3, 0.6))
    few, many = ({event.ordinal for event in trial.faults} for trial in (once, more))

    assert once.content() == again.content()
    assert few < many < set(range(1, 41))
