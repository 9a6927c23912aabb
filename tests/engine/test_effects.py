"""Every effect of the closed set, before and after upstream: what the agent is told, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from passhat.errors import ToolError
from passhat.faults.base import Fault
from passhat.model.condition import Condition, Phase
from passhat.model.dice import Dice
from passhat.model.dose import PermanentFrom, once_at
from passhat.model.effect import PROCEED, Cut, Delay, Effect, Fail, Forward, Hang, Hold, Reply, Then
from passhat.model.ledger import ledger
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Call, Instead, Trial
from tests.engine.drive import drive, suite_of


@dataclass(frozen=True, slots=True)
class Before(Fault):
    """Decides one effect before upstream runs."""

    phase: ClassVar[Phase] = Phase.PRE

    effect: Any = None

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Decide it."""
        return self.effect() if callable(self.effect) else self.effect  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class After(Fault):
    """Decides one effect after upstream ran."""

    effect: Any = None

    def on_reply(self, call: Call, reply: Any, dice: Dice) -> Effect:  # noqa: ANN401 - any reply
        """Decide it."""
        return self.effect(reply) if callable(self.effect) else self.effect  # type: ignore[no-any-return]


def refuse(amount: int) -> None:
    """A tool that refuses."""
    raise ToolError("closed", f"the till is {'closed' if amount else 'empty'}")


class Till:
    """A world that counts what it was asked."""

    made: ClassVar[list[Till]] = []

    def __init__(self) -> None:
        self.paid = 0
        Till.made.append(self)

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """Two tools."""
        return {"pay": self.pay, "look": lambda: {"paid": self.paid}, "give_back": self.give_back, "refuse": refuse}

    def give_back(self, amount: int) -> dict[str, int]:
        """Pay back."""
        return self.pay(-amount)

    def pay(self, amount: int) -> dict[str, int]:
        """Pay."""
        self.paid += amount
        return {"paid": self.paid}

    def snapshot(self) -> int:
        """What was paid."""
        return self.paid


