"""The verdict: what the evidence must be before any rule is read, and how findings add up."""

import pytest
from msgspec.structs import replace

from passhat import rules
from passhat.errors import Failed, Inconclusive, UsageError
from passhat.metrics import measure
from passhat.model import codec
from passhat.model.summary import Summary
from passhat.model.verdict import Finding, Status, Verdict
from passhat.rules import RULES, Rule, at_least, doubt, judge, max_void_share, parse_rule
from tests.metrics.runs import CLEAN, FAULT, WORDING, run_of, strip


def summary(*tasks: str, trials: int | None = None) -> Summary:
    """The summary of a run under the clean condition."""
    return measure(run_of({CLEAN: list(tasks)}, trials=trials))


def finding(verdict: Verdict, rule: str, condition: str = "") -> Finding:
    """The one finding of a rule."""
    (found,) = (one for one in verdict.findings if one.rule == rule and one.condition == condition)
    return found


def doubted(measured: Summary) -> Verdict:
    """The verdict on evidence that cannot carry one."""
    verdict = doubt(measured)
    assert verdict is not None
    return verdict


def test_a_verdict_needs_a_rule() -> None:
    """Where nothing was asked nothing is green."""
    with pytest.raises(UsageError, match="at least one rule"):
        judge(summary(strip(10, 0)))


def test_sound_evidence_without_rules_has_no_verdict() -> None:
    """Where no rule is asked and the evidence is sound there is no verdict, whatever the agent did."""
    assert doubt(summary(strip(1, 9))) is None
    assert doubt(summary(strip(10, 0))) is None


def test_nothing_stored_is_no_verdict() -> None:
    """Without a trial there is nothing to judge."""
    verdict = doubted(summary("", trials=10))

    found = finding(verdict, "trials are graded")
    assert verdict.status is Status.INCONCLUSIVE
    assert (found.ok, found.broken_evidence) == (None, True)
    assert found.reason == "no trial is stored, of 10 planned: there is nothing to judge"


def test_nothing_graded_is_no_verdict() -> None:
    """Where every trial is void there is nothing to judge."""
    verdict = judge(summary("VVVV"), max_void_share(0.9))

    assert verdict.status is Status.INCONCLUSIVE
    assert "all 4 stored trials are void" in finding(verdict, "trials are graded").reason


def test_condition_without_graded_trials_is_never_green() -> None:
    """A condition that the run did not get to leaves the verdict open."""
    verdict = doubted(measure(run_of({CLEAN: ["PPP", "PPP"], WORDING: ["", ""]})))

    found = finding(verdict, "trials are graded", WORDING)
    assert verdict.status is Status.INCONCLUSIVE
    assert found.reason == f"under {WORDING} no trial was graded, so nothing can be said of it"


@pytest.mark.parametrize(
    ("tasks", "says"),
    [
        (["PP", ""], "under clean no trial of 'task-1' was graded, so nothing can be said"),
        (
            ["PP", "", ""],
            "under clean no trial of 'task-1' and 1 more of the 3 tasks was graded, so nothing can be said",
        ),
    ],
)
def test_task_without_graded_trials_is_never_green(tasks: list[str], says: str) -> None:
    """A task that was never graded is named."""
    verdict = doubted(summary(*tasks))

    assert verdict.status is Status.INCONCLUSIVE
    assert finding(verdict, "trials are graded", CLEAN).reason == f"{says} of it"


def test_stopped_run_is_never_green() -> None:
    """Of a run that was stopped the slow trials are missing: what is there cannot carry a verdict."""
    verdict = judge(summary("P" * 90, "P" * 100, trials=100), at_least("pass^1", 0.5))

    assert verdict.status is Status.INCONCLUSIVE
    assert finding(verdict, "trials are graded").reason == (
        "190 of 200 planned trials are here, and those that are missing may be the worst"
    )


def test_log_of_unequal_tasks_is_judged() -> None:
    """What the author of an imported log planned is not known: tasks with fewer trials than others lack none."""
    run = run_of({CLEAN: ["P" * 90, "P" * 100]})
    imported = measure(replace(run, header=replace(run.header, source="jsonl")))

    assert judge(imported, at_least("pass^1", 0.5)).status is Status.PASS


