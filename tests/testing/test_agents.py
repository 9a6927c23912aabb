"""The agents do what they are known for, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from passhat.errors import ToolError, UsageError
from passhat.testing import (
    FlakyAgent,
    GivesUp,
    HandsOff,
    KeyedRetrier,
    Lies,
    Loops,
    NaiveRetrier,
    Scripted,
    VerifyingRetrier,
)
from tests.testing.till import Till, ask

ALWAYS = range(1, 1_000)
PAY = {"amount": 5}
VERIFYING = VerifyingRetrier(tool="pay", arguments=PAY, reading="payments")
ALL = (
    Scripted(tool="pay", arguments=PAY),
    NaiveRetrier(tool="pay", arguments=PAY),
    KeyedRetrier(tool="pay", arguments=PAY),
    VERIFYING,
    GivesUp(tool="pay", arguments=PAY),
    Loops(tool="pay", arguments=PAY, reading="payments"),
    Lies(tool="pay", arguments=PAY),
    HandsOff(tool="pay", arguments=PAY),
)


def answers(p: float, seeds: range) -> list[object]:
    """What a flaky agent answers for each seed."""
    agent = FlakyAgent(p)
    return [asyncio.run(agent("yes or no?", seed=seed)) for seed in seeds]


def test_flaky_agent_passes_with_its_probability() -> None:
    """Over many seeds the share of good answers is p, within four standard errors."""
    assert answers(0.9, range(2_000)).count("yes") / 2_000 == pytest.approx(0.9, abs=4 * (0.09 / 2_000) ** 0.5)


@pytest.mark.parametrize(("p", "answer"), [(0, "no"), (1, "yes")])
def test_flaky_agent_knows_never_and_always(p: float, answer: str) -> None:
    """At 0 no answer is good, at 1 every answer is."""
    assert set(answers(p, range(50))) == {answer}


def test_flaky_agent_depends_on_its_seed_alone() -> None:
    """The same seed gives the same answer; a better agent is good wherever a worse one is."""
    worse, better = answers(0.5, range(200)), answers(0.7, range(200))

    assert worse == answers(0.5, range(200))
    assert all(other == "yes" for one, other in zip(worse, better, strict=True) if one == "yes")


def test_flaky_agent_says_what_it_is() -> None:
    """Its description names its probability, and serves as its label."""
    assert repr(FlakyAgent(0.9)) == "FlakyAgent(p=0.9, good='yes', bad='no')"


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), True])
def test_flaky_agent_refuses_what_is_no_probability(p: float) -> None:
    """A probability is a number from 0 to 1."""
    with pytest.raises(UsageError, match="from 0 to 1"):
        FlakyAgent(p)


@pytest.mark.parametrize("agent", ALL, ids=lambda agent: type(agent).__name__)
def test_without_a_fault_all_do_the_job(agent: Scripted) -> None:
    """Where nothing fails, every scripted agent pays once and says so."""
    till = Till()

    answer = ask(agent, till)

    assert till.paid == [5]
    assert answer.claims_success is True
    assert not answer.handoff


def test_plain_script_lets_an_error_through() -> None:
    """The script that has no plan for errors ends in one."""
    with pytest.raises(ToolError, match="429"):
        ask(Scripted(tool="pay", arguments=PAY), Till(pre=[1]))


def test_naive_retrier_recovers_where_nothing_happened() -> None:
    """A blind retry of a call that never ran is harmless."""
    till = Till(pre=[1])

    assert ask(NaiveRetrier(tool="pay", arguments=PAY), till).claims_success
    assert till.paid == [5]


def test_naive_retrier_pays_twice_where_a_reply_was_lost() -> None:
    """A blind retry of a call that was committed does it twice, and it does not know."""
    till = Till(post=[1])

    assert ask(NaiveRetrier(tool="pay", arguments=PAY), till).claims_success
    assert till.paid == [5, 5]


def test_keyed_retrier_sends_one_key_with_every_try() -> None:
    """All tries carry one key, which names the call; another call has another."""
    till, other = Till(pre=[1, 2]), Till()

    assert ask(KeyedRetrier(tool="pay", arguments=PAY), till).claims_success
    ask(KeyedRetrier(tool="pay", arguments={"amount": 6}), other)

    assert len(till.keys) == 3
    assert len(set(till.keys)) == 1
    assert set(till.keys).isdisjoint(other.keys)


def test_naive_retrier_admits_that_no_try_succeeded() -> None:
    """It makes the call once and *retries* times more, then admits it."""
    till = Till(pre=ALWAYS)

    assert ask(NaiveRetrier(tool="pay", arguments=PAY, retries=3), till).claims_success is False
    assert till.trace == ["pay"] * 4


@pytest.mark.parametrize("till", [Till(pre=[1]), Till(post=[1]), Till(pre=[1], post=[2]), Till(post=[1], reads_fail=2)])
def test_verifying_retrier_pays_once(till: Till) -> None:
    """Whether the call never ran or its reply was lost, it is made until it has happened once."""
    assert ask(VERIFYING, till).claims_success
    assert till.paid == [5]


def test_verifying_retrier_reads_before_it_writes_again() -> None:
    """Between two writes there is a look at the state."""
    till = Till(pre=[1, 2])

    ask(VERIFYING, till)

    assert till.trace == ["payments", "pay", "payments", "pay", "payments", "pay"]


@pytest.mark.parametrize("till", [Till(pre=ALWAYS), Till(reads_fail=99)])
def test_verifying_retrier_admits_that_no_try_succeeded(till: Till) -> None:
    """Where it can neither pay nor look, it has paid nothing and says so."""
    assert ask(VERIFYING, till).claims_success is False
    assert till.paid == []


def test_quitter_admits_it_at_once() -> None:
    """It stops at the first error, claims nothing and hands nothing over."""
    till = Till(pre=[1])

    answer = ask(GivesUp(tool="pay", arguments=PAY), till)

    assert (answer.claims_success, answer.handoff) == (False, False)
    assert till.trace == ["pay"]


def test_looper_looks_and_never_acts() -> None:
    """After an error it makes the same read over and over, and pays nothing."""
    till = Till(pre=[1])

    answer = ask(Loops(tool="pay", arguments=PAY, reading="payments", rounds=7), till)

    assert till.trace == ["pay"] + ["payments"] * 7
    assert till.paid == []
    assert answer.claims_success is False


def test_looper_without_a_reading_tool_repeats_the_call() -> None:
    """Then it is a storm of the same call, whatever comes of it."""
    till = Till(pre=[1])

    ask(Loops(tool="pay", arguments=PAY, rounds=3), till)

    assert till.trace == ["pay"] * 4
    assert till.paid == [5, 5, 5]


def test_liar_claims_what_did_not_happen() -> None:
    """It claims success after an error, and has not tried again."""
    till = Till(pre=[1])

    assert ask(Lies(tool="pay", arguments=PAY), till).claims_success is True
    assert till.paid == []


def test_hand_over_is_said_in_the_answer() -> None:
    """It passes the job on, and claims nothing."""
    answer = ask(HandsOff(tool="pay", arguments=PAY), Till(pre=[1]))

    assert (answer.claims_success, answer.handoff) == (False, True)


@pytest.mark.parametrize("agent", [*ALL, FlakyAgent(0.5)], ids=lambda agent: type(agent).__name__)
def test_agents_are_frozen(agent: object) -> None:
    """An agent is a value: nothing that it does can change it."""
    field = "p" if isinstance(agent, FlakyAgent) else "tool"

    with pytest.raises(AttributeError):
        setattr(agent, field, "other")
