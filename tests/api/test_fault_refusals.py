"""Faults that cannot be as they were planned: refused in a sentence before any world or store is made."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import passhat
from passhat import Suite, Task, faults, graders
from passhat.errors import UsageError
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.condition import Injection, Phase
from passhat.model.dice import Dice
from passhat.model.dose import Burst, PermanentFrom, once_at
from passhat.model.effect import PROCEED, Cut, Delay, Effect, Fail, Forward, Hold, Reply, Then
from passhat.model.trial import Call


def never() -> object:
    """A world that must not be made."""
    raise AssertionError("a refused run makes no world")


SUITE = Suite(tasks=[Task("pay", "Pay 5.", expect="paid")], grader=graders.contains(), world=never, name="till")


async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools of a world
    """Say so."""
    return f"paid {message} {tools}"


def problems(*under: Any, **options: Any) -> list[str]:  # noqa: ANN401 - what `run` takes
    """The sentences with which a run under these conditions is refused."""
    with pytest.raises(UsageError) as caught:
        passhat.run(SUITE, agent, under=list(under), **{"store": "/nonexistent/never-opened.db", **options})
    assert all("\n" not in problem for problem in caught.value.problems)
    return list(caught.value.problems)


@dataclass(frozen=True, slots=True)
class WrongWord(Fault):
    """Its phase is a word of its own."""

    phase: ClassVar[Any] = "before"

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Nothing."""
        return PROCEED


@dataclass(frozen=True, slots=True)
class PlainText(WrongWord):
    """Its phase is a text where it should be a Phase."""

    phase: ClassVar[Any] = "pre"


@dataclass(frozen=True, slots=True)
class Forgot(Fault):
    """Refuses a call, and leaves the phase as it was."""

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse."""
        return Fail("refused", "403 Forbidden")


@dataclass(frozen=True, slots=True)
class TooLate(Fault):
    """Changes the reply of an upstream that never ran."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Change it."""
        return Reply(None)


@dataclass(frozen=True, slots=True)
class LateToo(faults.RateLimit):
    """Decides in both places, and has one phase."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Change it."""
        return Reply(None)


@dataclass(frozen=True, slots=True)
class Idle(Fault):
    """Decides nothing."""


@dataclass(frozen=True, slots=True)
class Waits(Fault):
    """Would have to be awaited."""

    async def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:  # type: ignore[override]
        """Change it."""
        return Reply(None)


