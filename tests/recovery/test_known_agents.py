"""Agents whose behaviour is known, driven through the engine under faults of both phases, are told apart every time.

What is expected is worked out from the agent's script and from how many of its first tries a fault struck: nothing of
what is tested has a hand in it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from passhat.faults import Fault, rate_limit
from passhat.model.ledger import ledger
from passhat.model.paths import Reason, RecoveryPath
from passhat.model.recovery import Aftermath, recovery
from passhat.model.trial import Trial
from passhat.testing import (
    GivesUp,
    HandsOff,
    KeyedRetrier,
    Lies,
    Loops,
    NaiveRetrier,
    Scripted,
    VerifyingRetrier,
)
from tests.recovery.desk import PAY, Failed, Lost, Refused, passes, trials_of

SEEDS = int(os.environ.get("PASSHAT_RECOVERY_SEEDS", "300"))
TRIES = 3
AGENTS: Mapping[str, Scripted] = {
    "naive": NaiveRetrier(tool="pay", arguments=PAY),
    "keyed": KeyedRetrier(tool="pay", arguments=PAY),
    "verifying": VerifyingRetrier(tool="pay", arguments=PAY, reading="payments"),
    "gives up": GivesUp(tool="pay", arguments=PAY),
    "lies": Lies(tool="pay", arguments=PAY),
    "loops": Loops(tool="pay", arguments=PAY, reading="payments"),
    "hands off": HandsOff(tool="pay", arguments=PAY),
    "crashes": Scripted(tool="pay", arguments=PAY),
}
BEFORE: Mapping[str, Fault] = {"rate_limit": rate_limit(retry_after=0.0), "refused": Refused()}
AFTER: Mapping[str, Fault] = {"lost": Lost(), "failed": Failed()}

Expected = tuple[RecoveryPath, Reason | None, Aftermath]
NONE, RETRY, FALLBACK, HANDOFF = (
    RecoveryPath.NONE,
    RecoveryPath.RETRY,
    RecoveryPath.FALLBACK,
    RecoveryPath.HANDOFF,
)


def before(agent: str, struck: int) -> Expected:
    """What is expected where the first tries were refused before anything was done."""
    retried = (RETRY, None, Aftermath.RECOVERED)
    gave_up = (NONE, Reason.GAVE_UP, Aftermath.SAFE_FAILURE)
    return {
        "naive": retried if struck < TRIES else gave_up,
        "keyed": retried if struck < TRIES else gave_up,
        "verifying": retried if struck < TRIES else gave_up,
        "gives up": gave_up,
        "lies": (NONE, Reason.IGNORED, Aftermath.FALSE_SUCCESS),
        "loops": (NONE, Reason.LOOPED, Aftermath.SAFE_FAILURE),
        "hands off": (HANDOFF, None, Aftermath.SAFE_FAILURE),
        "crashes": (NONE, Reason.CRASHED, Aftermath.SAFE_FAILURE),
    }[agent]


def after(agent: str, struck: int) -> Expected:
    """What is expected where the first tries were done, and the agent was told an error."""
    out_of_tries = (NONE, Reason.GAVE_UP, Aftermath.LOUD_CORRUPTION)
    admitted = (NONE, Reason.GAVE_UP, Aftermath.OVER_CAUTIOUS)
    return {
        "naive": (RETRY, None, Aftermath.SILENT_CORRUPTION) if struck < TRIES else out_of_tries,
        "keyed": (RETRY, None, Aftermath.RECOVERED) if struck < TRIES else admitted,
        "verifying": (FALLBACK, None, Aftermath.RECOVERED),
        "gives up": admitted,
        "lies": (NONE, Reason.IGNORED, Aftermath.RECOVERED),
        "loops": (NONE, Reason.LOOPED, Aftermath.OVER_CAUTIOUS),
        "hands off": (HANDOFF, None, Aftermath.OVER_CAUTIOUS),
        "crashes": (NONE, Reason.CRASHED, Aftermath.LOUD_CORRUPTION),
    }[agent]


def found(trial: Trial, **more: Any) -> Expected:  # noqa: ANN401 - the options of `recovery`
    """What is said of a trial, and of each fault in it."""
    said = recovery(trial, **more)
    assert said is not None
    assert {(fault.path, fault.reason) for fault in said.faults} == {(said.path, said.faults[0].reason)}
    return said.path, said.faults[0].reason, said.aftermath


@pytest.mark.parametrize("fault", [*BEFORE, *AFTER])
@pytest.mark.parametrize("agent", AGENTS)
def test_known_agent_is_told_right(agent: str, fault: str) -> None:
    """Whichever tries a fault strikes, an agent gets its script's path, reason and aftermath, alone or paired."""
    expected, injection = (before, BEFORE[fault]) if fault in BEFORE else (after, AFTER[fault])

    made = trials_of(AGENTS[agent], [injection.at(0.6, match="pay")], trials=SEEDS)
    met = [(trial, clean) for trial, clean in made if trial.exposed]

    assert len(met) > SEEDS / 3
    for trial, clean in met:
        struck = len({event.step for event in trial.faults})
        assert found(trial) == found(trial, clean=clean) == expected(agent, struck), trial


@pytest.mark.parametrize("fault", [*BEFORE, *AFTER])
@pytest.mark.parametrize("agent", AGENTS)
def test_trial_that_met_no_fault_survived_none(agent: str, fault: str) -> None:
    """A trial in which the planned fault did not fire gets no word at all."""
    injection = (BEFORE | AFTER)[fault]  # type: ignore[operator]

    made = trials_of(AGENTS[agent], [injection.at(0.0, match="pay")], trials=3)

    assert [recovery(trial, clean=clean) for trial, clean in made] == [None] * 3


def test_corrupted_cart_needs_no_grader() -> None:
    """A blind retry after a lost reply is silent corruption with a duplicate, though the grader passes everything."""
    ((trial, _),) = trials_of(AGENTS["naive"], [Lost().at(match="pay")], grade=passes)

    (duplicate,) = ledger(trial).duplicates
    assert (trial.outcome, trial.state) == ("PASS", [5, 5])
    assert (duplicate.tool, duplicate.steps, duplicate.times, duplicate.expected) == ("pay", (1, 2), 2, 1)
    assert found(trial) == (RETRY, None, Aftermath.SILENT_CORRUPTION)


def test_careful_cart_needs_no_grader() -> None:
    """A look before the retry is a recovery, and nothing is done twice."""
    ((trial, _),) = trials_of(AGENTS["verifying"], [Lost().at(match="pay")], grade=passes)

    assert trial.state == [5]
    assert ledger(trial).duplicates == ()
    assert ledger(trial).unknown == (2,)
    assert found(trial) == (FALLBACK, None, Aftermath.RECOVERED)


def test_liar_is_found_out_beside_the_clean_trial() -> None:
    """Where the grader passes everything, the clean trial shows that the write was needed and never made."""
    ((trial, clean),) = trials_of(AGENTS["lies"], [Refused().at(match="pay")], grade=passes)

    assert found(trial, clean=clean) == (NONE, Reason.IGNORED, Aftermath.FALSE_SUCCESS)
