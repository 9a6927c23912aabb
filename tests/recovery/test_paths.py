"""Paths that no scripted agent takes, and what a fault costs: each rule, and the order of the rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from passhat.faults import Fault
from passhat.model.answer import Answer
from passhat.model.ledger import UNANSWERED, Declared, Told
from passhat.model.outcome import Outcome
from passhat.model.paths import FaultRecovery, Reason, RecoveryPath
from passhat.model.protocols import Tools
from passhat.model.recovery import Aftermath, EndState, amplification, claims_success, recovery
from passhat.model.trial import Trial
from passhat.testing import Lies, NaiveRetrier, Scripted
from tests.recovery.desk import PAY, Failed, Lost, Phantom, Refused, Silence, Slow, Twice, Wrong, passes, trials_of
from tests.recovery.hand import DONE, SORRY, call, fired, refused, trial

FIRST = (fired(1),)
WRONG = call(1, reply=7, upstream=5)
LIED = (fired(1, effect="reply"),)


def only(made: Trial, **more: Any) -> FaultRecovery:  # noqa: ANN401 - the options of `recovery`
    """How the one fault was taken."""
    said = recovery(made, **more)
    assert said is not None
    (fault,) = said.faults
    return fault


def test_retry_is_credited_with_what_it_took() -> None:
    """Calls and seconds count from the end of the struck call to the end of the one that made up for it."""
    fault = only(trial(refused(1), call(2, "other"), call(3), call(4), faults=FIRST))

    assert (fault.path, fault.calls, fault.seconds) == (RecoveryPath.RETRY, 2, 2.0)


def test_retry_with_another_key_is_the_same_call() -> None:
    """A declared key is no part of what is asked for."""
    one, other = ({"amount": 5, "key": key} for key in "ab")
    made = trial(refused(1, arguments=one), call(2, arguments=other), faults=FIRST)

    assert only(made, declared=Declared(keys=("key",))).path is RecoveryPath.RETRY
    assert only(made).path is not RecoveryPath.RETRY


def test_call_in_the_same_turn_is_no_retry() -> None:
    """A call that was begun before the struck one had ended is no answer to its failure."""
    made = trial(refused(1), call(2, at=1.5), faults=FIRST, outcome=Outcome.FAIL, answer=SORRY)

    assert only(made).path is RecoveryPath.NONE


def test_call_that_never_came_back_may_be_made_again_meanwhile() -> None:
    """What was never answered ended with the trial, so that any later call answers to it."""
    silent = call(1, error=UNANSWERED, reply=None, executed=0, seconds=60.0)

    assert only(trial(silent, call(2), faults=(fired(1, effect="hang"),))).path is RecoveryPath.RETRY


async def _impatient(message: object, tools: Tools) -> Answer:
    """Wait for a short time, and then call again."""
    try:
        await asyncio.wait_for(tools.call("pay", **PAY), 0.01)
    except TimeoutError:
        await tools.call("pay", **PAY)
    return DONE


@pytest.mark.parametrize(("late", "aftermath"), [(False, Aftermath.RECOVERED), (True, Aftermath.SILENT_CORRUPTION)])
def test_agent_with_a_time_limit_of_its_own_is_seen_to_retry(late: bool, aftermath: Aftermath) -> None:  # noqa: FBT001 - a parameter of a test
    """A call that the agent itself cut off told it nothing; made again, it may have been done before."""
    ((made, _),) = trials_of(_impatient, [Silence(after=late).at(match="pay")])
    said = recovery(made)

    assert said is not None
    assert said.ledger.entries[0].told is Told.NOTHING
    assert (said.path, said.aftermath) == (RecoveryPath.RETRY, aftermath)


def test_refusal_of_what_was_done_is_a_retry() -> None:
    """The retry of a lost write that upstream refuses as done tells the agent how things stand."""
    lost = call(1, error="504 Gateway Timeout", reply=None, upstream="ok")
    conflict = call(2, error="409 Conflict: it was paid", reply=None)
    made = trial(lost, conflict, faults=FIRST)
    slow = recovery(trial(lost, conflict, faults=(*FIRST, fired(2, effect="delay"))))

    assert only(made).path is RecoveryPath.RETRY
    assert slow is not None
    assert slow.faults[0].path is RecoveryPath.RETRY
    assert recovery(made).aftermath is Aftermath.RECOVERED  # type: ignore[union-attr]


def test_tool_of_a_declared_group_is_a_fallback() -> None:
    """Another tool that is declared to stand in counts; one that is not does not."""
    made = trial(refused(1), call(2, "pay_by_phone"), faults=FIRST)
    declared = Declared(substitutes=(("pay", "pay_by_phone"),))

    assert only(made, declared=declared).path is RecoveryPath.FALLBACK
    assert only(made).path is RecoveryPath.NONE


def test_other_arguments_are_a_fallback_where_they_are_new() -> None:
    """The same tool asked otherwise about one thing makes up for it, unless the clean trial asks that too."""
    first, other = ({"order": 7, "by": by} for by in ("card", "cash"))
    made = trial(refused(1, arguments=first), call(2, arguments=other), faults=FIRST)

    assert only(made).path is RecoveryPath.FALLBACK
    assert only(made, clean=trial(call(1, arguments=first))).path is RecoveryPath.FALLBACK
    assert only(made, clean=trial(call(1, arguments=first), call(2, arguments=other))).path is RecoveryPath.NONE


def test_call_about_something_else_is_no_fallback() -> None:
    """The same tool asked for something with which it shares no argument is the next job, and no way round."""
    made = trial(refused(1, arguments={"order": 7}), call(2, arguments={"order": 8}), faults=FIRST)

    assert only(made).path is RecoveryPath.NONE


def test_usual_look_is_no_verification() -> None:
    """A read that the clean trial makes as often tells nothing of the agent's care."""
    lost = call(1, error="504", reply=None, upstream="ok")
    look = call(2, "payments", write=False)
    made = trial(lost, look, faults=FIRST)

    assert only(made).path is RecoveryPath.FALLBACK
    assert only(made, clean=trial(call(1), look)).path is RecoveryPath.NONE
    assert only(made, clean=trial(call(1))).path is RecoveryPath.FALLBACK


