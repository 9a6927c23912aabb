"""A trial beside its clean trial: what was made once more, what went on as usual, and what is a loop."""

from __future__ import annotations

from typing import Any

import pytest

from passhat.model.answer import Answer
from passhat.model.circles import Turn, loop_end
from passhat.model.ledger import ledger
from passhat.model.outcome import Outcome
from passhat.model.paths import Reason, RecoveryPath
from passhat.model.recovery import recovery
from passhat.model.trial import ToolCall, Trial
from tests.recovery.hand import call, fired, refused, trial

LOOK: dict[str, Any] = {"arguments": {"order": 7}, "write": False}
SEVEN = {"order": 7, "amount": 5}
OTHER = {"order": 7, "amount": 0}


def look(step: int, **more: Any) -> ToolCall:  # noqa: ANN401 - the fields of a call
    """A read of one order."""
    return call(step, "get_order", **{**LOOK, **more})


def wrong(step: int) -> ToolCall:
    """The same with a reply that a fault has changed."""
    return look(step, reply={"total": 0}, upstream={"total": 5})


def paths(made: Trial, clean: Trial) -> list[str | None]:
    """The path of each fault, or the reason beside none."""
    said = recovery(made, clean=clean)
    assert said is not None
    return [one.reason if one.path is RecoveryPath.NONE else one.path for one in said.faults]


LIE = {"effect": "reply", "tool": "get_order"}
LOOKED_BEFORE = trial(look(1), look(2), call(3, arguments=SEVEN))


def test_usual_second_look_is_no_retry() -> None:
    """An agent that always looks twice has not looked again; one that looks a third time has."""
    paid_wrong = trial(wrong(1), look(2), call(3, arguments=OTHER), faults=(fired(1, **LIE),), outcome=Outcome.FAIL)
    paid = trial(wrong(1), look(2), look(3), call(4, arguments=SEVEN), faults=(fired(1, **LIE),))

    assert paths(paid_wrong, LOOKED_BEFORE) == [Reason.IGNORED]
    assert paths(paid, LOOKED_BEFORE) == [RecoveryPath.RETRY]


def test_call_made_again_after_an_error_is_a_retry() -> None:
    """An error is known to the agent: the same call right after it is a retry, however often it usually looks."""
    failed = look(1, error="503", reply=None, executed=0)
    made = trial(failed, look(2), call(3, arguments=SEVEN), faults=(fired(1, tool="get_order"),))

    assert paths(made, LOOKED_BEFORE) == [RecoveryPath.RETRY]


def test_usual_second_look_is_no_detection() -> None:
    """A look that the clean trial makes too shows nothing of the agent's care."""
    made = trial(wrong(1), look(2), call(3, arguments=SEVEN), faults=(fired(1, **LIE),))
    said = recovery(made, clean=LOOKED_BEFORE)

    assert said is not None
    assert said.faults[0].detected is False


def test_call_to_which_the_agent_always_comes_back_is_no_retry() -> None:
    """An error that was passed over is not made up for by the look with which the agent always ends."""
    clean = trial(look(1), call(2, arguments=SEVEN), look(3))
    passed_over = trial(
        look(1, error="503", reply=None, executed=0),
        call(2, arguments=OTHER),
        look(3),
        faults=(fired(1, tool="get_order"),),
        outcome=Outcome.FAIL,
    )

    assert paths(passed_over, clean) == [Reason.IGNORED]


def test_second_look_that_is_not_believed_makes_up_for_nothing() -> None:
    """Who looks again, hears the truth and does what it would not have done has not recovered."""
    clean = trial(call(1, arguments=SEVEN), look(2))
    made = trial(
        call(1, arguments=SEVEN),
        wrong(2),
        look(3),
        call(4, arguments=SEVEN),
        faults=(fired(2, **LIE),),
        outcome=Outcome.FAIL,
    )

    assert paths(made, clean) == [Reason.IGNORED]


def test_first_of_two_second_looks_is_still_one() -> None:
    """What was asked again and heard stays a retry, whatever a later wrong look leads to."""
    clean = trial(look(1), look(2))
    made = trial(
        wrong(1),
        look(2),
        wrong(3),
        look(4),
        call(5, arguments=SEVEN),
        faults=(fired(1, **LIE), fired(3, **LIE)),
        outcome=Outcome.FAIL,
    )

    assert paths(made, clean) == [RecoveryPath.RETRY, Reason.IGNORED]


def test_look_at_something_else_verifies_nothing() -> None:
    """A look that names another thing than the write does not show that the write was made."""
    lost = call(1, arguments=SEVEN, error="504", reply=None, upstream="ok")
    here, there = look(2), look(2, arguments={"order": 8})

    assert paths(trial(lost, here, faults=(fired(1),)), trial(call(1, arguments=SEVEN))) == [RecoveryPath.FALLBACK]
    assert paths(trial(lost, there, faults=(fired(1),)), trial(call(1, arguments=SEVEN))) == [Reason.IGNORED]


