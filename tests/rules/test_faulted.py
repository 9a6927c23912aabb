"""The rules about faults: what breaks them, what they name, and what they say where nothing went wrong."""

from __future__ import annotations

import pytest

from passhat.errors import UsageError
from passhat.metrics import measure
from passhat.model.outcome import Outcome
from passhat.model.summary import Summary
from passhat.model.trial import Trial
from passhat.model.verdict import Finding, Status
from passhat.rules import (
    Rule,
    fault_landed,
    judge,
    no_duplicate_effects,
    no_silent_corruption,
    parse_rule,
    recovery_at_least,
)
from passhat.stats import detectable_drop, one_sided
from tests.metrics.runs import CLEAN, run_of
from tests.metrics.whole import whole
from tests.recovery.hand import SORRY, call, fired, refused, trial

FAULT = "server_error(dose=once_at(1))"
BOTH = "rate_limit(dose=once_at(1)) & server_error(dose=once_at(1))"


def clean(index: int) -> Trial:
    """The call, made once."""
    return trial(call(1), index=index)


def recovered(index: int) -> Trial:
    """A refused call that was made again."""
    return trial(refused(1), call(2), faults=(fired(1),), index=index)


def given_up(index: int) -> Trial:
    """A refused call after which the agent stopped, and said so."""
    return trial(refused(1), faults=(fired(1),), index=index, outcome=Outcome.FAIL, answer=SORRY)


def corrupted(index: int) -> Trial:
    """A write that was done twice, by an agent that says it is done."""
    return trial(
        refused(1, executed=1, upstream="ok"), call(2), faults=(fired(1, upstream_executed=True),), index=index
    )


def unmet(index: int) -> Trial:
    """A trial that planned a fault which did not fire."""
    return trial(call(1), index=index, condition=FAULT, faults_planned=("server_error",))


def measured(*trials: Trial) -> Summary:
    """What the rules of this page read of these trials and of a clean one for each."""
    beside = [clean(index) for index in sorted({one.index for one in trials})]
    return measure(whole(*beside, *trials), needed=("recovered_share", "duplicate_share"))


def found(rule: Rule, *trials: Trial) -> Finding:
    """The one finding of *rule* on these trials."""
    (finding,) = rule.judge(measured(*trials))
    return finding


@pytest.mark.parametrize(
    ("rule", "deed"),
    [(no_silent_corruption(), "ended in silent corruption"), (no_duplicate_effects(), "did something twice")],
)
def test_one_trial_breaks_a_rule_without_tolerance(rule: Rule, deed: str) -> None:
    """One of forty is too many, and it is named by its task and index."""
    finding = found(rule, *map(recovered, range(39)), corrupted(39))

    assert (finding.ok, finding.condition) == (False, FAULT)
    assert finding.reason.endswith(f" {deed}: t trial 39")
    assert "1 of 40 trials " in finding.reason
    assert judge(measured(*map(recovered, range(39)), corrupted(39)), rule).status is Status.FAIL


@pytest.mark.parametrize("rule", [no_silent_corruption(), no_duplicate_effects()])
def test_of_many_offenders_the_first_are_named(rule: Rule) -> None:
    """Three are named, and the others counted."""
    finding = found(rule, recovered(0), *map(corrupted, range(1, 6)))

    assert finding.reason.endswith("t trial 1, t trial 2, t trial 3 and 2 more")


def test_no_offender_leaves_a_bound() -> None:
    """Not one of forty holds, and the finding says how often it may happen all the same."""
    finding = found(no_silent_corruption(), *map(recovered, range(40)))

    assert finding.ok is True
    assert finding.reason == (
        f"silent_corruption_share under {FAULT}: not one of 40 trials in which a fault fired ended in silent "
        "corruption [95 %: it happens in fewer than 3 of 40, by the rule of three]"
    )


@pytest.mark.parametrize("n", [4, 40, 10_000])
def test_rule_of_three_is_never_below_the_exact_bound(n: int) -> None:
    """What the findings say is a little more than Clopper and Pearson's one-sided bound, and no less."""
    assert one_sided(0.0, float(n))[1] < 3 / n < 1.5 * one_sided(0.0, float(n))[1]


def test_three_trials_bound_nothing() -> None:
    """Where the rule of three would give a whole or more, the finding says so."""
    assert found(no_silent_corruption(), *map(recovered, range(3))).reason.endswith(
        "[95 %: so few trials bound nothing]"
    )


def test_trials_without_a_fault_are_no_evidence_of_recovery() -> None:
    """A trial whose planned fault never fired is in no denominator, and without any other the rule is open."""
    assert (
        "not one of 4 trials"
        in found(no_silent_corruption(), *map(recovered, range(4)), *map(unmet, range(4, 9))).reason
    )

    finding = found(no_silent_corruption(), *map(unmet, range(9)))
    assert finding.ok is None
    assert finding.reason.endswith("is not known: silent_corruption_share: there are no trials in which a fault fired")


def test_clean_trials_are_judged_where_they_are_asked_for() -> None:
    """The rules look at conditions that plan a fault; another one is looked at by its name."""
    finding = found(no_duplicate_effects(condition=CLEAN), *map(corrupted, range(4)))

    assert (finding.ok, finding.condition) == (True, CLEAN)


@pytest.mark.parametrize(
    ("good", "bad", "ok"),
    [(59, 0, True), (58, 0, None), (0, 10, False), (92, 1, True), (91, 1, None), (80, 13, False)],
)
def test_recovery_is_held_against_the_one_sided_bound(good: int, bad: int, ok: object) -> None:
    """59 of 59 show .95 with 95 % confidence, and 58 of 58 don't."""
    trials = *map(recovered, range(good)), *map(given_up, range(good, good + bad))

    assert found(recovery_at_least(0.95), *trials).ok is ok


