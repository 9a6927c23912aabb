"""Rules: what a run has to show. One file a rule, and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from passhat.errors import UsageError
from passhat.rules.at_least import AtLeast
from passhat.rules.base import Rule, doubt, judge, read_claim
from passhat.rules.max_void_share import MaxVoidShare
from passhat.rules.target import Target

at_least = AtLeast
max_void_share = MaxVoidShare
target = Target

RULES: dict[str, type[Rule]] = {
    "at_least": AtLeast,
    "max_void_share": MaxVoidShare,
    "target": Target,
}


def parse_rule(text: str, *, known: Mapping[str, type[Rule]] = RULES) -> Rule:
    """The rule that *text* states: `pass^5 >= 0.80`, `void_share <= 0.05`; `str(rule)` writes it again.

    It is one of the kinds that are *known*: the built-in ones, where nothing else is said.
    """
    claim = read_claim(text)
    for kind in known.values():
        rule = kind.read(claim) if claim else None
        if rule is not None:
            return rule
    forms = " or ".join(f"'{kind.form}'" for kind in known.values())
    raise UsageError(f"{text!r} states no rule: write {forms}, where VALUE is a number such as 0.8 or 80%")


__all__ = [
    "RULES",
    "AtLeast",
    "MaxVoidShare",
    "Rule",
    "Target",
    "at_least",
    "doubt",
    "judge",
    "max_void_share",
    "parse_rule",
    "target",
]
