"""`at_least`: when it holds, is broken or cannot be told, what it says, and how often it errs."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.metrics import measure
from passhat.model.verdict import Finding
from passhat.rules import at_least
from passhat.stats import detectable_drop, one_sided
from tests.metrics.runs import CLEAN, FAULT, WORDING, run_of, strip


def judged(rule: at_least, *tasks: str) -> Finding:
    """The finding of *rule* on a run under the clean condition."""
    (found,) = rule.judge(measure(run_of({CLEAN: list(tasks)})))
    return found


@pytest.mark.parametrize(
    ("passed", "value", "ok"),
    [(29, 0.9, True), (28, 0.9, None), (10, 0.74, True), (10, 0.75, None), (59, 0.95, True)],
)
def test_all_passes_hold_from_the_known_counts(passed: int, value: float, ok: object) -> None:
    """29 of 29 passes show .9 with 95 % confidence, and 28 of 28 don't."""
    assert judged(at_least("pass^1", value), strip(passed, 0)).ok is ok


def test_held_rule_is_told() -> None:
    """A held rule says what it shows."""
    found = judged(at_least("pass^5", 0.5), *[strip(10, 0)] * 8)

    assert found.ok is True
    assert found.reason == "pass^5 under clean is 1.00 [95 %: at least 0.83], 0.50 was asked"


def test_broken_rule_is_told() -> None:
    """A broken rule says what can be at best."""
    found = judged(at_least("pass^1", 0.8), *[strip(5, 5)] * 8)

    assert found.ok is False
    assert found.reason == "pass^1 under clean is 0.50 [95 %: at most 0.60], 0.80 was asked"


def test_rule_that_cannot_be_told_is_told() -> None:
    """Where both are possible the sentence says between what."""
    found = judged(at_least("pass^5", 0.8), *[strip(10, 0)] * 5, *[strip(8, 2)] * 3)

    assert found.ok is None
    assert found.reason == (
        "pass^5 under clean is 0.71 [95 %: at least 0.47, at most 0.88], 0.80 was asked: 80 trials can't tell"
    )


def test_numbers_are_written_so_that_the_larger_is_seen() -> None:
    """Where two digits would show the bound and the line as one number, more are written."""
    found = judged(at_least("pass^1", 0.9), strip(29, 0))

    assert "[95 %: at least 0.902], 0.900 was asked" in found.reason


def test_what_was_asked_is_never_rounded() -> None:
    """A line of .995 is not shown as 0.99 or 1.00."""
    assert "0.995 was asked" in judged(at_least("pass^1", 0.995), strip(5, 5)).reason


def test_drop_stands_beside_every_verdict() -> None:
    """Held, broken or not told: the drop that these trials could have caught is there."""
    held, broken = (
        judged(at_least("pass^5", 0.5), *[strip(10, 0)] * 8),
        judged(at_least("pass^1", 0.9), strip(1, 9)),
    )

    assert held.detectable_drop == detectable_drop(0.5, 16, method="exact")
    assert broken.detectable_drop == detectable_drop(0.9, 10, method="exact")


def test_rule_speaks_of_every_condition() -> None:
    """Where no condition is named there is a finding for each."""
    summary = measure(run_of({CLEAN: [strip(100, 0)], FAULT: [strip(10, 90)]}))

    found = at_least("pass^1", 0.9).judge(summary)

    assert [(one.condition, one.ok) for one in found] == [(CLEAN, True), (FAULT, False)]


def test_rule_can_speak_of_one_condition() -> None:
    """A named condition is the only one that is judged."""
    summary = measure(run_of({CLEAN: [strip(100, 0)], FAULT: [strip(10, 90)]}))

    found = at_least("pass^1", 0.9, condition=FAULT).judge(summary)

    assert [(one.condition, one.ok, one.rule) for one in found] == [(FAULT, False, f"pass^1 >= 0.9 under {FAULT}")]