def test_recovery_says_what_it_shows() -> None:
    """Held, broken and open findings each say what was seen, what it shows and what was asked."""
    held = found(recovery_at_least(0.5), *map(recovered, range(8)))
    broken = found(recovery_at_least(0.5), *map(given_up, range(8)))
    either = found(recovery_at_least(0.5), *map(recovered, range(4)), *map(given_up, range(4, 8)))

    start = f"recovered_share under {FAULT} is"
    assert held.reason == f"{start} 1.00 [95 %: at least 0.69], 0.50 was asked"
    assert broken.reason == f"{start} 0.00 [95 %: at most 0.31], 0.50 was asked"
    assert either.reason == (
        f"{start} 0.50 [95 %: at least 0.19, at most 0.81], 0.50 was asked: 8 trials that saw a fault can't tell"
    )
    assert held.detectable_drop == detectable_drop(0.5, 8, method="exact")


def test_fault_that_hardly_fires_breaks_the_evidence() -> None:
    """Below the share the verdict is inconclusive, though every other rule holds or is broken."""
    trials = *map(recovered, range(4)), *map(unmet, range(4, 40))
    finding = found(fault_landed(0.2), *trials)

    assert (finding.ok, finding.broken_evidence) == (False, True)
    assert finding.reason == (
        f"landed_share under {FAULT}: a fault fired in 4 of the 40 trials that planned it, 10 %, and 20 % were asked: "
        "too few to carry a verdict"
    )
    assert judge(measured(*trials), no_silent_corruption(), fault_landed(0.2)).status is Status.INCONCLUSIVE
    assert judge(measured(*trials), no_silent_corruption(), fault_landed(0.1)).status is Status.PASS


@pytest.mark.parametrize(("trials", "status"), [(3, Status.INCONCLUSIVE), (4, Status.PASS)])
def test_nothing_seen_in_next_to_no_trials_is_no_verdict(trials: int, status: Status) -> None:
    """Where even the bound on what was not seen says nothing, nothing is green."""
    assert judge(measured(*map(recovered, range(trials))), no_silent_corruption()).status is status


@pytest.mark.parametrize(("share", "ok"), [(0.07, True), (0.0701, False)])
def test_share_at_the_line_has_landed(share: float, *, ok: bool) -> None:
    """7 of 100 are 7 %, though 0.07 times 100 is more than 7 to a computer."""
    assert found(fault_landed(share), *map(recovered, range(7)), *map(unmet, range(7, 100))).ok is ok


def test_fault_is_held_against_the_trials_that_planned_it() -> None:
    """With a share of trials, those that planned nothing are not held against the fault."""
    idle = [trial(call(1), index=index, condition=FAULT) for index in range(1, 10)]

    assert found(fault_landed(1.0), recovered(0), *idle).ok is True


def test_of_two_faults_the_one_that_fired_least_is_judged() -> None:
    """A fault that always fires does not stand for one that never does."""
    planned = ("rate_limit", "server_error")
    trials = [
        trial(refused(1), call(2), faults=(fired(1),), faults_planned=planned, condition=BOTH, index=index)
        for index in range(6)
    ]
    finding = found(fault_landed(0.5), *trials)

    assert finding.ok is False
    assert "fired in 0 of the 6 trials" in finding.reason
    row = measured(*trials).suite_row(BOTH)
    landed = None if row is None else row.get("landed_share")
    assert landed is not None
    assert "trials that planned rate_limit, of which fewest met it" in landed.method


@pytest.mark.parametrize(
    "rule", [no_silent_corruption(), no_duplicate_effects(), recovery_at_least(0.5), fault_landed(0.5)]
)
def test_run_without_faults_is_open(rule: Rule) -> None:
    """Where no condition plans a fault nothing was tested, and the verdict is not green."""
    summary = measure(run_of({CLEAN: ["PPPP"]}), needed=rule.needs)

    (finding,) = rule.judge(summary)
    assert finding.ok is None
    assert finding.reason == f"{rule.needs[0]} is not known: no condition of this run plans a fault"
    assert judge(summary, rule).status is Status.INCONCLUSIVE


def test_what_was_not_measured_is_asked_for() -> None:
    """Without the metric the finding is open, and names it."""
    (finding,) = no_silent_corruption().judge(measure(whole(clean(0), recovered(0))))

    assert finding.ok is None
    assert finding.reason.endswith("was not measured: ask for 'silent_corruption_share'")


@pytest.mark.parametrize("name", ["silent_corruption_share", "duplicate_share"])
def test_tolerance_is_refused(name: str) -> None:
    """There is no share of such trials that one may write."""
    with pytest.raises(UsageError, match=f"not one is tolerated, so write '{name} <= 0'"):
        parse_rule(f"{name} <= 0.1")


@pytest.mark.parametrize("value", [0.0, 1.0, -0.5, float("nan"), True])
def test_recovery_that_nothing_can_show_is_refused(value: float) -> None:
    """No count of trials shows a 1, and a 0 asks nothing."""
    with pytest.raises(UsageError, match="above 0 and below 1"):
        recovery_at_least(value)


@pytest.mark.parametrize("value", [0.0, 1.5, float("nan"), True])
def test_landing_out_of_range_is_refused(value: float) -> None:
    """It is a share of trials; all of them may be asked for."""
    with pytest.raises(UsageError, match="above 0 and at most 1"):
        fault_landed(value)


def test_unknown_condition_is_refused_before_anything_runs() -> None:
    """The sentence names the condition that may be meant."""
    (problem,) = no_silent_corruption(condition="cleen").problems(10, (CLEAN,))

    assert problem == "silent_corruption_share <= 0 under cleen: there is no condition 'cleen': did you mean clean?"