async def pays(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what it was told
    """An async agent that pays once and says what it was told."""
    try:
        return await tools.pay(amount=5)
    except ToolError as error:
        return [error.kind, error.message, error.retry_after]


def pays_blocking(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what it was told
    """The same agent, blocking."""
    try:
        return tools.pay(amount=5)
    except ToolError as error:
        return [error.kind, error.message, error.retry_after]


async def looks(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what it was told
    """An agent that just looks."""
    return await tools.look()


AGENTS = (pays, pays_blocking)


class PlayTill(Till):
    """A till with play money, which says so."""

    sandbox = True


def under(
    *faults: Fault, agent: Callable[..., Any] = pays, timeout: float = 20.0, world: type[Till] = PlayTill
) -> Trial:
    """The trial of an agent under these faults, each once at the first call."""
    condition = Condition(fault.at(once_at(1)) for fault in faults)
    return drive(suite_of(world), agent, under=(condition,), clean=False, timeout=timeout).trial


def told(trial: Trial) -> Any:  # noqa: ANN401 - what the agent was told
    """What the agent says that it was told."""
    assert trial.answer is not None
    return trial.answer.output


REFUSAL = Fail("down", "503 Service Unavailable", retry_after=3)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_failure_before_upstream_keeps_the_call_from_it(agent: Callable[..., Any]) -> None:
    """`Fail` before upstream: the agent sees the error, and nothing was paid."""
    trial = under(Before(REFUSAL), agent=agent)

    assert told(trial) == ["down", "503 Service Unavailable", 3]
    assert trial.state == 0
    (call,), (event,) = trial.trace, trial.faults
    assert (call.executed, call.upstream, call.ok) == (0, None, False)
    assert (event.phase, event.upstream_executed, event.agent_visible, event.effect) == (Phase.PRE, False, True, "fail")
    assert (event.tool, event.ordinal, event.step) == ("pay", 1, 1)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_failure_after_upstream_loses_the_reply(agent: Callable[..., Any]) -> None:
    """`Fail` after upstream: the agent sees the error, and all the same it was paid, once."""
    trial = under(After(REFUSAL), agent=agent)

    assert told(trial) == ["down", "503 Service Unavailable", 3]
    assert trial.state == 5
    (call,), (event,) = trial.trace, trial.faults
    assert (call.executed, call.upstream, call.ok) == (1, {"paid": 5}, False)
    assert (event.phase, event.upstream_executed, event.agent_visible) == (Phase.POST, True, True)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_reply_before_upstream_stands_in_for_it(agent: Callable[..., Any]) -> None:
    """`Reply` before upstream: the agent sees a reply that no tool gave."""
    trial = under(Before(Reply({"paid": 99})), agent=agent)

    assert told(trial) == {"paid": 99}
    assert trial.state == 0
    assert (trial.trace[0].reply, trial.trace[0].executed) == ({"paid": 99}, 0)
    assert (trial.faults[0].effect, trial.faults[0].upstream_executed) == ("reply", False)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_reply_after_upstream_changes_what_the_agent_sees(agent: Callable[..., Any]) -> None:
    """`Reply` after upstream: the trace keeps both what the agent was told and what upstream said."""
    trial = under(After(lambda reply: Reply({"paid": reply["paid"] * 2})), agent=agent)

    assert told(trial) == {"paid": 10}
    assert trial.state == 5
    (call,) = trial.trace
    assert (call.reply, call.upstream, call.executed) == ({"paid": 10}, {"paid": 5}, 1)
    assert trial.faults[0].upstream_executed


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_reply_equal_to_upstreams_has_not_fired(agent: Callable[..., Any]) -> None:
    """A fault that gives back the reply that it was given is no event: the trial was not exposed."""
    trial = under(After(Reply), agent=agent)

    assert trial.faults == ()
    assert not trial.exposed
    assert trial.trace[0].upstream is None
    assert trial.faults_planned == ("after",)


def test_reply_that_only_python_calls_equal_has_fired() -> None:
    """1 and True, or 5 and 5.0, are different replies where the agent reads JSON."""
    trial = under(After(lambda reply: Reply({"paid": float(reply["paid"])})))

    assert trial.exposed
    assert isinstance(told(trial)["paid"], float)


def test_reply_that_is_no_json_is_left_as_it_is() -> None:
    """A fault that changes nothing leaves even a tool's own object alone, and has not fired."""

    class Registry(Till):
        @property
        def tools(self) -> dict[str, Callable[..., Any]]:
            return {"pay": lambda amount: (amount, {amount})}

    async def agent(message: str, tools: Tools) -> str:
        return type(await tools.pay(amount=5)).__name__

    condition = Condition([After(Reply).at(once_at(1))])
    trial = drive(suite_of(Registry), agent, under=(condition,), clean=False).trial

    assert told(trial) == "tuple"
    assert not trial.exposed


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_proceeding_is_no_event(agent: Callable[..., Any]) -> None:
    """A fault that lets the call pass has not fired."""
    assert under(Before(PROCEED), After(PROCEED), agent=agent).faults == ()


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("fault", [Before(Delay(0.0)), After(Delay(0.0))], ids=["pre", "post"])
def test_delay_lets_the_call_through(fault: Fault, agent: Callable[..., Any]) -> None:
    """`Delay` changes no reply; it is an event."""
    trial = under(fault, agent=agent)

    assert told(trial) == {"paid": 5}
    assert [(event.effect, event.phase) for event in trial.faults] == [("delay", fault.phase)]


# Long enough for an agent on a busy machine to get as far as its call.
_LIMIT = 0.5


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_delay_beyond_the_limit_is_a_timeout(agent: Callable[..., Any]) -> None:
    """An agent that waits for a slow tool until its time is over has timed out, and the trial was exposed."""
    trial = under(Before(Delay(3600.0)), agent=agent, timeout=_LIMIT)

    assert trial.outcome is Outcome.TIMEOUT
    assert [event.effect for event in trial.faults] == ["delay"]
    assert trial.state == 0


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize(("fault", "paid"), [(Before(Hang()), 0), (After(Hang()), 5)], ids=["pre", "post"])
def test_hang_lasts_until_the_trial_ends(fault: Fault, paid: int, agent: Callable[..., Any]) -> None:
    """`Hang`: nothing comes back; the event, the call and whether upstream ran are kept."""
    trial = under(fault, agent=agent, timeout=_LIMIT)

    assert trial.outcome is Outcome.TIMEOUT
    assert trial.state == paid
    (call,), (event,) = trial.trace, trial.faults
    assert (call.ok, call.executed) == (False, bool(paid))
    assert (event.effect, event.upstream_executed) == ("hang", bool(paid))


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_forward_makes_upstream_do_it_again(agent: Callable[..., Any]) -> None:
    """`Forward`: upstream gets the call several times, the agent sees the last reply."""
    trial = under(Before(Forward(3)), agent=agent)

    assert told(trial) == {"paid": 15}
    assert trial.state == 15
    assert trial.trace[0].executed == 3
    assert [event.effect for event in trial.faults] == ["forward"]


def test_forward_of_what_upstream_refuses_has_not_fired() -> None:
    """What is refused the first time is not sent again, so nothing happened that would not have happened anyway."""

    class Closed(PlayTill):
        """A till that is closed."""

        def pay(self, amount: int) -> dict[str, int]:
            """Refuse."""
            raise ToolError("closed", "409 Conflict: the till is closed")

    trial = under(Before(Forward(3)), world=Closed)

    assert told(trial) == ["closed", "409 Conflict: the till is closed", None]
    assert trial.trace[0].executed == 1
    assert trial.faults == ()


def test_forward_needs_a_sandbox() -> None:
    """A world that does not call itself a sandbox is not made to do what nobody asked for: the trial is void."""
    trial = under(Before(Forward(3)), world=Till)

    assert trial.outcome is Outcome.VOID
    assert "sandbox = True" in trial.detail
    assert trial.state in (None, 0)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_forward_to_another_tool_makes_that_one_run(agent: Callable[..., Any]) -> None:
    """`Forward` with a tool: that one runs, with the arguments that the fault names, and its reply is what is told."""
    trial = under(Before(Forward(1, "give_back", {"amount": 2})), agent=agent)

    assert told(trial) == {"paid": -2}
    assert trial.state == -2
    (call,), (event,) = trial.trace, trial.faults
    assert (call.tool, call.arguments, call.executed) == ("pay", {"amount": 5}, 0)
    assert call.instead == Instead(tool="give_back", arguments={"amount": 2}, executed=1)
    assert (call.reply, call.upstream) == ({"paid": -2}, {"paid": -2})
    assert (event.effect, event.phase, event.upstream_executed, event.agent_visible) == ("forward", "pre", False, True)
    assert event.detail == "give_back ran instead"
    found = ledger(trial)
    assert (found.believed, found.unasked, found.changed) == ((1,), (1,), (1,))
    assert found.harm


def test_forward_to_another_tool_may_repeat_it() -> None:
    """Where one fault sends a call elsewhere and another repeats it, the other tool runs as often."""

    class Twice(Before):
        """Repeats."""

    trial = under(Before(Forward(1, "give_back")), Twice(Forward(2)))

    assert trial.state == -10
    assert trial.trace[0].instead == Instead(tool="give_back", arguments={"amount": 5}, executed=2)
    assert ledger(trial).duplicates[0].times == 2


def test_other_tool_that_refuses_has_done_nothing() -> None:
    """The error of the tool that ran instead reaches the agent, and nobody believes in anything."""
    trial = under(Before(Forward(1, "refuse")))

    assert told(trial) == ["closed", "the till is closed", None]
    found = ledger(trial)
    assert (found.believed, found.unasked, found.unknown) == ((), (), ())


def test_other_tool_that_only_reads_writes_nothing() -> None:
    """A read that ran instead of a write is no effect; that the write was done is believed all the same."""

    class Declared(PlayTill):
        """A till that says what only looks."""

        reads = ("look",)

    trial = under(Before(Forward(1, "look", {})), world=Declared)

    assert trial.trace[0].instead == Instead(tool="look", arguments={}, executed=1, write=False)
    assert (ledger(trial).believed, ledger(trial).unasked) == ((1,), ())


def test_forward_to_no_tool_says_which_there_are() -> None:
    """A fault that names a tool that the world does not have says nothing about the agent."""
    trial = under(Before(Forward(1, "lok")))

    assert trial.outcome is Outcome.VOID
    assert trial.detail == "before: there is no tool called 'lok': did you mean look?"


def test_label_of_a_repeated_call_is_true_afterwards() -> None:
    """A call that was repeated has run, and the agent saw it where the second reply is another than the first."""
    (seen,), (unseen,) = under(Before(Forward(2))).faults, under(Before(Forward(2)), agent=looks).faults

    assert (seen.phase, seen.upstream_executed, seen.agent_visible) == (Phase.POST, True, True)
    assert (unseen.phase, unseen.upstream_executed, unseen.agent_visible) == (Phase.POST, True, False)


def test_label_of_a_delay_says_whether_upstream_ran_in_the_end() -> None:
    """A call that was kept waiting before upstream and then ran has run; one that then failed has not."""
    (ran,) = under(Before(Delay(0.0))).faults
    (waited, _) = under(Before(Then(Delay(0.0), REFUSAL))).faults

    assert (ran.phase, ran.upstream_executed) == (Phase.PRE, True)
    assert (waited.phase, waited.upstream_executed) == (Phase.PRE, False)


def test_label_of_a_change_that_was_taken_back_is_that_nobody_saw_it() -> None:
    """Where a second fault restores upstream's own reply, the agent was told nothing else than without them."""

    class Alpha(After):
        """Comes first, by its name."""

    class Beta(After):
        """Comes second."""

    trial = under(Alpha(Reply("nonsense")), Beta(Reply({"paid": 5})))

    assert [(event.effect, event.agent_visible) for event in trial.faults] == [("reply", False), ("reply", False)]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_then_does_one_after_the_other(agent: Callable[..., Any]) -> None:
    """`Then`: both effects happen, in their order, and both are events."""
    trial = under(Before(Then(Delay(0.0), REFUSAL)), agent=agent)

    assert told(trial) == ["down", "503 Service Unavailable", 3]
    assert [event.effect for event in trial.faults] == ["delay", "fail"]


def test_faults_are_applied_by_phase() -> None:
    """A fault before upstream comes before one after it, whatever their names."""
    trial = under(After(REFUSAL), Before(Delay(0.0)))

    assert [event.effect for event in trial.faults] == ["delay", "fail"]
    assert trial.state == 5


def test_each_fault_sees_the_reply_that_the_one_before_left() -> None:
    """Faults after upstream build on each other."""

    class Alpha(After):
        """Comes first, by its name."""

    class Beta(After):
        """Comes second."""

    first, second = Alpha(lambda reply: Reply([reply, "first"])), Beta(lambda reply: Reply([reply, "second"]))

    assert told(under(second, first)) == [[{"paid": 5}, "first"], "second"]


def _raises(*_: object) -> Effect:
    raise ValueError("a bug in the fault")


def _quits(*_: object) -> Effect:
    raise SystemExit(3)


BROKEN: dict[str, Fault] = {
    "quits before": Before(_quits),
    "quits after": After(_quits),
    "no JSON": After(lambda _: Reply(object())),  # type: ignore[arg-type]
    "raises before": Before(_raises),
    "raises after": After(_raises),
    "nothing": Before(lambda: None),
    "text": After(lambda _: "fail"),
    "class": Before(lambda: Hang),
    "forward after": After(Forward(2)),
    "forward of nothing": Before(Forward(0)),
    "forward of a word": Before(lambda: Forward("twice")),  # type: ignore[arg-type]
    "forward of a word's arguments": Before(lambda: Forward(1, "look", "x")),  # type: ignore[arg-type]
    "cut after": After(Cut(1)),
    "cut of a negative number": Before(Cut(-1)),
    "hold before": Before(Hold(1, 0.0)),
    "hold for nothing": After(Hold(0, 0.0)),
    "hold for ever": After(Hold(1, float("inf"))),
    "negative delay": Before(Delay(-1.0)),
    "delay of a word": Before(lambda: Delay("long")),  # type: ignore[arg-type]
    "rubbish in then": Before(lambda: Then(Delay(0.0), "rubbish")),  # type: ignore[arg-type]
    "failure without words": Before(lambda: Fail(None, None)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_fault_voids_the_trial(name: str, agent: Callable[..., Any]) -> None:
    """A fault that breaks its contract says nothing about the agent: VOID, whatever the agent made of it."""
    trial = under(BROKEN[name], agent=agent)

    assert trial.outcome is Outcome.VOID
    assert any(word in trial.detail for word in ("before", "after"))


def test_broken_fault_voids_although_the_agent_swallows_it() -> None:
    """An agent that catches everything does not hide a broken fault."""

    async def agent(message: str, tools: Tools) -> str:
        try:
            await tools.pay(amount=5)
        except Exception:  # noqa: BLE001 - a test's agent that swallows everything
            return "all is well"
        return "done"

    assert under(BROKEN["raises before"], agent=agent).outcome is Outcome.VOID


def test_match_limits_a_fault_to_its_tools() -> None:
    """A fault with `match` leaves other tools alone, and counts its own calls only."""

    async def agent(message: str, tools: Tools) -> list[Any]:
        said = []
        for name in ("look", "pay", "look", "pay"):
            try:
                said.append(await tools.call(name, **({"amount": 1} if name == "pay" else {})))
            except ToolError as error:
                said.append(error.kind)
        return said

    condition = Condition([Before(REFUSAL).at(once_at(2), match="pa*")])
    trial = drive(suite_of(Till), agent, under=(condition,), clean=False).trial

    assert told(trial) == [{"paid": 0}, {"paid": 1}, {"paid": 1}, "down"]
    assert [(event.tool, event.ordinal, event.step) for event in trial.faults] == [("pay", 2, 4)]


def test_fault_sees_the_trace_so_far() -> None:
    """A fault gets the calls before this one, as the agent saw them."""
    seen: list[Call] = []

    @dataclass(frozen=True, slots=True)
    class Watching(Fault):
        """Watches."""

        def on_call(self, call: Call, dice: Dice) -> Effect:
            """Remember the call."""
            seen.append(call)
            return PROCEED

    async def agent(message: str, tools: Tools) -> str:
        await tools.pay(amount=1)
        await tools.look()
        await tools.pay(amount=2)
        return "done"

    drive(suite_of(Till), agent, under=(Condition([Watching().at(PermanentFrom(1))]),), clean=False)

    assert [(call.tool, call.ordinal, len(call.history)) for call in seen] == [
        ("pay", 1, 0),
        ("look", 1, 1),
        ("pay", 2, 2),
    ]
    assert seen[2].history[0].reply == {"paid": 1}


def test_fault_cannot_change_the_agents_world() -> None:
    """A fault gets copies: what it does to a reply or an argument reaches neither upstream nor the agent."""

    @dataclass(frozen=True, slots=True)
    class Meddling(Fault):
        """Meddles."""

        def on_call(self, call: Call, dice: Dice) -> Effect:
            """Change the arguments."""
            call.arguments["amount"] = 100  # type: ignore[index]
            return PROCEED

        def on_reply(self, call: Call, reply: Any, dice: Dice) -> Effect:  # noqa: ANN401 - any reply
            """Change the reply."""
            reply["paid"] = 100
            return PROCEED

    trial = under(Meddling())

    assert told(trial) == {"paid": 5}
    assert trial.state == 5


def test_parallel_calls_under_a_fault_keep_their_ordinals() -> None:
    """Calls made at the same time are counted one by one, so a fault at the second call hits just one of them."""

    async def agent(message: str, tools: Tools) -> list[Any]:
        said = await asyncio.gather(*(tools.pay(amount=1) for _ in range(3)), return_exceptions=True)
        return [getattr(one, "kind", "ok") for one in said]

    condition = Condition([Before(REFUSAL).at(once_at(2))])
    trial = drive(suite_of(Till), agent, under=(condition,), clean=False).trial

    assert told(trial) == ["ok", "down", "ok"]
    assert [call.step for call in trial.trace] == [1, 2, 3]
