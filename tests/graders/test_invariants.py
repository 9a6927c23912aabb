"""Invariants: what must hold of the trace and the state, however the job was done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from passhat import graders
from passhat.errors import UsageError
from passhat.graders import all_of, at_most_once, before, conserves, never
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.outcome import Outcome
from passhat.model.protocols import Grader
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade, Instead, ToolCall
from passhat.testing import NaiveRetrier
from tests.engine.drive import drive
from tests.recovery.desk import PAY, Desk, Lost, Refused
from tests.recovery.hand import call, fired, refused


def evidence(*trace: ToolCall, state: Json = None) -> Evidence:
    """The evidence of these calls."""
    return Evidence(task_id="t", input="go", expect="x", answer=Answer("x"), state=state, trace=trace)


def passed(grader: graders.Grader, *trace: ToolCall) -> bool:
    """Whether it passes these calls."""
    grade = grader.grade(evidence(*trace))
    assert isinstance(grade, Grade)
    assert grade.passed or grade.reason
    return grade.passed


def test_nothing_is_done_twice() -> None:
    """Two calls alike that upstream did are one too many; one that never reached it, and its own refusal, are none."""
    conflict = call(3, error="409 Conflict", reply=None)

    assert passed(at_most_once("pay"), refused(1), call(2), conflict)
    assert not passed(at_most_once("pay"), call(1), call(2))
    assert passed(at_most_once("pay"), call(1), call(2, arguments={"amount": 6}))
    assert passed(at_most_once("pay"), call(1, "other"), call(2, "other"))


def test_what_ran_in_the_place_of_another_tool_was_done() -> None:
    """A payment that ran where another tool was called counts, and the one in whose place it ran does not."""
    stray = call(1, "cancel", executed=0, instead=Instead(tool="pay", arguments={"amount": 5}))

    assert not passed(at_most_once("pay"), stray, call(2))
    assert passed(at_most_once("cancel"), stray, call(2, "cancel"))
    assert not passed(before("look", "pay"), stray, call(2, "look"))


def test_reads_are_counted_where_they_are_named() -> None:
    """Who names a tool means it, whatever the world declares."""
    assert not passed(at_most_once("lo*"), call(1, "look", write=False), call(2, "look", write=False))


def test_what_tells_calls_apart_may_be_named() -> None:
    """With `by`, calls are one where those arguments are; calls with the same key are done once."""
    one, other = ({"order": 7, "amount": amount, "idempotency_key": f"k{amount}"} for amount in (1, 2))
    twice = call(1, arguments=one), call(2, arguments=other)

    assert passed(at_most_once("pay"), *twice)
    assert not passed(at_most_once("pay", by=["order"]), *twice)
    assert passed(at_most_once("pay", by=["order"]), twice[0], call(2, arguments=one))


def test_lost_reply_counts_as_done() -> None:
    """A call that was done, and whose reply was lost, is done: a blind retry breaks the invariant."""
    suite = Suite(tasks=[Task("t", "Pay 5.")], grader=at_most_once("pay"), world=Desk)
    agent = NaiveRetrier(tool="pay", arguments=PAY)

    lost = drive(suite, agent, under=[Lost().at(match="pay")], clean=False).trial
    harmless = drive(suite, agent, under=[Refused().at(match="pay")], clean=False).trial

    assert (lost.outcome, lost.detail) == (Outcome.FAIL, 'pay("amount":5) was done 2 times')
    assert harmless.outcome is Outcome.PASS


def test_tool_that_says_nothing_is_judged_by_the_fault() -> None:
    """The error after a call of a tool without a reply is upstream's own, unless a fault that fired made it up."""
    calls = call(1, error="504 Gateway Timeout", reply=None), call(2, reply=None)
    own = evidence(*calls)

    assert passed(at_most_once("pay"), *calls)
    assert not at_most_once("pay").grade(replace(own, faults=(fired(1),))).passed


