"""Recovery and the ledger as metrics: over the trials that met a fault, beside their clean ones."""

from __future__ import annotations

import re

import pytest

from passhat.metrics import Ledger, Recovery, measure
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.summary import Estimate, Summary
from passhat.model.trial import Instead, Trial
from passhat.stats import clopper_pearson
from passhat.testing import NaiveRetrier, VerifyingRetrier
from tests.metrics.whole import whole
from tests.recovery.desk import PAY, Lost, trials_of
from tests.recovery.hand import SORRY, call, fired, refused, trial

FAULT = "server_error(dose=once_at(1))"


def estimate(summary: Summary, metric: str, condition: str = FAULT) -> Estimate:
    """What the suite's row says."""
    row = summary.suite_row(condition)
    found = None if row is None else row.get(metric)
    assert found is not None
    return found


def recovered(index: int) -> Trial:
    """A refused call that was made again."""
    return trial(refused(1), call(2), faults=(fired(1),), index=index)


def given_up(index: int) -> Trial:
    """A refused call after which the agent stopped."""
    return trial(refused(1), faults=(fired(1),), index=index, outcome=Outcome.FAIL, answer=SORRY)


def unharmed(index: int, *, outcome: Outcome = Outcome.PASS) -> Trial:
    """A trial under the condition in which no fault fired."""
    return trial(call(1), index=index, condition=FAULT, outcome=outcome)


RUN = whole(
    *(trial(call(1), index=i, outcome=Outcome.FAIL if i == 3 else Outcome.PASS) for i in range(6)),
    recovered(0),
    recovered(1),
    given_up(2),
    given_up(3),
    unharmed(4),
    unharmed(5, outcome=Outcome.VOID),
)


def test_shares_are_of_exposed_trials() -> None:
    """A trial in which the planned fault did not fire is in no denominator, nor is a void one."""
    found = estimate(measure(RUN, metrics=[Recovery()]), "recovered_share")

    assert (found.value, found.c, found.n) == (0.5, 2, 4)
    assert (found.low, found.high) == pytest.approx(clopper_pearson(2, 4, confidence=0.95))
    assert found.method == "share of 4 trials in which the agent saw a fault, pooled over tasks; Clopper-Pearson"


def test_classes_and_paths_add_up() -> None:
    """Every exposed trial has one aftermath and one path."""
    row = measure(RUN, metrics=[Recovery()]).suite_row(FAULT)
    assert row is not None
    values = {one.metric: one.value or 0 for one in row.estimates}

    classes = ("recovered", "over_cautious", "safe_failure", "false_success", "silent_corruption", "loud_corruption")
    assert sum(values[f"{name}_share"] for name in classes) == 1
    assert sum(values[f"{name}_share"] for name in ("retry", "fallback", "handoff", "no_path")) == 1
    assert (values["safe_failure_share"], values["retry_share"]) == (0.5, 0.5)


def test_resilience_is_held_against_clean_passes() -> None:
    """Of the exposed trials whose clean trial of the same task and index passed, the share that pass."""
    found = estimate(measure(RUN, metrics=[Recovery()]), "resilience")

    assert found.value == pytest.approx(2 / 3)
    assert (found.c, found.n) == (2, 3)


def test_costs_say_over_what_they_are() -> None:
    """Amplification is a mean over exposed trials, calls and seconds medians over the faults that were made up for."""
    summary = measure(RUN, metrics=[Recovery()])

    assert estimate(summary, "amplification").value == 1.5
    assert estimate(summary, "recovery_calls").value == 1
    assert estimate(summary, "recovery_seconds").value == 1
    assert estimate(summary, "recovery_seconds").method == "median over 2 faults; no interval"


def test_condition_without_a_fault_says_why_there_is_nothing() -> None:
    """Where no fault fired there is no share, and the reason says so."""
    summary = measure(RUN, metrics=[Recovery()])

    assert estimate(summary, "silent_corruption_share", "clean").reason == (
        "silent_corruption_share: there are no trials in which a fault fired"
    )
    assert estimate(summary, "recovery_calls", "clean").value is None


def test_planned_fired_and_seen_are_told_apart() -> None:
    """Of the trials that planned a fault some met it, and of those some were told something else for it."""
    planned = ("server_error",)
    unseen = trial(call(1), faults=(fired(1, effect="delay", agent_visible=False),), faults_planned=planned, index=1)
    missed = [trial(call(1), condition=FAULT, faults_planned=planned, index=index) for index in (2, 3)]
    idle = trial(call(1), condition=FAULT, index=4)
    summary = measure(whole(recovered(0), unseen, *missed, idle), metrics=[Recovery()])
    counts = {name: estimate(summary, name) for name in ("exposed_share", "landed_share", "seen_share")}

    assert {name: (one.c, one.n) for name, one in counts.items()} == {
        "exposed_share": (2, 4),
        "landed_share": (2, 4),
        "seen_share": (1, 2),
    }