def test_look_that_is_wrong_itself_verifies_nothing() -> None:
    """A read whose reply was changed does not show that the write was made."""
    lost = call(1, error="504", reply=None, upstream="ok")
    look = call(2, "payments", write=False, reply=[], upstream=[5])
    said = recovery(trial(lost, look, faults=(fired(1), fired(2, effect="reply"))))

    assert said is not None
    assert said.faults[0].path is RecoveryPath.NONE


def test_person_who_was_called_before_is_no_hand_over() -> None:
    """A tool for a person counts from the fault on."""
    made = trial(call(1, "ring"), refused(2), faults=(fired(2),), answer=SORRY, outcome=Outcome.FAIL)

    assert only(made, declared=Declared(handoff=("ring",))).path is RecoveryPath.NONE


def test_success_that_never_happened_is_not_correct() -> None:
    """Where the grader passes everything, a write that the agent believes in makes it a false success."""
    agent = NaiveRetrier(tool="pay", arguments=PAY)
    ((made, _),) = trials_of(agent, [Phantom().at(match="pay")], grade=passes)
    said = recovery(made)

    assert said is not None
    assert (made.outcome, said.aftermath) == (Outcome.PASS, Aftermath.FALSE_SUCCESS)


def test_tool_for_a_person_is_a_hand_over() -> None:
    """A declared tool that was called after the fault hands over, and the plain answer beside it claims nothing."""
    made = trial(refused(1), call(2, "call_a_person"), faults=FIRST, answer=Answer("Wait."), outcome=Outcome.FAIL)
    declared = Declared(handoff=("call_a_person",))

    assert only(made, declared=declared).path is RecoveryPath.HANDOFF
    assert not claims_success(made, declared=declared)
    assert claims_success(made)


