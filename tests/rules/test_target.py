"""Rules over mcptest's figures: of every task, as observed, in whole per cents."""

import pytest

from passhat.errors import UsageError
from passhat.metrics import measure
from passhat.model.verdict import Status
from passhat.rules import judge, parse_rule, target
from tests.metrics.runs import CLEAN, FAULT, run_of

RUN = run_of({CLEAN: ["PPPP", "PPPF"], FAULT: ["PPPP", "PPPP"]}, exposed={FAULT: 8})


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("reliability.runs >= 4", True),
        ("reliability.pass_at_k >= 100", True),
        ("reliability.passhat_k >= 80", False),
        ("reliability.variance_amplification <= 87", True),
        ("reliability.variance_amplification <= 86", False),
        ("reliability.graceful_degradation >= 60", True),
        ("reliability.graceful_degradation >= 61", False),
    ],
)
def test_every_task_is_held_against_the_line(text: str, held: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The rule holds where the figure of every task lies on the right side of the line, which belongs to it."""
    (finding,) = parse_rule(f"{text} under {CLEAN}").judge(measure(RUN))

    assert finding.ok is held


def test_broken_rule_names_the_tasks() -> None:
    """A finding says of how many tasks it holds, and which are furthest from the line."""
    (finding,) = target("reliability.passhat_k", 80, condition=CLEAN).judge(measure(RUN))

    assert finding.reason == "reliability.passhat_k under clean was observed >= 80 on 1 of 2 tasks, not on task-1 (0)"


def test_each_condition_is_judged() -> None:
    """Without a condition every one is judged, and one that breaks it fails the verdict."""
    verdict = judge(measure(RUN), target("reliability.passhat_k", 80))

    assert [finding.ok for finding in verdict.findings if finding.rule.startswith("reliability")] == [False, True]
    assert verdict.status is Status.FAIL


def test_task_without_a_trial_that_counts_is_not_judged() -> None:
    """Where a task has nothing but void trials, nobody can say that every task holds the line."""
    summary = measure(run_of({CLEAN: ["PPPP", "VVVV"]}))
    (finding,) = target("reliability.passhat_k", 80).judge(summary)

    assert finding.ok is None
    assert "is known of 1 of 2 tasks" in finding.reason


def test_broken_line_is_broken_whatever_is_unknown() -> None:
    """One task below the line fails the rule, although nothing is known of another: no trial of that could mend it."""
    verdict = judge(measure(run_of({CLEAN: ["PPPF", "VVVV"]})), target("reliability.passhat_k", 80))
    (finding,) = [one for one in verdict.findings if one.rule.startswith("reliability")]

    assert finding.ok is False
    assert finding.reason.endswith("on 0 of 2 tasks, not on task-0 (0); of 1 it is not known")


@pytest.mark.parametrize("line", ["29", "29%", "29 %"])
def test_line_is_in_per_cent_with_the_sign_or_without(line: str) -> None:
    """The figures are per cents: a line of 29% is 29, and not .29, which every task would hold."""
    assert parse_rule(f"reliability.passhat_k >= {line}") == target("reliability.passhat_k", 29)


def test_line_of_a_count_is_no_share() -> None:
    """A per cent of no number of runs is refused."""
    with pytest.raises(UsageError, match=r"reliability\.runs is a count"):
        parse_rule("reliability.runs >= 80%")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "reliability.pass_hat_k >= 80",
            "there is no target 'reliability.pass_hat_k': did you mean reliability.passhat_k",
        ),
        ("reliability.passhat_k >= 101", "the line is from 0 to 100, in per cent"),
        ("reliability.passhat_k >= -1", "the line is from 0 to 100, in per cent"),
        ("reliability.runs >= inf", "the line is 0 or more"),
        ("reliability.runs >= nan", "the line is 0 or more"),
    ],
)
def test_wrong_line_is_refused(text: str, sentence: str) -> None:
    """A target that there is not, and a line that no figure can reach, are refused with what there is."""
    with pytest.raises(UsageError) as refused:
        parse_rule(text)

    assert sentence in str(refused.value)


def test_rule_that_the_plan_cannot_meet_is_refused() -> None:
    """More runs than are planned, or a condition that there is not, is a problem before the run."""
    assert target("reliability.runs", 10).problems(5, (CLEAN,)) == [
        "reliability.runs >= 10: 5 trials of each task are planned"
    ]
    assert "there is no condition" in target("reliability.runs", 1, condition="cloan").problems(5, (CLEAN,))[0]
