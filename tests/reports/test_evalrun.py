"""Every row of the exchange format is as its published schema says, and says of the trial what the contract means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from passhat.faults import rate_limit
from passhat.model.answer import Answer, Usage
from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from passhat.reports import evalrun_lines
from passhat.reports.evalrun import INJECTED, PERTURBED, evalrun_row
from passhat.testing import GivesUp, HandsOff, NaiveRetrier, VerifyingRetrier
from tests.architecture.tree import PACKAGE
from tests.model.nouns import trials
from tests.recovery.desk import PAY, Lost, Wrong, trials_of
from tests.recovery.hand import call, fired, refused, trial
from tests.reports.summaries import refund_trial

# The contract as it was published: what a row must have, and the words that it has for some of it.
REQUIRED = {"taskId", "trial", "passed", "recoveryPath", "toolTrace"}
WORDS = {
    "perturbation": {"paraphrase", "reorder-tools", "rename-fields"},
    "inject": {"rate-limit", "5xx", "schema-drift", "partial-response"},
    "recoveryPath": {"none", "retry", "fallback", "user-handoff"},
}


@cache
def validator() -> Any:  # noqa: ANN401 - jsonschema has no types
    """The published schema."""
    schema = json.loads((PACKAGE / "reports" / "evalrun.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def row_of(made: Trial, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - the options of `evalrun_lines`
    """The row of one trial, as it is written and read; the schema accepts it."""
    (line,) = evalrun_lines([made], **more)
    row: dict[str, Any] = json.loads(line)
    validator().validate(row)
    return row


@given(trials)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_any_trial_makes_a_valid_row(made: Trial) -> None:
    """Whatever a trial holds, its row is one line of JSON that the schema accepts."""
    (line,) = evalrun_lines([made])

    assert line.isascii()
    assert "\n" not in line
    validator().validate(json.loads(line))


@pytest.mark.parametrize("agent", [NaiveRetrier, GivesUp, HandsOff])
@pytest.mark.parametrize("fault", [rate_limit(retry_after=0.0), Lost(), Wrong()], ids=lambda one: one.name)
def test_what_the_engine_makes_keeps_the_contract(agent: Any, fault: Any) -> None:  # noqa: ANN401 - parts
    """Real trials, clean and faulted, have every field of the contract, in its words."""
    for pair in trials_of(agent(tool="pay", arguments=PAY), [fault.at(0.5, match="pay")], trials=20):
        for made in pair:
            row = row_of(made)

            assert row.keys() >= REQUIRED
            assert row["recoveryPath"] in WORDS["recoveryPath"]
            assert all(step.keys() == {"step", "tool", "ok"} for step in row["toolTrace"])


def test_row_reads_as_the_contract_means_it() -> None:
    """The row of a refused call that was made again, whole."""
    made = trial(refused(1), call(2), faults=(fired(1, fault="rate_limit"),), index=3)
    row = row_of(made)
    own = row.pop("x_passhat")

    assert row == {
        "taskId": "t",
        "trial": 4,
        "inject": "rate-limit",
        "passed": True,
        "recoveryPath": "retry",
        "toolTrace": [{"step": 1, "tool": "pay", "ok": False}, {"step": 2, "tool": "pay", "ok": True}],
    }
    assert (own["outcome"], own["aftermath"], own["endState"]) == ("PASS", "recovered", "correct")
    assert own["faults"][0]["upstreamExecuted"] is False


def test_words_of_the_contract_are_its_own() -> None:
    """Our names map to the words that the contract has, and to all of them."""
    assert set(INJECTED.values()) == WORDS["inject"]
    assert set(PERTURBED.values()) == WORDS["perturbation"]


@pytest.mark.parametrize(
    ("condition", "wording"),
    [
        ("clean", None),
        ("paraphrase(0.5) & rate_limit(rate=0.2)", "paraphrase"),
        ("rate_limit(rate=0.2) & typos(0.05)", "typos"),
        ("reorder_tools()", "reorder-tools"),
        ("lost_reply(dose=once_at(1))", None),
        ("what another tool (called it", None),
    ],
)
def test_perturbation_is_read_from_the_condition(condition: str, wording: str | None) -> None:
    """A part without a dose is another wording; one that the contract has no word for keeps our name."""
    assert row_of(trial(condition=condition)).get("perturbation") == wording


def test_first_fault_is_injected_and_the_worst_path_counts() -> None:
    """With several faults `inject` is the first that fired, and `recoveryPath` the worst of theirs."""
    made = trial(
        refused(1),
        call(2),
        refused(3, "b"),
        faults=(fired(1, fault="lost_reply"), fired(3)),
        faults_planned=("server_error", "lost_reply"),
        outcome=Outcome.FAIL,
    )
    row = row_of(made)

    assert (row["inject"], row["recoveryPath"]) == ("lost_reply", "none")
    assert [one["path"] for one in row["x_passhat"]["recoveries"]] == ["retry", "none"]


def test_fault_that_never_fired_was_not_injected() -> None:
    """A plan alone injects nothing; it stands among what is our own."""
    row = row_of(trial(call(1), condition="rate_limit(dose=once_at(9))", faults_planned=("rate_limit",)))

    assert "inject" not in row
    assert row["x_passhat"]["planned"] == ["rate_limit"]
    assert row["recoveryPath"] == "none"


def test_absorbed_fault_maps_to_no_path() -> None:
    """The contract has no word for what a layer below the agent made up for; ours stands below `x_passhat`."""
    made = trial(refused(1), call(2, part_of=1), faults=(fired(1),), faults_planned=("server_error",))
    row = row_of(made)

    assert row["recoveryPath"] == "none"
    assert row["x_passhat"]["exposure"] == [
        {"fault": "server_error", "fate": "absorbed", "fired": 1, "seen": 0, "absorbed": 1, "reached": True}
    ]
    assert row["x_passhat"]["recoveries"][0]["absorbed"] is True


def test_absorbed_fault_has_no_say_in_the_path() -> None:
    """Beside one that the agent came past itself, the path is the agent's."""
    faults = (fired(1), fired(3, fault="lost_reply"))
    made = trial(refused(1), call(2, part_of=1), refused(3, "b"), call(4, "b"), faults=faults)

    assert row_of(made)["recoveryPath"] == "retry"