def test_one_thing_is_done_before_another() -> None:
    """The second may not be done before the first was; undone, neither matters."""
    look, pay = call(1, "look", write=False), call(2)

    assert passed(before("look", "pay"), look, pay)
    assert passed(before("look", "pay"), look)
    assert passed(before("look", "pay"))
    assert not passed(before("look", "pay"), pay, look)
    assert not passed(before("look", "p*"), refused(1, "look"), pay)


def test_trying_what_may_never_be_is_enough() -> None:
    """A call of the tool fails the trial, even one that was refused."""
    assert passed(never("delete_*"), call(1))
    assert not passed(never("delete_*"), refused(1, "delete_order"))


def paid_is_kept(evidence: Evidence) -> bool:
    """Nothing was paid that is not in the state."""
    return evidence.state == [5]


def is_small(evidence: Evidence) -> bool:
    """Few calls were made."""
    return len(evidence.trace) < 3


def breaks(evidence: Evidence) -> bool:
    """Look for what is not there."""
    return bool(evidence.task_id["refunds"])  # type: ignore[index]


def says_nothing(evidence: Evidence) -> bool:
    """Forget to answer."""
    return None  # type: ignore[return-value]


def test_broken_invariants_are_named() -> None:
    """The grade names each invariant that does not hold."""
    grade = conserves([paid_is_kept, is_small]).grade(evidence(call(1), state=[6]))

    assert not grade.passed
    assert grade.reason.endswith("paid_is_kept")
    assert conserves(is_small).grade(evidence()).passed


@pytest.mark.parametrize(("invariant", "sentence"), [(breaks, "TypeError"), (says_nothing, "neither True nor False")])
def test_invariant_that_raises_is_void(invariant: Callable[[Evidence], bool], sentence: str) -> None:
    """The trial says nothing about the agent; it names what was raised, and keeps its tool trace."""
    suite = Suite(tasks=[Task("t", "Pay 5.")], grader=conserves([is_small, invariant]), world=Desk)

    trial = drive(suite, NaiveRetrier(tool="pay", arguments=PAY)).trial

    assert trial.outcome is Outcome.VOID
    assert "the grader raised" in trial.detail
    assert sentence in trial.detail
    assert [call.tool for call in trial.trace] == ["pay"]


def test_all_must_pass() -> None:
    """Several graders are one: it passes where all do, and says which do not."""

    def graded(*some: Grader) -> Grade:
        suite = Suite(tasks=[Task("t", "Pay 5.", expect=[5])], grader=all_of(some), world=Desk)
        return drive(suite, NaiveRetrier(tool="pay", arguments=PAY)).trial.grades[0]

    good = graded(graders.end_state(), at_most_once("pay"))
    half = graded(graders.end_state(), never("pay"))

    assert (good.passed, good.score) == (True, 1.0)
    assert (half.passed, half.score, half.reason) == (False, 0.5, "never: it was called at step 1: pay")


def test_problems_of_all_are_gathered() -> None:
    """What any grader finds wrong with a task is known before anything runs."""
    found = all_of([graders.equals(), graders.end_state(), never("x")]).problems("t", None)

    assert len(found) == 2


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: never(""), "never: a tool is named by a text"),
        (lambda: before("a", 7), "before: a tool is named by a text"),  # type: ignore[arg-type]
        (lambda: at_most_once("a", by="order"), "at_most_once: by is a list of names, not 'order'"),
        (lambda: conserves([]), "conserves: name a function"),
        (lambda: conserves([7]), "an invariant is a function, not 7"),  # type: ignore[list-item]
        (lambda: all_of([]), "all_of: graders is a list of graders"),
    ],
)
def test_bad_settings_are_refused(make: Callable[[], object], sentence: str) -> None:
    """What a grader cannot work with is refused when it is made."""
    with pytest.raises(UsageError, match=sentence.replace("(", r"\(")):
        make()


def test_async_invariant_is_refused() -> None:
    """An invariant looks at what is there, and is not awaited."""

    async def later(evidence: Evidence) -> bool:
        return True

    with pytest.raises(UsageError, match="is async"):
        conserves(later)  # type: ignore[arg-type]