def absorbed(index: int, *, done: int = 0) -> Trial:
    """A call that was made again below the agent; where the first was *done*, that did it twice."""
    first = refused(1, executed=done, upstream="ok" if done else None)
    return trial(first, call(2, part_of=1), faults=(fired(1),), faults_planned=("server_error",), index=index)


def test_what_a_layer_below_made_up_for_is_no_recovery() -> None:
    """It is in no share of the agent's recoveries and paths, and has a share of its own."""
    summary = measure(whole(recovered(0), given_up(1), absorbed(2), absorbed(3)), metrics=[Recovery()])
    counts = {name: estimate(summary, name) for name in ("recovered_share", "no_path_share", "absorbed_share")}

    assert {name: (one.c, one.n) for name, one in counts.items()} == {
        "recovered_share": (1, 2),
        "no_path_share": (1, 2),
        "absorbed_share": (2, 4),
    }


def test_harm_counts_whoever_saw_it() -> None:
    """A payment that the client made twice by itself is silent corruption, though the agent never heard of a fault."""
    summary = measure(whole(recovered(0), absorbed(1, done=1)), metrics=[Recovery()])
    found = estimate(summary, "silent_corruption_share")

    assert (found.c, found.n, found.examples) == (1, 2, (("t", 1),))
    assert estimate(summary, "recovered_share").n == 1


def test_fault_that_no_call_came_for_is_never_reached() -> None:
    """It is told apart from one that calls came for and that did not fire."""
    planned = ("server_error",)
    late = "server_error(dose=once_at(2))"
    made = [
        trial(call(1), refused(2), condition=late, faults=(fired(2),), faults_planned=planned),
        trial(call(1), condition=late, faults_planned=planned, index=1),
        trial(call(1), call(2), condition=late, faults_planned=planned, index=2),
    ]
    found = estimate(measure(whole(*made), metrics=[Recovery()]), "unreached_share", late)

    assert (found.c, found.n) == (1, 3)


def paid(index: int, *, tokens: int | None, condition: str = FAULT) -> tuple[Trial, Trial]:
    """A trial that recovered after one more call and two more seconds, and its clean one."""
    usage = [
        None if tokens is None else Usage(input_tokens=base, output_tokens=10) for base in (100, 100 + (tokens or 0))
    ]
    answers = [Answer("Done.", claims_success=True, usage=one) for one in usage]
    clean = trial(call(1), index=index, answer=answers[0], seconds=1.0)
    struck = trial(
        refused(1), call(2), faults=(fired(1),), index=index, answer=answers[1], seconds=3.0, condition=condition
    )
    return clean, struck


def test_cost_of_recovery_is_held_against_the_clean_trial() -> None:
    """Calls, seconds and tokens beyond the clean trial of the same index: the median, with an interval."""
    pairs = [paid(index, tokens=tokens) for index, tokens in enumerate((50, 10, 40, 20, 60, 30, 700))]
    summary = measure(whole(*(one for pair in pairs for one in pair)), metrics=[Recovery()])
    tokens = estimate(summary, "extra_tokens")

    assert (tokens.value, tokens.low, tokens.high, tokens.n) == (40, 10, 700, 7)
    assert tokens.method == (
        "median of 7 trials in which the agent saw a fault and recovered, beside a clean trial that passed; "
        "from the ranks of the sign test"
    )
    assert (estimate(summary, "extra_calls").value, estimate(summary, "extra_seconds").value) == (1, 2)


def test_few_trials_have_a_median_and_no_interval() -> None:
    """Below six there is none at 95 %, and the method says so."""
    summary = measure(whole(*paid(0, tokens=50)), metrics=[Recovery()])
    tokens = estimate(summary, "extra_tokens")

    assert (tokens.value, tokens.low, tokens.high) == (50, None, None)
    assert tokens.method.endswith("; no interval: too few for one")


def test_tokens_that_nobody_counted_are_no_number() -> None:
    """Where the agent does not say what it took there is a reason, and it says how to tell."""
    summary = measure(whole(*paid(0, tokens=None)), metrics=[Recovery()])

    assert estimate(summary, "extra_tokens").value is None
    assert estimate(summary, "extra_tokens").reason == (
        "extra_tokens: not both trials of a pair say how many tokens they took: Answer(usage=Usage(…)) does"
    )
    assert estimate(summary, "extra_calls").value == 1


