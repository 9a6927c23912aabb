"""Rules: what a run has to show. One file a rule, and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from passhat.errors import UsageError
from passhat.rules.at_least import AtLeast
from passhat.rules.base import Rule, doubt, judge, read_claim
from passhat.rules.fault_landed import FaultLanded
from passhat.rules.max_void_share import MaxVoidShare
from passhat.rules.no_duplicate_effects import NoDuplicateEffects
from passhat.rules.no_silent_corruption import NoSilentCorruption
from passhat.rules.recovery_at_least import RecoveryAtLeast
from passhat.rules.require_independent import RequireIndependent
from passhat.rules.target import Target

at_least = AtLeast
fault_landed = FaultLanded
max_void_share = MaxVoidShare
no_duplicate_effects = NoDuplicateEffects
no_silent_corruption = NoSilentCorruption
recovery_at_least = RecoveryAtLeast
require_independent = RequireIndependent
target = Target

RULES: dict[str, type[Rule]] = {
    "at_least": AtLeast,
    "max_void_share": MaxVoidShare,
    "target": Target,
    "no_silent_corruption": NoSilentCorruption,
    "no_duplicate_effects": NoDuplicateEffects,
    "recovery_at_least": RecoveryAtLeast,
    "fault_landed": FaultLanded,
    "require_independent": RequireIndependent,
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
    "FaultLanded",
    "MaxVoidShare",
    "NoDuplicateEffects",
    "NoSilentCorruption",
    "RecoveryAtLeast",
    "RequireIndependent",
    "Rule",
    "Target",
    "at_least",
    "doubt",
    "fault_landed",
    "judge",
    "max_void_share",
    "no_duplicate_effects",
    "no_silent_corruption",
    "parse_rule",
    "recovery_at_least",
    "require_independent",
    "target",
]
