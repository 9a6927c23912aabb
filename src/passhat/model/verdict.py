"""The last word: findings of rules, and the verdict that follows from them."""

from __future__ import annotations

from enum import StrEnum

from passhat.errors import Failed, Inconclusive
from passhat.model.base import Noun


class Status(StrEnum):
    """Three verdicts. What cannot be shown is inconclusive, and never green."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class Finding(Noun, kw_only=True):
    """What one rule found: held (True), broken (False) or not to be told (None), and why.

    `line` is what a number was held against, where it was; `detectable_drop` is the smallest drop below it that these
    trials would have caught with 80 % probability. `broken_evidence`: the trials cannot carry any verdict.
    """

    rule: str
    ok: bool | None
    reason: str
    condition: str = ""
    line: float | None = None
    detectable_drop: float | None = None
    broken_evidence: bool = False


class Verdict(Noun, kw_only=True):
    """The findings and what they come to."""

    status: Status
    findings: tuple[Finding, ...] = ()

    def raise_for_status(self) -> None:
        """Raise `Failed` or `Inconclusive` unless the verdict is PASS."""
        if self.status is Status.PASS:
            return
        reasons = "\n".join(finding.reason for finding in self.findings if finding.ok is not True)
        raise (Failed if self.status is Status.FAIL else Inconclusive)(reasons)


def conclude(findings: tuple[Finding, ...]) -> Verdict:
    """The verdict of *findings*: broken evidence is inconclusive, then a broken rule fails, then all must hold."""
    if not findings or any(finding.broken_evidence for finding in findings):
        return Verdict(status=Status.INCONCLUSIVE, findings=findings)
    if any(finding.ok is False for finding in findings):
        return Verdict(status=Status.FAIL, findings=findings)
    if all(finding.ok for finding in findings):
        return Verdict(status=Status.PASS, findings=findings)
    return Verdict(status=Status.INCONCLUSIVE, findings=findings)