def test_cost_without_a_recovery_says_why_there_is_none() -> None:
    """Who gave up has not recovered, whatever it cost."""
    summary = measure(whole(trial(call(1)), given_up(0)), metrics=[Recovery()])

    assert estimate(summary, "extra_tokens").reason == (
        "extra_tokens: there are no trials in which the agent saw a fault and recovered, beside a clean trial that "
        "passed"
    )


def test_silent_corruptions_and_duplicates_are_named() -> None:
    """Their estimates hold the first three trials by task and index; the other shares hold none."""
    twice = trials_of(NaiveRetrier(tool="pay", arguments=PAY), [Lost().at(match="pay")], trials=4)
    summary = measure(whole(*(one for pair in twice for one in pair)), metrics=[Ledger(), Recovery()])
    row = summary.suite_row(twice[0][0].condition)
    assert row is not None
    named = {one.metric: [index for _, index in one.examples] for one in row.estimates if one.examples}

    assert named == {"duplicate_share": [0, 1, 2], "silent_corruption_share": [0, 1, 2]}


def test_detected_is_of_changed_replies() -> None:
    """Only trials in which a reply was changed can notice that."""
    wrong = call(1, "look", write=False, reply=7, upstream=5)
    again = call(2, "look", write=False)
    event = (fired(1, effect="reply"),)
    run = whole(trial(wrong, again, faults=event), trial(wrong, faults=event, index=1), given_up(2))
    found = estimate(measure(run, metrics=[Recovery()]), "detected_share")

    assert (found.value, found.c, found.n) == (0.5, 1, 2)


def test_ledger_counts_what_was_done_unasked() -> None:
    """The share of trials in which another tool wrote in the place of the one that was called."""
    stray = call(1, executed=0, instead=Instead(tool="cancel", arguments={"amount": 5}))
    event = (fired(1, effect="forward"),)
    run = whole(trial(stray, faults=event), trial(call(1), faults=event, index=1))
    found = estimate(measure(run, metrics=[Ledger()]), "unasked_effect_share")

    assert (found.value, found.c, found.n) == (0.5, 1, 2)


def test_ledger_counts_what_was_done_twice() -> None:
    """The share of trials with a duplicate, and how many effects too many there are in a trial."""
    twice = trials_of(NaiveRetrier(tool="pay", arguments=PAY), [Lost().at(match="pay")], trials=4)
    run = whole(*(clean for _, clean in twice), *(struck for struck, _ in twice))
    condition = twice[0][0].condition
    summary = measure(run, metrics=[Ledger(), Recovery()])

    assert estimate(summary, "duplicate_share", condition).value == 1
    assert estimate(summary, "duplicate_effects", condition).value == 1
    assert estimate(summary, "unknown_effect_share", condition).value == 1
    assert estimate(summary, "duplicate_share", "clean").value == 0
    assert estimate(summary, "silent_corruption_share", condition).value == 1
    assert estimate(summary, "resilience", condition).value == 0


def test_careful_agent_leaves_no_trace_in_the_ledger() -> None:
    """The verifying one does nothing twice, and recovers every time."""
    agent = VerifyingRetrier(tool="pay", arguments=PAY, reading="payments")
    made = trials_of(agent, [Lost().at(match="pay")], trials=4)
    run = whole(*(clean for _, clean in made), *(struck for struck, _ in made))
    summary = measure(run, metrics=[Ledger(), Recovery()])

    assert estimate(summary, "duplicate_share", made[0][0].condition).value == 0
    assert estimate(summary, "recovered_share", made[0][0].condition).value == 1
    assert estimate(summary, "fallback_share", made[0][0].condition).value == 1


def test_one_of_a_kind_is_no_many() -> None:
    """Where a number stands on one trial, fault or effect, its words say so."""
    doubled = trial(call(1, executed=2), faults=(fired(1, effect="forward"),))
    run = whole(trial(call(1), index=1), recovered(0)), whole(trial(call(1), index=1), doubled)
    methods = [
        one.method
        for each in run
        for row in measure(each, metrics=[Recovery(), Ledger()]).rows
        for one in row.estimates
    ]

    assert {"median over 1 fault; no interval", "1 effect too many in 1 trial with tool calls; no interval"} <= set(
        methods
    )
    assert "share of 1 trial in which a fault fired, pooled over tasks; Clopper-Pearson" in methods
    assert [text for text in methods if re.search(r"\b1 (trials|faults|effects)\b", text)] == []
