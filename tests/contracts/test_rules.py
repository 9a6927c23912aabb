"""Every rule keeps the promises of its kind."""

from __future__ import annotations

import re

import pytest

from passhat.metrics import measure
from passhat.model.codec import decode, encode
from passhat.model.summary import Summary
from passhat.model.verdict import Finding, Status
from passhat.rules import Rule, judge, parse_rule
from passhat.rules.base import Claim, read_claim
from tests.contracts.known import RULES, value_problems
from tests.metrics.runs import CLEAN, FAULT, run_of, strip

SUMMARIES: dict[str, Summary] = {
    "all pass": measure(run_of({CLEAN: [strip(20, 0)] * 3})),
    "none passes": measure(run_of({CLEAN: [strip(0, 20)] * 3})),
    "some of each": measure(run_of({CLEAN: ["PPFPE", "PPPPP"], FAULT: ["FTFFF", "PVVVV"]}, exposed={FAULT: 9})),
    "nothing but voids": measure(run_of({CLEAN: ["VVV", "VVV"]})),
    "nothing stored": measure(run_of({CLEAN: ["", ""]}, trials=10)),
}
NAMES_AND_SUMMARIES = [(name, summary) for name in RULES for summary in SUMMARIES]


def text_of(name: str) -> str:
    """A text of this kind of rule: its form with 1 for K, 0.5 for VALUE, and without what may be left out."""
    form = re.sub(r"\[.*?\]", "", RULES[name].form)
    return re.sub(r"\bVALUE\b", "0.5", re.sub(r"\bK\b", "1", form)).strip()


def rule_of(name: str) -> Rule:
    """A rule of this kind."""
    return parse_rule(text_of(name), known=RULES)


@pytest.mark.parametrize("name", RULES)
def test_rule_is_found_by_its_form(name: str) -> None:
    """The form that a rule shows is one that is read as this rule, and no other kind's."""
    claim = read_claim(text_of(name))

    assert claim is not None
    assert [kind for kind in RULES if RULES[kind].read(claim) is not None] == [name]
    assert rule_of(name).name == name


@pytest.mark.parametrize("name", RULES)
def test_rule_is_a_documented_value(name: str) -> None:
    """A rule is a frozen, slotted dataclass that says what it asks."""
    assert value_problems(rule_of(name)) == []


@pytest.mark.parametrize("name", RULES)
def test_rule_is_its_text(name: str) -> None:
    """What a rule writes is read back as the same rule."""
    rule = rule_of(name)

    assert parse_rule(str(rule), known=RULES) == rule


@pytest.mark.parametrize("name", RULES)
def test_rule_leaves_other_claims_alone(name: str) -> None:
    """A claim of another kind is not this rule's."""
    assert RULES[name].read(Claim("a_name_that_no_rule_has", ">=", 0.5)) is None


@pytest.mark.parametrize("name", RULES)
def test_rule_can_be_judged_on_a_run_that_is_large_enough(name: str) -> None:
    """A rule has no problem with a hundred trials of each task."""
    assert list(rule_of(name).problems(100, (CLEAN,))) == []


@pytest.mark.parametrize(("name", "summary"), NAMES_AND_SUMMARIES)
def test_findings_are_deterministic_json(name: str, summary: str) -> None:
    """The same summary gives the same findings, and JSON holds them."""
    findings = list(rule_of(name).judge(SUMMARIES[summary]))

    assert list(rule_of(name).judge(SUMMARIES[summary])) == findings
    assert [decode(encode(finding), Finding) for finding in findings] == findings


@pytest.mark.parametrize(("name", "summary"), NAMES_AND_SUMMARIES)
def test_findings_say_why(name: str, summary: str) -> None:
    """A rule finds something in any run, under its own text and a condition of the run, and gives the reason."""
    findings = rule_of(name).judge(SUMMARIES[summary])

    assert findings
    for finding in findings:
        assert finding.rule == str(rule_of(name))
        assert finding.reason
        assert finding.condition in ("", *SUMMARIES[summary].header.conditions)


@pytest.mark.parametrize("name", RULES)
def test_rule_changes_nothing(name: str) -> None:
    """A summary is after the judging what it was before."""
    summary = SUMMARIES["some of each"]
    before = encode(summary)

    rule_of(name).judge(summary)

    assert encode(summary) == before


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("summary", ["nothing but voids", "nothing stored"])
def test_nothing_shown_is_never_green(name: str, summary: str) -> None:
    """Where no trial counts, no rule makes the verdict pass."""
    assert judge(SUMMARIES[summary], rule_of(name)).status is not Status.PASS