@dataclass(frozen=True, slots=True)
class Yields(Fault):
    """Is a generator."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Iterator[Effect]:  # type: ignore[override]
        """Change it."""
        yield Reply(None)


@dataclass(frozen=True, slots=True)
class YieldsLater(Fault):
    """Is an async generator."""

    async def on_reply(self, call: Call, reply: Json, dice: Dice) -> AsyncIterator[Effect]:  # type: ignore[override]
        """Change it."""
        yield Reply(None)


@dataclass(frozen=True, slots=True)
class Elsewhere(Forgot):
    """Lives where this agent is not."""

    phase: ClassVar[Phase] = Phase.PRE
    surfaces: ClassVar[frozenset[str]] = frozenset({"mcp", "http"})


@dataclass(frozen=True, slots=True)
class OneWord(Elsewhere):
    """Names its surface without a set."""

    surfaces: ClassVar[Any] = "python_tools"


class Raises(Forgot):
    """Does not say what its phase is."""

    @property
    def phase(self) -> Phase:
        """Raise."""
        raise RuntimeError("no idea")


CONTRACTS: dict[str, tuple[Fault, str]] = {
    "a word": (
        WrongWord(),
        "wrong_word: its phase is 'before', which is none: let it be Phase.PRE (upstream never runs)",
    ),
    "a text": (PlainText(), "plain_text: its phase is 'pre', which is none: let it be Phase.PRE"),
    "no phase": (
        Forgot(),
        "forgot: its phase is post, but it decides in on_call, before upstream: let it be Phase.PRE",
    ),
    "pre, on the reply": (TooLate(), "too_late: its phase is pre, but it decides in on_reply, after upstream"),
    "pre, on both": (LateToo(), "late_too: its phase is pre, but it decides in on_reply, after upstream"),
    "nothing": (Idle(), "idle: it decides nothing: give it on_call"),
    "async": (Waits(), "waits: its on_reply is async or has a 'yield', and a fault decides at once"),
    "generator": (Yields(), "yields: its on_reply is async or has a 'yield'"),
    "async generator": (YieldsLater(), "yields_later: its on_reply is async or has a 'yield'"),
    "another surface": (Elsewhere(), "elsewhere meets an agent through http or mcp, and agent "),
    "no set": (
        OneWord(),
        "one_word: its surfaces are a set of names, such as {'python_tools'}, not 'python",
    ),
    "raises": (Raises(), "raises: what it says of itself raises RuntimeError: no idea"),
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_fault_that_cannot_be_is_refused(name: str) -> None:
    """A fault whose class contradicts itself is refused, with what to write instead."""
    fault, sentence = CONTRACTS[name]

    (problem,) = problems(fault.at())

    assert problem.startswith(sentence)


def test_fault_of_two_conditions_is_told_once() -> None:
    """What is wrong with a class is wrong in each of its conditions, and said once."""
    assert len(problems(Idle().at(), Idle().at(0.5), Idle().at() & Waits().at())) == 2


def limited(**how: Any) -> Injection:  # noqa: ANN401 - what `at` takes
    """A rate limit at this dose."""
    return faults.rate_limit().at(**how)


DOSES: dict[str, tuple[Any, str]] = {
    "call 0": ("rate_limit(dose=once_at(0))", "once_at: calls are counted from 1, not 0"),
    "burst of 0": ("rate_limit(dose=burst(0))", "burst: it is 1 call at the least, not 0"),
    "burst at 0": ("rate_limit(dose=burst(2, at=0))", "burst: calls are counted from 1, not 0"),
    "permanent from 0": ("rate_limit(dose=permanent_from(0))", "permanent_from: calls are counted from 1, not 0"),
    "rate above 1": ("rate_limit(1.5)", "a rate is a number from 0 to 1, not 1.5"),
    "rate below 0": ("rate_limit(-0.5)", "a rate is a number from 0 to 1, not -0.5"),
    "no share": ("rate_limit(share=0)", "rate_limit: a share of trials is above 0 and at most 1, not 0.0"),
    "share of none": (limited(share=0.04), "a share of 0.04 of 10 trials is no trial: plan 13 trials or more"),
    "call too late": (limited(dose=once_at(2_001)), "a trial keeps its first 2,000 calls, and call 2,001 comes after"),
    "burst too late": (limited(dose=Burst(3, 5_000)), "and call 5,000 comes after"),
    "state too late": (limited(dose=PermanentFrom(9_999)), "and call 9,999 comes after"),
}


@pytest.mark.parametrize("name", DOSES)
def test_dose_that_no_trial_can_meet_is_refused(name: str) -> None:
    """A dose or a share that nothing could fulfil is refused in the words in which it was written."""
    under, sentence = DOSES[name]

    (problem,) = problems(under, trials=10)

    assert sentence in problem


def test_last_call_that_is_kept_can_be_met() -> None:
    """The bound of a dose is the number of calls that a trial keeps."""
    assert not [one for one in problems(limited(dose=once_at(2_000)), trials=0) if "comes after" in one]


def test_smallest_share_that_is_one_trial() -> None:
    """As many trials as the sentence asks for are enough."""
    assert not [one for one in problems(limited(share=0.04), trials=13, timeout=0) if "is no trial" in one]
    assert [one for one in problems(limited(share=0.04), trials=12, timeout=0) if "is no trial" in one]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Injection(faults.rate_limit(), 0.2), "rate_limit: 0.2 is no dose: write .at(0.2)"),  # type: ignore[arg-type]
        (lambda: Injection("rate_limit", once_at(1)), "an injection holds a fault, such as faults.rate_limit(), not"),  # type: ignore[arg-type]
        (lambda: Injection(faults.RateLimit, once_at(1)), "an injection holds a fault"),  # type: ignore[arg-type]
    ],
)
def test_injection_of_something_else_is_refused(make: Any, sentence: str) -> None:  # noqa: ANN401 - a case
    """Who builds an injection by hand is told what goes into it."""
    with pytest.raises(UsageError) as refused:
        make()

    assert str(refused.value).startswith(sentence)


def test_all_comes_at_once() -> None:
    """One try shows the problems of classes, of doses, and of faults that exclude each other."""
    found = problems(Idle().at(), limited(share=0.01), "rate_limit() & lost_request()", trials=10)

    words = ("decides nothing", "is no trial", "can never act")
    assert [any(word in problem for problem in found) for word in words] == [True, True, True]
    assert len(found) == 3


@dataclass(frozen=True, slots=True)
class Dozes(Fault):
    """Sleeps instead of saying that the reply is late, at some calls."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Sleep before a write is answered."""
        if call.write:
            time.sleep(3600)
        return PROCEED