def test_write_that_was_done_and_is_done_again_after_a_look_is_another_way() -> None:
    """A look that showed the write makes the second one no repetition of the first, whose reply was wrong."""
    hidden = call(2, arguments=SEVEN, reply={"error": "timed out"}, upstream="ok")
    clean = trial(look(1), call(2, arguments=SEVEN))
    twice = trial(wrong(1), hidden, look(3), call(4, arguments=SEVEN), faults=(fired(1, **LIE),), outcome=Outcome.FAIL)

    assert paths(twice, clean) == [Reason.IGNORED]


def test_look_after_a_write_that_nobody_wanted_makes_up_for_nothing() -> None:
    """A wrong reply to a write that the clean trial does not make is not verified by the looks that follow."""
    stray = call(1, arguments=OTHER, reply={"error": "timed out"}, upstream="ok")
    made = trial(stray, look(2), faults=(fired(1, effect="reply"),), outcome=Outcome.FAIL)

    assert paths(made, trial(call(1, arguments=SEVEN))) == [Reason.IGNORED]
    assert paths(made, trial(call(1, arguments=OTHER))) == [RecoveryPath.FALLBACK]


def test_wrong_reply_after_which_all_went_as_usual_did_no_harm() -> None:
    """In a trial that failed, only what came before the agent went another way than usual counts as ignored."""
    clean = trial(look(1), call(2, arguments=SEVEN), call(3, "note"))
    odd = call(3, "note", reply="?", upstream="ok")
    made = trial(
        wrong(1), call(2, arguments=OTHER), odd, faults=(fired(1, **LIE), fired(3, **LIE)), outcome=Outcome.FAIL
    )

    assert paths(made, clean) == [Reason.IGNORED, Reason.UNAFFECTED]


def test_wrong_reply_and_another_answer() -> None:
    """An answer that is not the clean trial's is another way to end."""
    clean = trial(look(1), answer=Answer("5"))
    made = trial(wrong(1), answer=Answer("0"), faults=(fired(1, **LIE),), outcome=Outcome.FAIL)

    assert paths(made, clean) == [Reason.IGNORED]


def test_next_step_is_no_way_round() -> None:
    """A call that shares an argument by chance, but is the clean trial's next one, is no fallback."""
    first, second = ({"order": order, "amount": 5} for order in (7, 8))
    clean = trial(call(1, arguments=first), call(2, arguments=second))
    made = trial(
        refused(1, arguments={"order": 7, "amount": 0}),
        call(2, arguments={"order": 8, "amount": 0}),
        faults=(fired(1),),
        outcome=Outcome.FAIL,
    )

    assert paths(made, clean) == [Reason.IGNORED]


def test_refusal_of_what_was_done_answers_a_wrong_reply_too() -> None:
    """Whether an error or a wrong reply hid it: upstream's own no says that the write was made."""
    hidden = call(1, reply={"error": "timed out"}, upstream="ok")
    made = trial(hidden, call(2, error="409 Conflict: it was paid", reply=None), faults=(fired(1, effect="reply"),))

    assert paths(made, trial(call(1))) == [RecoveryPath.RETRY]


def test_key_that_was_used_up_has_no_second_effect() -> None:
    """A try that carries a key which has taken effect does nothing more, so there is nothing more to know of."""
    keyed = {"amount": 5, "idempotency_key": "a"}
    lost = [call(step, arguments=keyed, error="504", reply=None, upstream="ok") for step in (1, 2)]

    found = ledger(trial(*lost, faults=(fired(1), fired(2))))

    assert found.unknown == (1,)
    assert [entry.effects for entry in found.entries] == [1, 0]


def turns(*results: str, true: bool = True, operation: str = "look") -> list[Turn]:
    """Calls of one operation with these results."""
    return [Turn(place=at, operation=operation, true=true, result=one) for at, one in enumerate(results)]


@pytest.mark.parametrize(
    ("row", "end"),
    [
        (turns("a", "a"), 0),
        (turns("a", "a", "a"), 3),
        (turns("a", "b", "c", "d", "e", "f", "g"), 0),
        (turns("a", "b", "a", "b", "a"), 5),
        (turns("x", "x", "x", "x", "x", true=False), 0),
        (turns("x", "y", "x", "y", "x", "y", true=False), 6),
    ],
    ids=["two", "three", "news", "three of one kind", "five tries", "six tries"],
)
def test_row_of_one_call_is_a_loop_where_it_brings_no_news(row: list[Turn], end: int) -> None:
    """Three true replies that are the same, or six calls without news; tries and polls with news are none."""
    assert loop_end(row) == end


def test_fault_that_strikes_within_a_loop_belongs_to_it() -> None:
    """Whichever call of the loop was struck, the agent was going round; what strikes after it is something else."""
    looks = [look(step) for step in range(2, 6)]
    within = look(6, error="503", reply=None, executed=0)
    made = trial(
        refused(1),
        *looks,
        within,
        refused(7, "note"),
        faults=(fired(1), fired(6), fired(7)),
        outcome=Outcome.FAIL,
        answer=Answer("Sorry.", claims_success=False),
    )

    assert paths(made, trial(call(1))) == [Reason.LOOPED, Reason.LOOPED, Reason.GAVE_UP]