def test_row_says_what_it_took_beyond_the_clean_trial() -> None:
    """Calls and seconds, and tokens where both trials count them."""
    usage = [Answer("Done.", claims_success=True, usage=Usage(output_tokens=count)) for count in (10, 35)]
    clean = trial(call(1), seconds=1.0, answer=usage[0])
    struck = trial(refused(1), call(2), faults=(fired(1),), seconds=3.5, answer=usage[1])
    _, row = (json.loads(line) for line in evalrun_lines([clean, struck]))

    assert row["x_passhat"]["extra"] == {"calls": 1, "seconds": 2.5, "tokens": 25}


def test_void_row_has_no_passed() -> None:
    """What is no evidence did neither pass nor fail."""
    row = row_of(trial(outcome=Outcome.VOID, detail="the shop was shut"))

    assert "passed" not in row
    assert row["x_passhat"]["detail"] == "the shop was shut"


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT])
def test_every_other_outcome_did_not_pass(outcome: Outcome) -> None:
    """A crash and a time-out are the agent's: they count, as not passed."""
    assert row_of(trial(outcome=outcome))["passed"] is False


def test_rows_are_judged_beside_their_clean_trials() -> None:
    """What the clean trial of the same index did twice is due twice."""
    clean = trial(call(1), call(2))
    struck = trial(refused(1), call(2), call(3), faults=(fired(1),))
    alone = row_of(struck)
    _, beside = (json.loads(line) for line in evalrun_lines([clean, struck]))

    assert alone["x_passhat"]["aftermath"] == "silent_corruption"
    assert beside["x_passhat"]["aftermath"] == "recovered"
    assert alone["x_passhat"]["ledger"]["duplicates"] == [{"tool": "pay", "steps": [2, 3], "times": 2}]


def test_what_is_declared_is_used() -> None:
    """A declared tool for a person makes a hand-over."""
    made = trial(refused(1), call(2, "ring"), faults=(fired(1),), answer=Answer("Wait."), outcome=Outcome.FAIL)
    row = row_of(made, declared=Declared(handoff=("ring",)))

    assert row["recoveryPath"] == "user-handoff"
    assert row["x_passhat"]["handoff"] is True


def test_detectors_that_fired_stand_with_their_step() -> None:
    """A row says which detectors fire in its trial and from which step of its trace on; where none does, nothing."""
    storm = trial(*(refused(step) for step in range(1, 7)))
    polled = trial(*(call(step, "status", write=False) for step in range(1, 4)))

    assert row_of(storm)["x_passhat"]["onsets"] == {"loop": 3, "retry_storm": 5}
    assert row_of(polled)["x_passhat"]["onsets"] == {"loop": 3}
    assert "onsets" not in row_of(polled, declared=Declared(polling=("status",)))["x_passhat"]


GOOD = evalrun_row(refund_trial())


@pytest.mark.parametrize(
    "change",
    [
        {"trial": 0},
        {"recoveryPath": "absorbed"},
        {"passed": "yes"},
        {"passed": None},
        {"score": 1},
        {"toolTrace": [{"step": 1, "tool": "a"}]},
        {"x_passhat": {**GOOD["x_passhat"], "outcome": "VOID"}},
        {"x_passhat": {**GOOD["x_passhat"], "more": 1}},
        {"inject": ""},
    ],
    ids=str,
)
def test_schema_refuses_other_rows(change: Mapping[str, object]) -> None:
    """The schema is no formality: it refuses what the contract does not allow."""
    good = json.loads(json.dumps(GOOD))
    assert validator().is_valid(good)

    changed = {name: value for name, value in {**good, **change}.items() if value is not None}

    assert not validator().is_valid(json.loads(json.dumps(changed)))


def test_verifying_agents_row() -> None:
    """The careful agent of the corrupted cart: passed, by a look at the state."""
    agent = VerifyingRetrier(tool="pay", arguments=PAY, reading="payments")
    ((made, _),) = trials_of(agent, [Lost().at(match="pay")])
    row = row_of(replace(made, index=0))

    assert (row["passed"], row["inject"], row["recoveryPath"]) == (True, "lost", "fallback")