def test_fault_that_waits_is_refused_before_it_does() -> None:
    """It would hold up every trial beside it; the sentence says what to give instead."""
    assert problems(Dozes()) == [
        "dozes: it waits (time.sleep), and a fault decides at once: give Delay(seconds) or Hang()"
    ]


@dataclass(frozen=True, slots=True)
class Decides(Fault):
    """Gives what it was told to, and ends no call."""

    gives: Any = None

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Nothing before upstream."""
        return PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Give it."""
        return self.gives  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Before(Decides):
    """The same, before upstream."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Give it."""
        return self.gives  # type: ignore[no-any-return]

    on_reply = Fault.on_reply


@dataclass(frozen=True, slots=True)
class Doubts(Decides):
    """Does not say whether a call concerns it."""

    def concerns(self, call: Call) -> bool:
        """Neither yes nor no."""
        return "perhaps"  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Narrow(Decides):
    """Concerns no made-up call."""

    def concerns(self, call: Call) -> bool:
        """Only what the world alone can have."""
        return call.tool == "the_one"


@dataclass(frozen=True, slots=True)
class Refuses(Decides):
    """Ends every call before there is a reply."""

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse."""
        return Fail("refused", "403 Forbidden")


@dataclass(frozen=True, slots=True)
class Quits(Decides):
    """Ends the process, if it can."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Quit."""
        raise SystemExit(3)


@dataclass(frozen=True, slots=True)
class Speaks(Fault):
    """Puts what it was told to in the place of messages."""

    surfaces: ClassVar[frozenset[str]] = frozenset({"messages"})
    gives: Any = None

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        """Give it."""
        return self.gives  # type: ignore[no-any-return]


IMPOSSIBLE: dict[str, tuple[Fault, str]] = {
    "nothing": (Decides(), "decides: its on_reply gives None, which is no effect"),
    "nothing before": (Before(), "before: its on_call gives None, which is no effect"),
    "back in time": (Decides(Delay(-1.0)), "decides: its on_reply gives Delay(seconds=-1.0"),
    "for no time": (Before(Delay(float("nan"))), "before: its on_call gives Delay(seconds=nan"),
    "hold before": (Before(Hold(1, 1.0)), "before: its on_call gives Hold(calls=1, seconds=1.0), which cannot happen"),
    "forward after": (Decides(Forward(2)), "decides: its on_reply gives Forward(times=2"),
    "cut after": (Decides(Then(Delay(0.0), Cut(1))), "decides: its on_reply gives Cut(after=1"),
    "no JSON": (Decides(Reply(object())), "decides: its on_reply gives a Reply that is not JSON: "),  # type: ignore[arg-type]
    "no answer": (Doubts(PROCEED), "doubts: its concerns gives 'perhaps', not True or False"),
    "no list": (Speaks(Reply("all")), "speaks: its on_messages gives Reply(value='all', basis='') for messages, where"),
    "no messages": (Speaks(Reply([object()])), "speaks: its on_messages gives messages that are not JSON: "),  # type: ignore[list-item]
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_decision_that_cannot_be_carried_out_is_refused(name: str) -> None:
    """What a fault decides about any call is known before the first trial, and would make every trial void."""
    fault, sentence = IMPOSSIBLE[name]

    found = problems(fault, timeout=0)

    assert [one for one in found if one.startswith(sentence)]


@pytest.mark.parametrize("fault", [Narrow(), Refuses(), Quits()], ids=lambda fault: fault.term.name)
def test_decision_that_may_never_be_asked_for_is_not_judged(fault: Fault) -> None:
    """Nothing is said of calls that do not concern a fault, that it has ended before, or at which it raises."""
    assert not [one for one in problems(fault, timeout=0) if fault.term.name in one]
