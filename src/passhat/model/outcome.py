"""How a trial ended: a closed set, with the letter that stands for each in a strip such as ``PPFPE``."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """PASS, FAIL, CRASH and TIMEOUT are the agent's and count; VOID is the surroundings' and does not."""

    PASS = "PASS"  # noqa: S105 - an outcome, not a password
    FAIL = "FAIL"
    CRASH = "CRASH"
    TIMEOUT = "TIMEOUT"
    VOID = "VOID"

    @property
    def letter(self) -> str:
        """The letter of a strip: P pass, F fail, E crash (an error), T timeout, V void."""
        return LETTERS[self]

    @property
    def counts(self) -> bool:
        """True where the trial is evidence about the agent: everything but VOID."""
        return self is not Outcome.VOID


LETTERS: dict[Outcome, str] = {
    Outcome.PASS: "P",
    Outcome.FAIL: "F",
    Outcome.CRASH: "E",
    Outcome.TIMEOUT: "T",
    Outcome.VOID: "V",
}
