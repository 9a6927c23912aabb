"""One trial on a screen says of every planned fault what became of it, and what it took beyond the clean trial."""

from __future__ import annotations

import pytest

from passhat.model.answer import Answer, Usage
from passhat.model.ledger import Declared
from passhat.model.trial import FaultEvent, ToolCall, Trial
from passhat.reports.trial import Beside, trial_text
from tests.recovery.hand import call, fired, refused, trial

PLANNED = ("server_error",)


def shown(made: Trial, *, clean: Trial | None = None) -> str:
    """The view, wide enough that nothing is wrapped."""
    return trial_text(made, width=160, beside=Beside(clean=clean))


@pytest.mark.parametrize(
    ("trace", "faults", "sentence"),
    [
        ((refused(1), call(2)), (fired(1),), "fired at 1 call, 1 seen by the agent"),
        (
            (refused(1), refused(2, part_of=1), call(3, part_of=1)),
            (fired(1), fired(2)),
            "fired at 2 calls, 0 seen by the agent, 2 absorbed below the agent",
        ),
        (
            (call(1, executed=2),),
            (fired(1, effect="forward", agent_visible=False),),
            "fired at 1 call, 0 seen by the agent, 1 without a sign",
        ),
        ((call(1, "look"),), (), "never reached, no call came at which it could fire"),
        ((call(1),), (), "did not fire, though a call came at which it could"),
    ],
)
def test_every_planned_fault_has_its_sentence(
    trace: tuple[ToolCall, ...], faults: tuple[FaultEvent, ...], sentence: str
) -> None:
    """How often it fired, who came to know of it, and where it did not fire, whether it could have."""
    condition = "server_error(dose=once_at(1), match=pay)"

    assert f"  planned  server_error: {sentence}\n" in shown(
        trial(*trace, faults=faults, faults_planned=PLANNED, condition=condition)
    )


def test_fault_under_a_name_that_nobody_can_read_just_did_not_fire() -> None:
    """Another tool named the condition: whether a call came for the fault is not known, and nothing is claimed."""
    made = trial(call(1), faults_planned=PLANNED, condition="their own (name")

    assert "  planned  server_error: did not fire\n" in shown(made)


def test_calls_that_belong_together_say_so() -> None:
    """What a layer below the agent made again names the call that it belongs to."""
    made = trial(refused(1), call(2, part_of=1), faults=(fired(1),), faults_planned=PLANNED)

    assert "· one call with step 1\n" in shown(made)
    assert "server_error at step 1: none (absorbed below the agent)\n" in shown(made)


def test_view_says_what_the_trial_took_beyond_its_clean_one() -> None:
    """Calls, tokens and seconds, in words; without a clean trial nothing is said."""
    usage = [Answer("Done.", claims_success=True, usage=Usage(output_tokens=count)) for count in (10, 35)]
    clean = trial(call(1), seconds=1.0, answer=usage[0])
    struck = trial(refused(1), call(2), faults=(fired(1),), seconds=3.5, answer=usage[1])

    assert "  took     1 call more, 25 tokens more, 2.5 s more than without faults\n" in shown(struck, clean=clean)
    assert "  took     " not in shown(struck)


def test_trial_may_take_less_than_its_clean_one() -> None:
    """Who gives up is done sooner."""
    clean = trial(call(1), call(2), seconds=3.0)
    struck = trial(refused(1), faults=(fired(1),), seconds=1.0)

    assert "1 call fewer, 2.0 s less than without faults" in shown(struck, clean=clean)


def test_detectors_that_fired_are_named_with_their_step() -> None:
    """The view says how a trial went off the rails and from which step of its trace on, unless that was declared."""
    circles = trial(call(1), *(call(step, "status", write=False) for step in range(2, 6)))
    declared = trial_text(circles, width=160, beside=Beside(declared=Declared(polling=("status",))))

    assert "loop: the same call with the same result, in a row, from step 4 on\n" in shown(circles)
    assert "off the rails" not in declared
    assert "off the rails" not in shown(trial(call(1)))


def test_view_goes_by_what_is_declared() -> None:
    """What may be done twice is no duplicate, and a tool for a person is a hand-over."""
    made = trial(refused(1), call(2, "ring"), call(3, "ring"), faults=(fired(1),))
    declared = Declared(handoff=("ring",), idempotent=("r*",))
    text = trial_text(made, width=160, beside=Beside(declared=declared))

    assert "ring was done 2 times alike" in shown(made)
    assert "ring was done 2 times alike" not in text
    assert "server_error at step 1: user-handoff" in text