def test_fault_that_was_never_met_is_never_green() -> None:
    """A fault that no trial met was not survived, however well the agent did."""
    verdict = doubted(measure(run_of({FAULT: ["PPP"]})))

    found = finding(verdict, "faults are met", FAULT)
    assert verdict.status is Status.INCONCLUSIVE
    assert (found.ok, found.broken_evidence) == (None, False)
    assert "no trial met its fault" in found.reason


def test_fault_that_was_met_is_told() -> None:
    """Where a fault fired the verdict says in how many trials."""
    verdict = judge(measure(run_of({FAULT: ["PPP"]}, exposed={FAULT: 2})), max_void_share(0.1))

    assert verdict.status is Status.PASS
    assert finding(verdict, "faults are met", FAULT).reason == f"2 of the 3 trials under {FAULT} met a fault"


@pytest.mark.parametrize("condition", [CLEAN, WORDING, "their name (v2)"])
def test_only_faults_have_to_be_met(condition: str) -> None:
    """The clean condition, a wording and another tool's condition have nothing to meet."""
    assert doubt(measure(run_of({condition: ["PPP"]}))) is None


def test_many_voids_break_the_evidence() -> None:
    """With more than 5 % void trials there is no verdict, even where a rule is clearly broken."""
    verdict = judge(summary(strip(0, 90, void=10)), at_least("pass^1", 0.5))

    found = finding(verdict, "void_share <= 0.05", CLEAN)
    assert verdict.status is Status.INCONCLUSIVE
    assert found.broken_evidence
    assert found.reason == (
        "under clean 10 of 100 trials are void, 10 %: with more than 5 % no verdict can stand on the rest"
    )


def test_void_limit_can_be_given() -> None:
    """A limit of the caller's own takes the place of the usual one."""
    verdict = judge(summary(strip(90, 0, void=10)), max_void_share(0.2))

    assert verdict.status is Status.PASS
    assert [one.rule for one in verdict.findings] == ["trials are graded", "void_share <= 0.2"]


def test_evidence_comes_first() -> None:
    """Whatever the order of the rules, the evidence is judged before them."""
    verdict = judge(summary(strip(90, 0)), at_least("pass^1", 0.5), max_void_share(0.1))

    assert [one.rule for one in verdict.findings] == [
        "trials are graded",
        "void_share <= 0.1",
        "pass^1 >= 0.5",
    ]


def test_held_rule_passes() -> None:
    """A rule that is shown to hold is a PASS."""
    verdict = judge(summary(strip(100, 0)), at_least("pass^1", 0.9))

    assert verdict.status is Status.PASS
    verdict.raise_for_status()


def test_broken_rule_fails() -> None:
    """A rule that is shown to be broken is a FAIL, and its reason is raised."""
    verdict = judge(summary(strip(50, 50)), at_least("pass^1", 0.9))

    assert verdict.status is Status.FAIL
    with pytest.raises(Failed, match="at most"):
        verdict.raise_for_status()


def test_rule_that_cannot_be_told_is_inconclusive() -> None:
    """Too few trials are neither green nor red."""
    verdict = judge(summary(strip(10, 0)), at_least("pass^1", 0.9))

    assert verdict.status is Status.INCONCLUSIVE
    with pytest.raises(Inconclusive, match="can't tell"):
        verdict.raise_for_status()


def test_one_broken_rule_is_enough() -> None:
    """A broken rule fails the run, beside others that hold or cannot be told."""
    asked = [at_least("pass^1", value) for value in (0.3, 0.6, 0.9)]

    verdict = judge(summary(strip(60, 40)), *asked)

    assert verdict.status is Status.FAIL


def test_rules_that_cannot_be_judged_are_refused_together() -> None:
    """Every problem of every rule is told at once."""
    with pytest.raises(UsageError) as raised:
        judge(summary("PPP"), at_least("pass^7", 0.9), at_least("pass^1", 0.9, condition="claen"))

    assert list(raised.value.problems) == [
        "pass^7 >= 0.9: pass^7 needs 7 trials of each task, and 3 are planned",
        "pass^1 >= 0.9 under claen: there is no condition 'claen': did you mean clean?",
    ]


