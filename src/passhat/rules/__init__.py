"""Rules: what a run has to show. One file a rule, and one line here."""

from __future__ import annotations

from passhat.errors import UsageError
from passhat.model.summary import Summary
from passhat.model.verdict import Verdict
from passhat.rules._evidence import evidence
from passhat.rules.at_least import AtLeast
from passhat.rules.base import Rule, decide, read_claim
from passhat.rules.max_void_share import MaxVoidShare

at_least = AtLeast
max_void_share = MaxVoidShare

RULES: dict[str, type[Rule]] = {
    "at_least": AtLeast,
    "max_void_share": MaxVoidShare,
}


def judge(summary: Summary, *rules: Rule) -> Verdict:
    """The verdict on *summary*: first on the evidence itself, then by each rule.

    At most 5 % of the trials may be void, unless a `max_void_share` among the rules says otherwise. With no
    rule the verdict is on the evidence alone.
    """
    limits = tuple(rule for rule in rules if isinstance(rule, MaxVoidShare)) or (MaxVoidShare(),)
    others = tuple(rule for rule in rules if not isinstance(rule, MaxVoidShare))
    return decide(summary, (*limits, *others), evidence(summary))


def parse_rule(text: str) -> Rule:
    """The rule that *text* states: `pass^5 >= 0.80`, `void_share <= 0.05`; `str(rule)` writes it again."""
    claim = read_claim(text)
    for kind in RULES.values():
        rule = kind.read(claim) if claim else None
        if rule is not None:
            return rule
    forms = " or ".join(f"'{kind.form}'" for kind in RULES.values())
    raise UsageError(f"{text!r} states no rule: write {forms}, where VALUE is a number such as 0.8")


__all__ = [
    "RULES",
    "AtLeast",
    "MaxVoidShare",
    "Rule",
    "at_least",
    "judge",
    "max_void_share",
    "parse_rule",
]
