"""Trials that are one trial seen often, and outcomes that drift, are found, told of, and no evidence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from passhat.metrics import Independence, measure
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.summary import Estimate, Summary
from passhat.model.trial import ToolCall, Trial
from passhat.model.verdict import Status
from passhat.rules import judge, parse_rule, require_independent
from tests.metrics.runs import CLEAN, run_of
from tests.metrics.whole import whole

SAID = Answer("yes", usage=Usage(input_tokens=12, output_tokens=3))
CALL = ToolCall(step=1, tool="refund", arguments={"order": 7}, reply="ok")


def trial(index: int, *, task: str = "t", outcome: Outcome = Outcome.PASS, answer: Answer | None = SAID) -> Trial:
    """A trial that calls one tool, at a time of its own."""
    trace = (replace(CALL, at=index / 7, seconds=index / 9),)
    return Trial(
        task_id=task, task_digest="", condition=CLEAN, index=index, outcome=outcome, answer=answer, trace=trace
    )


def share(run: Run) -> Estimate:
    """The share of tasks whose trials are identical."""
    row = measure(run, metrics=[Independence()]).suite_row(CLEAN)
    assert row is not None
    found = row.get("identical_share")
    assert found is not None
    return found


def alike(tasks: int, trials: int) -> list[Trial]:
    """Trials that differ in nothing but their times."""
    return [trial(index, task=f"t{number}") for index in range(trials) for number in range(tasks)]


def warned(summary: Summary) -> list[str]:
    """The warnings about independence."""
    return [text for text in summary.warnings if "seen" in text or "drift_p" in text]


def test_times_make_no_difference() -> None:
    """Answer, trace and usage are compared; when a call was made, and how long it took, is not."""
    found = share(whole(*alike(2, 10)))

    assert (found.value, found.c, found.n) == (1.0, 2, 2)


@pytest.mark.parametrize(
    "other",
    [
        replace(trial(9), answer=replace(SAID, output="no")),
        replace(trial(9), answer=replace(SAID, usage=Usage(input_tokens=12, output_tokens=4))),
        replace(trial(9), answer=replace(SAID, claims_success=True)),
        replace(trial(9), trace=(CALL, CALL)),
        replace(trial(9), trace=(replace(CALL, reply="not ok"),)),
        replace(trial(9), calls_left_out=1),
        replace(trial(9), outcome=Outcome.CRASH, answer=None),
    ],
)
def test_one_trial_that_differs_is_enough(other: Trial) -> None:
    """In whichever of the three it differs."""
    assert share(whole(*(trial(index) for index in range(9)), other)).value == 0.0


def test_void_trials_do_not_count() -> None:
    """What the surroundings spoiled is no sign of independence, and none against it."""
    void = trial(9, outcome=Outcome.VOID, answer=None)

    assert share(whole(*(trial(index) for index in range(9)), void)).value == 1.0


def test_trials_without_an_answer_are_like_nothing() -> None:
    """Crashes say nothing that could be compared."""
    crashes = [trial(index, outcome=Outcome.CRASH, answer=None) for index in range(5)]

    assert share(whole(*crashes)).value == 0.0


def test_one_trial_a_task_tells_nothing() -> None:
    """There is no share then, but the reason why."""
    assert share(whole(trial(0))).reason == "identical_share: no task has two trials that count"


def test_reading_ends_where_nothing_is_left_to_tell() -> None:
    """Once no task can have identical trials alone, the others are not read: at a hundred tasks two rounds do."""
    trials = [
        trial(index, task=f"t{number}", answer=Answer(f"{index}")) for index in range(50) for number in range(100)
    ]
    run = whole(*trials)
    read: list[Trial] = []

    class Counted:
        """The trials, noted as they are read."""

        counts, strips, get = run.trials.counts, run.trials.strips, run.trials.get

        def __iter__(self) -> Iterator[Trial]:
            """Every trial."""
            for one in run.trials:
                read.append(one)
                yield one

    assert share(Run(run.header, Counted())).value == 0.0
    assert len(read) == 200


def test_warning_counts_the_tasks() -> None:
    """It names the first of them, and says how many trials may be one."""
    trials = [*alike(3, 10), *(trial(index, task="u", answer=Answer(index)) for index in range(10))]

    told = "under clean all trials of 3 of 4 tasks are identical in answer, trace and usage (the first: 't0'): "
    assert warned(measure(whole(*trials))) == [f"{told}these 10 trials may be 1 trial seen 10 times"]


def test_conditions_share_a_warning() -> None:
    """Thirty conditions make no thirty lines."""
    both = [one for each in alike(1, 4) for one in (each, replace(each, condition="typos(0.1)"))]

    assert [text.split(" all")[0] for text in warned(measure(whole(*both)))] == ["under clean and 1 more condition"]


def test_same_seed_is_said_once() -> None:
    """A run whose trials were made to be alike is told of that, and not of what follows from it."""
    run = whole(*alike(1, 4))

    assert warned(measure(Run(replace(run.header, same_seed=True), run.trials))) == []


def test_rule_lets_no_verdict_stand_on_one_trial() -> None:
    """It holds where trials differ; where they do not the verdict is inconclusive, whatever else is broken."""
    differing = [trial(index, answer=Answer(index)) for index in range(10)]
    failed = [replace(one, outcome=Outcome.FAIL) for one in alike(1, 10)]

    assert judge(measure(whole(*differing)), require_independent()).status is Status.PASS
    assert judge(measure(whole(*alike(1, 10))), require_independent()).status is Status.INCONCLUSIVE
    assert judge(measure(whole(*failed)), parse_rule("independent")).status is Status.INCONCLUSIVE


def test_drift_is_told_and_judged() -> None:
    """Trials that all pass at first and all fail at the end are no trials of one agent."""
    summary = measure(run_of({CLEAN: ["P" * 20 + "F" * 20]}))

    assert ["rise or fall over the run" in text for text in warned(summary)] == [True]
    assert judge(summary, require_independent()).status is Status.INCONCLUSIVE
    assert warned(measure(run_of({CLEAN: ["PF" * 20]}))) == []


def test_rule_asks_for_what_was_left_out() -> None:
    """Without the numbers it is open, and names them."""
    finding = require_independent().judge(measure(whole(trial(0), trial(1)), metrics=[]))[0]

    assert (finding.ok, finding.reason) == (
        None,
        "identical_share under clean was not measured: ask for 'identical_share'",
    )
