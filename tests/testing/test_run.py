"""The agents of known behaviour through the real engine: passhat sees of them what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, faults, graders
from passhat.model.base import Json
from passhat.model.dose import PermanentFrom, once_at
from passhat.model.trial import Evidence, Trial
from passhat.testing import (
    FlakyAgent,
    GivesUp,
    HandsOff,
    Lies,
    Loops,
    NaiveRetrier,
    Scripted,
    VerifyingRetrier,
)

PAY = {"amount": 5}


class Account:
    """A world: what was paid."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.paid: list[int] = []

    @property
    def tools(self) -> tuple[Any, ...]:
        """One that writes and one that reads."""
        return self.pay, self.payments

    def pay(self, *, amount: int) -> int:
        """Pay."""
        self.paid.append(amount)
        return amount

    def payments(self) -> list[int]:
        """What was paid."""
        return list(self.paid)

    def snapshot(self) -> Json:
        """The end state."""
        return list(self.paid)


def paid_once(evidence: Evidence) -> bool:
    """Pass where the account was charged once."""
    return evidence.state == [5]


def trial(agent: Scripted, folder: Path, *, forever: bool) -> Trial:
    """The one trial of *agent* where the first, or every, call of `pay` is refused."""
    suite = Suite(tasks=[Task("pay", "Please pay 5.")], world=Account, grader=graders.predicate(paid_once))
    refused = faults.rate_limit(retry_after=0.0).at(PermanentFrom(1) if forever else once_at(1), match="pay")
    run = passhat.run(suite, agent, under=[refused], clean=False, trials=1, store=str(folder / "passhat.db"))
    return next(iter(run.trials))


@pytest.mark.parametrize(
    ("agent", "once", "forever"),
    [
        (Scripted(tool="pay", arguments=PAY), "CRASH", "CRASH"),
        (NaiveRetrier(tool="pay", arguments=PAY), "PASS", "FAIL"),
        (VerifyingRetrier(tool="pay", arguments=PAY, reading="payments"), "PASS", "FAIL"),
        (GivesUp(tool="pay", arguments=PAY), "FAIL", "FAIL"),
        (Loops(tool="pay", arguments=PAY, reading="payments"), "FAIL", "FAIL"),
        (Lies(tool="pay", arguments=PAY), "FAIL", "FAIL"),
        (HandsOff(tool="pay", arguments=PAY), "FAIL", "FAIL"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Scripted) else value,
)
def test_outcome_follows_from_the_script(agent: Scripted, once: str, forever: str, tmp_path: Path) -> None:
    """Who retries survives one refusal, nobody survives a permanent one, and every fault is met."""
    trials = [trial(agent, tmp_path, forever=lasting) for lasting in (False, True)]

    assert [one.outcome.value for one in trials] == [once, forever]
    assert all(one.exposed for one in trials)


def test_claims_and_hand_overs_are_kept(tmp_path: Path) -> None:
    """What an agent says of itself stands in its trial, beside what it did."""
    liar = trial(Lies(tool="pay", arguments=PAY), tmp_path, forever=False)
    handing = trial(HandsOff(tool="pay", arguments=PAY), tmp_path, forever=False)

    assert liar.answer is not None
    assert handing.answer is not None
    assert (liar.answer.claims_success, liar.answer.handoff) == (True, False)
    assert (handing.answer.claims_success, handing.answer.handoff) == (False, True)


def test_flaky_agent_is_measured_as_it_is(tmp_path: Path) -> None:
    """Over 600 trials the measured rate is p, within four standard errors; its description is its label."""
    suite = Suite(tasks=[Task(f"task-{i}", "yes or no?", expect="yes") for i in range(3)], grader=graders.equals())

    run = passhat.run(suite, FlakyAgent(0.8), trials=200, seed=3, store=str(tmp_path / "passhat.db"))

    assert sum(run.trials.counts().passed) / 600 == pytest.approx(0.8, abs=4 * (0.16 / 600) ** 0.5)
    assert run.header.agent == "FlakyAgent(p=0.8, good='yes', bad='no')"