def test_named_condition_may_be_ordered_and_spaced_otherwise() -> None:
    """`a & b` and `b&a` are one condition here too."""
    name = f"{FAULT} & {WORDING}"
    rule = at_least("pass^1", 0.9, condition=f"{WORDING}&{FAULT}")

    (found,) = rule.judge(measure(run_of({name: ["PP"]})))

    assert found.condition == name
    assert rule.problems(10, (name,)) == []


@pytest.mark.parametrize("condition", ["rate_limit(rate=0.3)", "rate_limit(", 'rate_limit("'])
def test_unknown_condition_is_a_problem(condition: str) -> None:
    """A condition that the run doesn't have is named, with the nearest that it has."""
    (problem,) = at_least("pass^1", 0.9, condition=condition).problems(10, (CLEAN, FAULT))

    assert problem.endswith(f"there is no condition {condition!r}: did you mean {FAULT}?")


def test_k_above_the_planned_trials_is_a_problem() -> None:
    """A k that no task will have trials for is told before the run."""
    assert at_least("pass^5", 0.9).problems(5, (CLEAN,)) == []
    assert at_least("pass^5", 0.9).problems(4, (CLEAN,)) == [
        "pass^5 >= 0.9: pass^5 needs 5 trials of each task, and 4 are planned"
    ]


def test_estimate_without_a_value_cannot_be_told() -> None:
    """Where too few trials are valid the estimate's own reason is given."""
    found = judged(at_least("pass^5", 0.9), strip(10, 0), strip(3, 0))

    assert (found.ok, found.detectable_drop) == (None, None)
    assert found.reason == (
        "pass^5 under clean is not known: pass^5 needs 5 valid trials of each task, and 'task-1' has 3"
    )


def test_estimate_that_is_not_there_cannot_be_told() -> None:
    """A k beyond those that were measured is asked for by its name."""
    found = judged(at_least("pass^150", 0.9), strip(300, 0))

    assert found.ok is None
    assert found.reason == "pass^150 under clean was not measured: measure with k=150"


def test_pass_at_k_is_judged_as_well() -> None:
    """`pass@K` has the same rule."""
    assert judged(at_least("pass@2", 0.8), *[strip(8, 2)] * 20).ok is True


@pytest.mark.parametrize("metric", ["void_share", "pass^", "pass^0", "pass", "pass^5.0"])
def test_other_metrics_are_refused(metric: str) -> None:
    """The rule is about pass^K and pass@K alone."""
    with pytest.raises(UsageError, match=r"at_least judges pass\^K and pass@K"):
        at_least(metric, 0.5)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.5, 80.0, float("nan")])
def test_value_out_of_range_is_refused(value: float) -> None:
    """A line is a probability that trials can show."""
    with pytest.raises(UsageError, match="the value is above 0 and below 1"):
        at_least("pass^5", value)


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0.05, 0.95))
def test_trichotomy_law(passed: int, failed: int, value: float) -> None:
    """Held where the lower bound reaches the line, broken where the upper stays below it, else neither."""
    if passed + failed == 0:
        return
    low, high = one_sided(passed, passed + failed)
    expected = True if low >= value else False if high < value else None

    assert judged(at_least("pass^1", value), strip(passed, failed)).ok is expected


@pytest.mark.parametrize("n", [10, 40, 100])
@pytest.mark.parametrize("value", [0.5, 0.8, 0.9])
def test_false_verdicts_are_rare(n: int, value: float) -> None:
    """Enumerated at the line itself, either word is wrong in at most 5 % of all runs."""
    words = [judged(at_least("pass^1", value), strip(c, n - c)).ok for c in range(n + 1)]
    weights = np.array([comb(n, c) * value**c * (1 - value) ** (n - c) for c in range(n + 1)])

    assert weights @ np.array([word is False for word in words]) <= 0.05
    assert weights @ np.array([word is True for word in words]) <= 0.05