def test_words_are_no_hand_over() -> None:
    """What the answer's prose says of a colleague scores nothing."""
    made = trial(refused(1), faults=FIRST, answer=Answer("I escalate this to customer service."), outcome=Outcome.FAIL)

    assert only(made).path is RecoveryPath.NONE


@pytest.mark.parametrize(
    ("answer", "outcome", "claims"),
    [
        (Answer("Done."), Outcome.PASS, True),
        (Answer("Done."), Outcome.FAIL, True),
        (Answer("Done.", handoff=True), Outcome.FAIL, False),
        (Answer("Done.", claims_success=False), Outcome.PASS, False),
        (DONE, Outcome.CRASH, False),
        (None, Outcome.TIMEOUT, False),
    ],
)
def test_plain_answer_claims_success(answer: Answer | None, outcome: Outcome, claims: bool) -> None:  # noqa: FBT001 - a parameter
    """An answer claims success unless it says otherwise; who crashed or ran out of time claims nothing."""
    assert claims_success(trial(answer=answer, outcome=outcome)) is claims


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        ([call(step, "look", write=False) for step in range(2, 5)], Reason.LOOPED),
        ([call(step, "look", write=False) for step in range(2, 4)], Reason.GAVE_UP),
        ([call(step, "look", write=False, reply=step) for step in range(2, 9)], Reason.GAVE_UP),
        ([call(step, "ab"[step % 2], write=False) for step in range(2, 8)], Reason.LOOPED),
        ([refused(step) for step in range(2, 6)], Reason.GAVE_UP),
        ([refused(step) for step in range(2, 7)], Reason.LOOPED),
    ],
    ids=["three alike", "two alike", "news each time", "two in turn", "four tries", "five tries"],
)
def test_going_round_is_told_from_trying(trace: list[Any], reason: Reason) -> None:
    """Three calls with the same result are a loop, and so are more than four failing tries; bounded tries are none."""
    assert only(trial(refused(1), *trace, faults=FIRST, answer=SORRY, outcome=Outcome.FAIL)).reason is reason


def test_polling_tool_may_be_asked_again() -> None:
    """A tool that is declared as polled does not make a loop."""
    polls = [call(step, "status", write=False) for step in range(2, 9)]
    made = trial(refused(1), *polls, faults=FIRST, answer=SORRY, outcome=Outcome.FAIL)

    assert only(made, declared=Declared(polling=("status",))).reason is Reason.GAVE_UP


@pytest.mark.parametrize(
    ("at", "violations"), [(2.0, 1), (31.9, 1), (32.0, 0), (90.0, 0)], ids=["at once", "early", "in time", "late"]
)
def test_coming_back_too_early_is_counted(at: float, violations: int) -> None:
    """A call of the same tool before the error's own Retry-After is over is a violation; the read between is none."""
    struck = refused(1, error="429 Too Many Requests. Retry-After: 30")
    look = call(2, "payments", write=False, at=2.0, seconds=0.0)

    assert only(trial(struck, look, call(3, at=at), faults=FIRST)).violations == violations


def test_second_look_makes_up_for_a_wrong_one() -> None:
    """A read that was changed is made up for by the same read before the next write, and not after it."""
    wrong = call(1, "look", write=False, reply=7, upstream=5)
    again = call(2, "look", write=False)

    timely, late = only(trial(wrong, again, call(3), faults=LIED)), only(trial(wrong, call(2), again, faults=LIED))

    assert (timely.path, timely.detected) == (RecoveryPath.RETRY, True)
    assert (late.path, late.detected) == (RecoveryPath.NONE, False)


def test_refraining_is_noticing() -> None:
    """Who writes nothing more and claims nothing has noticed; who claims success has not."""
    wrong = call(1, "look", write=False, reply=7, upstream=5)

    assert only(trial(wrong, faults=LIED, answer=SORRY, outcome=Outcome.FAIL)).detected is True
    assert only(trial(wrong, faults=LIED, outcome=Outcome.FAIL)).detected is False
    assert only(trial(wrong, faults=LIED, answer=None, outcome=Outcome.CRASH)).detected is False


