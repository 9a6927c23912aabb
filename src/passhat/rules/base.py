"""The contract of a rule, and the machinery that makes a verdict of findings.

A rule reads a summary and says held, broken, or not to be told. What it can know to be wrong before anything
runs it says then (`problems`). It computes bounds from an estimate's value and blocks, and sees no trial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.condition import Condition
from passhat.model.numbers import typed_number
from passhat.model.parts import part_name
from passhat.model.summary import Summary
from passhat.model.verdict import Finding, Status, Verdict, conclude
from passhat.rules._evidence import evidence

_WORD = re.compile(r"\s*(?P<name>[a-z][a-z_]*)\s*")
_CLAIM = re.compile(
    r"\s*(?P<name>[^\s<>=]+)\s*(?P<sign>>=|<=)\s*(?P<number>[^\s<>=]+(?:\s+%)?)(?:\s+under\s+(?P<condition>\S.*?))?\s*"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What the text of a rule says, `NAME SIGN NUMBER [under CONDITION]` or a word alone, whichever rule it may be.

    A number that was typed as `80%` is .8 and `per_cent`: a rule over figures that are per cents themselves means 80.
    A word alone has no sign, and the number 0.
    """

    name: str
    sign: str
    number: float
    condition: str | None = None
    per_cent: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Says what a summary has to show. `form` is how its text is written, and `str(rule)` is that text."""

    form: ClassVar[str] = ""

    @classmethod
    def read(cls, claim: Claim) -> Rule | None:
        """The rule that *claim* states, or None where it states another kind."""
        del claim
        return None

    @property
    def name(self) -> str:
        """The name of this kind of rule."""
        return part_name(type(self))

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the metrics that it reads."""
        return ()

    def problems(self, trials: int, conditions: tuple[str, ...]) -> Sequence[str]:
        """Why this rule cannot be judged on so many trials of each task under these conditions."""
        del trials, conditions
        return ()

    def judge(self, summary: Summary) -> Sequence[Finding]:
        """What this rule finds, a finding for each condition that it speaks of."""
        raise TypeError(f"{type(self).__name__} is a contract: a rule overrides judge")


def read_claim(text: str) -> Claim | None:
    """The claim that *text* makes; None where it makes none."""
    found = _CLAIM.fullmatch(text)
    if found is None:
        word = _WORD.fullmatch(text)
        return Claim(word["name"], "", 0.0) if word else None
    number = typed_number(found["number"])
    if number is None:
        return None
    return Claim(found["name"], found["sign"], number, found["condition"], per_cent=found["number"].endswith("%"))


def condition_among(wanted: str, conditions: tuple[str, ...]) -> str | None:
    """The one of *conditions* that is meant, however its parts were ordered and spaced; None where there is none."""
    if wanted in conditions:
        return wanted
    try:
        name = Condition.parse(wanted).name
    except UsageError:
        return None
    return name if name in conditions else None


def told_apart(low: float, high: float, asked: float) -> tuple[str, str, str]:
    """The three numbers with as many digits as it takes to see which is larger: two where that is enough."""
    for digits in range(2, 7):
        texts = f"{low:.{digits}f}", f"{high:.{digits}f}", f"{asked:.{digits}f}"
        exact = abs(float(texts[2]) - asked) < 1e-9  # noqa: PLR2004 - what was asked is never rounded
        if exact and texts[2] not in texts[:2]:
            break
    return texts


def judge(summary: Summary, *rules: Rule) -> Verdict:
    """The verdict on *summary*: first on the evidence itself, then by each rule.

    At most 5 % of the trials may be void, unless a `max_void_share` among the rules says otherwise. Rules that cannot
    be judged are refused, all at once, and so is no rule at all: a verdict that nothing was asked of would be green.
    """
    if not rules:
        raise UsageError("a verdict needs at least one rule, such as rules.at_least('pass^5', 0.80)")
    return _judged(summary, rules)


def doubt(summary: Summary) -> Verdict | None:
    """The verdict where nothing was asked: inconclusive if the evidence could carry none, and else none at all."""
    verdict = _judged(summary, ())
    return None if verdict.status is Status.PASS else verdict


def _judged(summary: Summary, rules: tuple[Rule, ...]) -> Verdict:
    from passhat.rules.max_void_share import MaxVoidShare  # a part, and so it imports this contract

    limits = tuple(rule for rule in rules if isinstance(rule, MaxVoidShare)) or (MaxVoidShare(),)
    ordered = (*limits, *(rule for rule in rules if not isinstance(rule, MaxVoidShare)))
    header = summary.header
    problems = [problem for rule in ordered for problem in rule.problems(header.trials, header.conditions)]
    if problems:
        raise UsageError(*problems)
    return conclude((*evidence(summary), *(finding for rule in ordered for finding in rule.judge(summary))))
