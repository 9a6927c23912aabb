"""What a search came to, in words: each way in which it may end says what is known, and no more than that."""

from __future__ import annotations

import json

import pytest

from passhat.model.minimal import Decision, Minimal, Suspect, Tried
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from passhat.reports import minimal_json, minimal_short, minimal_text

STORED = Trial(task_id="pay", task_digest="d", condition="rate_limit(rate=0.5)", index=3, outcome=Outcome.CRASH)
ALL = (1, 2, 3, 4, 5, 6)
SUSPECTS = tuple(Suspect(number=one, name="rate_limit", part="p", tool="pay", ordinal=one) for one in ALL)
FAILS, PASSES, OPEN = Decision.FAILS, Decision.PASSES, Decision.OPEN


def tried(numbers: tuple[int, ...], decision: Decision, *, void: int = 0, n: int = 20) -> Tried:
    """A set that ended so."""
    failed = {FAILS: n, PASSES: 0, OPEN: n // 2}[decision]
    why = "the desk is closed" if void else ""
    return Tried(
        numbers=numbers, failed=failed, n=n, void=void, decision=decision, confidence=0.99, low=0.2, high=0.9, why=why
    )


def text(*sets: Tried, numbers: tuple[int, ...] | None, condition: str = "", line: str = "", width: int = 80) -> str:
    """What is shown after these sets, on one line."""
    minimal = Minimal(suspects=SUSPECTS, tried=sets, numbers=numbers, rate=0.5, confidence=0.95, condition=condition)
    return " ".join(minimal_text(STORED, minimal, width=width, line=line).split())


def test_what_is_left_and_why() -> None:
    """The members by name, how often they fail, and that none can be left out."""
    sets = (tried((), PASSES), tried(ALL, FAILS), tried((2,), PASSES), tried((5,), PASSES), tried((2, 5), FAILS))
    said = text(*sets, numbers=(2, 5))

    assert (
        "2 of 6 are enough: with 2, 5 alone (rate_limit at call 2 of pay, rate_limit at call 5 of pay) it fails in 20 "
        "of 20 trials; without any one of them, in less than 50 % of them"
    ) in said
    assert "a set fails where more than 50 % of its trials do" in said
    assert "holds together with 95 % confidence" in said


def test_doubt_is_said() -> None:
    """Where a member stayed because nobody could tell, no sentence claims that it is needed."""
    said = text(tried((), PASSES), tried((2, 5), FAILS), tried((2,), OPEN), tried((5,), PASSES), numbers=(2, 5))

    assert "without any one" not in said
    assert "5 stayed because nobody could tell whether it fails without: more --tries may show that" in said


def test_open_question_of_no_fault_is_said() -> None:
    """Where it is open whether it fails without any fault, that is said beside what is left."""
    said = text(tried((), OPEN), tried(ALL, FAILS), tried((4,), FAILS), numbers=(4,))

    assert "whether it fails with none of that is open: it did in 10 of 20 trials" in said
    assert "4 stayed because nobody could tell" in said
    assert "without it" not in said.split("4 stayed", maxsplit=1)[0]


def test_nothing_to_blame() -> None:
    """Where it fails anyway, neither faults nor wordings are the reason."""
    said = text(tried((), FAILS), numbers=())

    assert "it fails without any of that, in 20 of 20 trials: neither faults nor wordings are the reason" in said


@pytest.mark.parametrize(
    ("whole", "sentence"),
    [
        (tried(ALL, PASSES), "it failed in 0 of 20 trials, less than 50 %: it fails too seldom to search; --rate asks"),
        (tried(ALL, OPEN), "it failed in 10 of 20 trials, and that is too few to tell: allow more --tries, or ask for"),
        (tried(ALL, OPEN, void=9, n=0), "no trial of it could be made, so nothing is known"),
    ],
)
def test_nothing_to_make_smaller(whole: Tried, sentence: str) -> None:
    """Where not even all faults together fail, the sentence says how often they do and what to try."""
    assert sentence in text(tried((), PASSES), whole, numbers=None)


def test_void_trials_are_counted_with_their_reason() -> None:
    """Void trials stand beside the table."""
    said = text(tried((), PASSES, void=2), tried(ALL, PASSES, void=1), numbers=None)

    assert "3 trials besides came out void and count for nothing: the desk is closed" in said


def test_numbers_in_a_row_are_drawn_together() -> None:
    """A set of many is written as rows of numbers."""
    said = text(tried((), PASSES), tried(ALL, FAILS), tried((1, 2, 4), FAILS), numbers=(1, 2, 4))

    assert " 1-6 20/20 " in said
    assert "with 1-2, 4 alone" in said


@pytest.mark.parametrize("width", [72, 80, 100, 160])
def test_nothing_is_wider_than_the_screen(width: int) -> None:
    """Whatever the names and numbers, only what is to be copied leaves the screen."""
    many = tuple(range(1, 400, 2))
    suspects = tuple(Suspect(number=one, name="f" * 90, part="p", tool="t" * 90, ordinal=one) for one in many)
    sets = (tried((), PASSES, n=12_345), tried(many, FAILS, n=12_345), tried(many[:100], OPEN, n=12_345))
    minimal = Minimal(suspects=suspects, tried=sets, numbers=many, rate=0.5, confidence=0.95)

    assert max(map(len, minimal_text(STORED, minimal, width=width).splitlines())) <= width


def test_names_do_no_harm() -> None:
    """What a terminal would obey is written out."""
    suspects = (Suspect(number=1, name="a\x1b[2Jb", part="p", tool="c\rd", ordinal=1),)
    minimal = Minimal(suspects=suspects, tried=(tried((1,), FAILS),), numbers=(1,), rate=0.5, confidence=0.95)

    assert not {"\x1b", "\r"} & set(minimal_text(STORED, minimal, line="x\x1b[2J"))
    assert not {"\x1b", "\r"} & set(minimal_short(minimal))


@pytest.mark.parametrize(
    ("numbers", "condition", "short"),
    [
        ((2,), "rate_limit(dose=once_at(2), match=pay)", "rate_limit(dose=once_at(2), match=pay)"),
        ((2, 3), "", "rate_limit at call 2 of pay, rate_limit at call 3 of pay"),
        ((), "", "clean"),
        (None, "", "-"),
    ],
)
def test_in_a_line(numbers: tuple[int, ...] | None, condition: str, short: str) -> None:
    """The condition, else the members; `clean` where none is needed, and a dash where nothing is known."""
    minimal = Minimal(suspects=SUSPECTS, tried=(), numbers=numbers, rate=0.5, confidence=0.95, condition=condition)

    assert minimal_short(minimal) == short


def test_json_holds_everything() -> None:
    """No set, number or reason of the screen is missing, and what is not there is null."""
    minimal = Minimal(
        suspects=SUSPECTS[:1], tried=(tried((), PASSES, void=1),), numbers=None, rate=0.5, confidence=0.95
    )
    said = json.loads(minimal_json(STORED, minimal, run="r", line=""))

    assert said == {
        "run": "r",
        "task": "pay",
        "index": 3,
        "condition": "rate_limit(rate=0.5)",
        "stored": "CRASH",
        "rate": 0.5,
        "confidence": 0.95,
        "suspects": [{"number": 1, "what": "rate_limit at call 1 of pay"}],
        "tried": [
            {
                "numbers": [],
                "failed": 0,
                "n": 20,
                "void": 1,
                "decision": "passes",
                "confidence": 0.99,
                "low": 0.2,
                "high": 0.9,
                "why": "the desk is closed",
            }
        ],
        "smallest": None,
        "doubtful": [],
        "smallest_as_condition": None,
        "again": None,
    }