def test_wrong_value_that_was_used_is_ignored() -> None:
    """Where the trial failed the bad value was used; where it passed it was not needed."""
    assert only(trial(WRONG, faults=LIED, outcome=Outcome.FAIL)).reason is Reason.IGNORED
    assert only(trial(WRONG, faults=LIED)).reason is Reason.UNAFFECTED


def test_fault_below_the_agent_is_absorbed() -> None:
    """A failure after which the same call came back whole is nobody's merit here."""
    fault = only(trial(call(1, upstream="ok"), faults=(fired(1, agent_visible=False),)))

    assert (fault.path, fault.reason, fault.absorbed) == (RecoveryPath.NONE, Reason.UNAFFECTED, True)


def test_worst_path_is_the_trials() -> None:
    """With several faults the trial's path is the worst of theirs."""
    made = trial(refused(1), call(2), refused(3, "b"), faults=(fired(1), fired(3)), outcome=Outcome.FAIL)
    said = recovery(made)

    assert said is not None
    assert [fault.path for fault in said.faults] == [RecoveryPath.RETRY, RecoveryPath.NONE]
    assert said.path is RecoveryPath.NONE
    assert RecoveryPath.worst([RecoveryPath.RETRY, RecoveryPath.HANDOFF, RecoveryPath.FALLBACK]) == "user-handoff"


def test_void_trial_gets_no_word() -> None:
    """What the surroundings spoiled says nothing about the agent."""
    assert recovery(trial(refused(1), faults=FIRST, outcome=Outcome.VOID)) is None


@pytest.mark.parametrize(
    ("before", "after", "end"), [([], [], EndState.UNCHANGED), ([], [5], EndState.WRONG), (None, [5], EndState.WRONG)]
)
def test_failed_trial_is_judged_by_its_states(before: Any, after: Any, end: EndState) -> None:  # noqa: ANN401 - JSON
    """A trial that did not pass left the world as it was, or wrong; without a first state the ledger decides."""
    made = trial(refused(1), call(2), faults=FIRST, outcome=Outcome.FAIL, state_before=before, state=after)
    said = recovery(made)

    assert said is not None
    assert said.end is end


@pytest.mark.parametrize("states", [{}, {"state_before": [], "state": ["ticket 1"]}], ids=["unseen", "seen"])
@pytest.mark.parametrize(
    ("trace", "aftermath"),
    [
        ((refused(1), call(2, "open_ticket")), Aftermath.SAFE_FAILURE),
        ((call(1, "reserve"), refused(2), call(3, "open_ticket")), Aftermath.LOUD_CORRUPTION),
    ],
    ids=["nothing else", "half the job"],
)
def test_calling_a_person_leaves_the_world_unchanged(
    trace: Any,  # noqa: ANN401 - calls
    aftermath: Aftermath,
    states: Any,  # noqa: ANN401 - snapshots
) -> None:
    """The ticket that a declared tool opens is the hand-over itself, and no corruption."""
    made = trial(*trace, faults=(fired(len(trace) - 1),), outcome=Outcome.FAIL, answer=Answer("Later."), **states)
    said = recovery(made, declared=Declared(handoff=("open_ticket",)))

    assert said is not None
    assert (said.path, said.aftermath) == (RecoveryPath.HANDOFF, aftermath)