def test_verdict_survives_the_codec() -> None:
    """A verdict can be written and read again: every number in it is a plain one."""
    verdict = judge(measure(run_of({FAULT: [strip(9, 1)]}, exposed={FAULT: 3})), at_least("pass^5", 0.9))

    assert codec.decode(codec.encode(verdict), Verdict) == verdict


def test_summary_can_be_judged_again() -> None:
    """A summary that was stored gives the same verdict as the one that was measured."""
    measured = summary(strip(9, 1), strip(10, 0))
    read = codec.decode(codec.encode(measured), Summary)

    assert judge(read, at_least("pass^2", 0.5)) == judge(measured, at_least("pass^2", 0.5))


@pytest.mark.parametrize("name", RULES)
def test_rule_is_listed_by_its_name(name: str) -> None:
    """A rule is offered under its own name, and says how its text is written."""
    assert getattr(rules, name) is RULES[name]
    assert RULES[name].form


@pytest.mark.parametrize(
    "rule",
    [
        at_least("pass^5", 0.8),
        at_least("pass@10", 1 / 3),
        at_least("pass^1", 0.95, condition=CLEAN),
        at_least("pass^1", 0.95, condition=f"{FAULT} & {WORDING}"),
        max_void_share(),
        max_void_share(0),
        max_void_share(0.125),
    ],
    ids=str,
)
def test_text_of_a_rule_reads_back(rule: Rule) -> None:
    """parse_rule(str(rule)) is the rule."""
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("pass^5 >= 0.80", at_least("pass^5", 0.8)),
        ("  pass^5>=.8 ", at_least("pass^5", 0.8)),
        ("pass@3 >= 8e-1 under  clean", at_least("pass@3", 0.8, condition="clean")),
        ("void_share <= 0.05", max_void_share(0.05)),
    ],
)
def test_rule_is_read_from_its_text(text: str, rule: Rule) -> None:
    """A rule can be typed as a person would."""
    assert parse_rule(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass^5",
        "pass^5 >= ",
        "pass^5 >= eighty",
        "pass^5 > 0.8",
        "pass^5 <= 0.8",
        "pass^0 >= 0.8",
        "passes >= 0.8",
        "void_share >= 0.8",
        "void_share <= 0.8 under clean",
        "pass^5 >= 0.8 under",
        "pass^5 >= 0.8 and more",
    ],
)
def test_text_that_states_no_rule_is_refused(text: str) -> None:
    """What cannot be read is a usage error that shows how rules are written."""
    with pytest.raises(UsageError, match=r"states no rule: write 'pass\^K >= VALUE \[under CONDITION\]' or "):
        parse_rule(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("pass^5>=80%", at_least("pass^5", 0.8)),
        ("pass^5 >= 80 % under clean", at_least("pass^5", 0.8, condition="clean")),
        ("pass^5 >= .8", at_least("pass^5", 0.8)),
        ("void_share <= 12.3%", max_void_share(0.123)),
    ],
)
def test_value_is_typed_like_any_share(text: str, rule: Rule) -> None:
    """A rule's value is a fraction, with or without its zero, or a per cent."""
    assert parse_rule(text) == rule


@pytest.mark.parametrize("value", ["0", "1", "80", "-0.1", "nan", "inf"])
def test_value_out_of_range_is_refused(value: str) -> None:
    """A value is a probability that trials can show."""
    with pytest.raises(UsageError, match="the value is above 0 and below 1"):
        parse_rule(f"pass^5 >= {value}")


def test_contract_judges_nothing() -> None:
    """The contract itself is no rule, and finds no fault with any run."""
    assert Rule().problems(1, (CLEAN,)) == ()
    with pytest.raises(TypeError, match="a rule overrides judge"):
        Rule().judge(summary("P"))


@pytest.mark.parametrize(("task", "said"), [("V", "the only stored trial is void"), ("P", "1 of 1 planned trial is")])
def test_one_trial_is_no_trials(task: str, said: str) -> None:
    """A finding on one trial speaks of one."""
    reasons = " ".join(one.reason for one in judge(summary(task), max_void_share(0.5)).findings)

    assert said in reasons
    assert "1 trials" not in reasons
