"""Two trials are held against each other, call by call, and the first difference is shown."""

from __future__ import annotations

import pytest

from passhat.model.answer import Answer
from passhat.model.outcome import Outcome
from passhat.model.trial import Instead, Trial
from passhat.reports import diff_text, part
from tests.recovery.hand import SORRY, call, fired, refused, trial
from tests.reports.summaries import HOSTILE, hostile_trial

STRAY = Instead(tool="cancel", arguments={"amount": 5})
ONE = trial(call(1, "look"), call(2), call(3))


@pytest.mark.parametrize(
    ("other", "place", "differs"),
    [
        (trial(call(1, "look"), call(2, "refund"), call(3)), 1, ("tool",)),
        (trial(call(1, "look"), call(2, arguments={"amount": 6}), call(3)), 1, ("arguments",)),
        (trial(call(1, "look"), call(2, reply="no"), call(3)), 1, ("reply",)),
        (trial(call(1, "look"), call(2, executed=2), call(3)), 1, ("what upstream did",)),
        (trial(call(1, "look"), call(2, instead=STRAY), call(3)), 1, ("what upstream did",)),
        (trial(call(1, "look"), call(2), call(3), faults=(fired(2, effect="delay"),)), 1, ("fault",)),
        (trial(call(1, "look"), refused(2), faults=(fired(2),)), 1, ("fault", "reply", "what upstream did")),
        (trial(call(1, "look"), call(2)), 2, ("number of calls",)),
        (trial(), 0, ("number of calls",)),
    ],
)
def test_first_difference_is_found(other: Trial, place: int, differs: tuple[str, ...]) -> None:
    """The first call that differs is named, with all in which it does; the same from either side."""
    found, turned = part(ONE, other), part(other, ONE)

    assert (found.place, found.differs, found.same) == (place, differs, place)
    assert turned == found


def test_times_are_no_difference() -> None:
    """The same calls at another time are the same calls."""
    late = trial(call(1, "look", at=9.0), call(2, seconds=4.0), call(3))

    assert (part(ONE, late).place, part(ONE, late).differs) == (None, ())


def test_same_calls_may_end_differently() -> None:
    """Where all calls are alike, the answer, the end state and the outcome are held against each other."""
    other = trial(*ONE.trace, outcome=Outcome.FAIL, answer=SORRY, state=[5])

    assert part(ONE, other).differs == ("answer", "end state", "outcome")


def test_text_shows_both_sides_and_what_came_before() -> None:
    """A reader sees where the two part, what each did there, which fault fired, and the last calls before."""
    other = trial(call(1, "look"), refused(2), faults=(fired(2),), index=5, outcome=Outcome.FAIL)

    assert diff_text(ONE, other) == (
        "t\n"
        "  trial 0  PASS · clean · 3 calls\n"
        "  trial 5  FAIL · server_error(dose=once_at(1)) · 2 calls\n"
        "\n"
        "they part at call 2: fault, reply, what upstream did\n"
        "  trial 0\n"
        "    2  pay(amount=5) · 1.0 s\n"
        '       → "ok"\n'
        "  trial 5\n"
        "    2  pay(amount=5) · 1.0 s · upstream ran 0 times\n"
        "       ✗ 503 Service Unavailable\n"
        "       fault server_error (pre, explicit) at step 2, call 1 of pay: fail; upstream did not run; its\n"
        "             caller saw it\n"
        "\n"
        "the 1 call before is alike\n"
        "    1  look(amount=5) · 1.0 s\n"
        '       → "ok"\n'
    )


def test_text_shows_what_ran_instead_and_what_was_read_of_a_stream() -> None:
    """A call that another tool got says which; a stream that broke shows its items and its error."""
    other = trial(call(1, "look"), call(2, executed=0, instead=STRAY, error="reset", reply=["first"]))
    text = diff_text(ONE, other)

    assert "cancel(amount=5) ran instead" in text
    assert text.index('["first"]') < text.index("✗ reset")


def test_text_of_a_trial_that_stops_shows_how_it_ends() -> None:
    """Where one makes no further call, its answer stands there."""
    text = diff_text(ONE, trial(call(1, "look"), answer=Answer("Enough."), index=1))

    assert "makes no further call" in text
    assert 'PASS with the answer "Enough."' in text


def test_text_of_twins_says_so() -> None:
    """Two trials alike are said to be."""
    assert "they make the same 3 calls, and end alike" in diff_text(ONE, ONE)
    assert "neither calls a tool, and differ in answer" in diff_text(trial(), trial(answer=SORRY))


def test_one_index_under_two_conditions_is_named_by_those() -> None:
    """With the same index the conditions tell the two apart."""
    text = diff_text(ONE, trial(refused(1), faults=(fired(1),)))

    assert "  clean  PASS" in text
    assert "  server_error(dose=once_at(1))  PASS" in text


def test_another_wording_is_shown() -> None:
    """Two trials that were asked in other words may part because of it."""
    assert 'trial 1 was asked  "pleese"' in diff_text(trial(input="please"), trial(input="pleese", index=1))


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_is_harmless(text: str) -> None:
    """Whatever stands in a trial, nothing of it is obeyed by a terminal."""
    shown = diff_text(hostile_trial(text), ONE)

    assert all(char.isprintable() or char == "\n" for char in shown)