@pytest.mark.parametrize(
    ("trace", "after", "aftermath"),
    [
        ((refused(1), call(2, "pay_by_phone")), [5], Aftermath.RECOVERED),
        ((refused(1), call(2, "pay_by_phone")), [5, 1], Aftermath.SILENT_CORRUPTION),
        ((refused(1), call(2, "pay_by_phone")), [], Aftermath.FALSE_SUCCESS),
        ((refused(1), call(2, "log_in")), [5], Aftermath.SILENT_CORRUPTION),
    ],
    ids=["another way", "and too much", "to nothing", "nothing more than usual"],
)
def test_tool_that_nobody_declared_may_lead_to_the_same_state(
    trace: Any,  # noqa: ANN401 - calls
    after: list[int],
    aftermath: Aftermath,
) -> None:
    """What a fault kept away was done after all where another write left the world as the clean trial left it."""
    made = trial(*trace, faults=FIRST, state_before=[], state=after)
    said = recovery(made, clean=trial(call(1), call(2, "log_in"), state_before=[], state=[5]))

    assert said is not None
    assert (said.path, said.aftermath) == (RecoveryPath.NONE, aftermath)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Slow(), (RecoveryPath.NONE, Reason.UNAFFECTED, None, Aftermath.RECOVERED)),
        (Wrong(), (RecoveryPath.NONE, Reason.UNAFFECTED, False, Aftermath.RECOVERED)),
        (Phantom(), (RecoveryPath.NONE, Reason.IGNORED, False, Aftermath.FALSE_SUCCESS)),
        (Twice(), (RecoveryPath.NONE, Reason.IGNORED, None, Aftermath.SILENT_CORRUPTION)),
    ],
    ids=lambda one: type(one).__name__ if not isinstance(one, tuple) else "",
)
@pytest.mark.parametrize("agent", [NaiveRetrier, Lies, Scripted])
def test_agent_that_trusts_takes_implicit_faults_as_they_come(
    agent: Callable[..., Any],
    fault: Fault,
    expected: tuple[object, ...],
) -> None:
    """Where no error is seen, agents that differ in how they meet errors are all alike."""
    ((made, clean),) = trials_of(agent(tool="pay", arguments=PAY), [fault.at(match="pay")])
    said = recovery(made, clean=clean)

    assert said is not None
    (one,) = said.faults
    assert (one.path, one.reason, one.detected, said.aftermath) == expected


async def _checks(message: object, tools: Tools) -> Answer:
    """Pay, look, and pay again where nothing was paid."""
    await tools.call("pay", **PAY)
    if not await tools.call("payments"):
        await tools.call("pay", **PAY)
    return DONE


def test_who_looks_after_a_write_finds_that_it_never_happened() -> None:
    """A success that was made up is noticed and made up for by an agent that looks."""
    ((made, clean),) = trials_of(_checks, [Phantom().at(match="pay")])
    said = recovery(made)

    assert said is not None
    assert (said.faults[0].path, said.faults[0].detected) == (RecoveryPath.RETRY, True)
    assert said.aftermath is Aftermath.RECOVERED
    assert made.state == clean.state == [5]


@pytest.mark.parametrize(("late", "aftermath"), [(False, Aftermath.SAFE_FAILURE), (True, Aftermath.LOUD_CORRUPTION)])
def test_silence_ends_in_a_time_out(late: bool, aftermath: Aftermath) -> None:  # noqa: FBT001 - a parameter of a test
    """Who waits for ever claims nothing; what was done all the same stays done."""
    ((made, _),) = trials_of(
        NaiveRetrier(tool="pay", arguments=PAY), [Silence(after=late).at(match="pay")], timeout=0.05
    )
    said = recovery(made)

    assert said is not None
    assert (said.path, said.faults[0].reason) == (RecoveryPath.NONE, Reason.TIMED_OUT)
    assert said.aftermath is aftermath


def test_two_faults_are_taken_each_by_itself() -> None:
    """A call that was refused and, tried again, lost its reply has met two faults."""
    under = [Refused().at(match="pay"), Lost().at(1.0, match="pay")]
    ((made, _),) = trials_of(NaiveRetrier(tool="pay", arguments=PAY, retries=1), under)
    said = recovery(made)

    assert said is not None
    assert [(one.fault, one.step) for one in said.faults] == [("refused", 1), ("lost", 2)]
    assert said.aftermath is Aftermath.OVER_CAUTIOUS


def test_amplification_counts_calls_against_what_was_needed() -> None:
    """Calls per call of the clean trial; without one, per operation; of no call it is nothing."""
    ((made, clean),) = trials_of(NaiveRetrier(tool="pay", arguments=PAY), [Failed().at(match="pay")])

    assert amplification(made, clean=clean) == amplification(made) == 2.0
    assert amplification(made, clean=trial(call(1), call(2), call(3), call(4))) == 0.5
    assert amplification(trial()) is None
