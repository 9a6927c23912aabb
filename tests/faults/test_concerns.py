"""Which calls a fault counts: a dose counts those at which the fault can act, and a rate is not moved by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from passhat import faults
from passhat.faults import Fault
from passhat.model.condition import Condition, Phase
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom, once_at
from passhat.model.effect import Effect, Reply
from passhat.model.outcome import Outcome
from passhat.model.trial import Call, Trial
from tests.engine.drive import drive, suite_of
from tests.faults.desk import KINDS, Desk, Step

GET: Step = ("get_order", {"order": 7})
GET_OTHER: Step = ("get_order", {"order": 8})
LIST: Step = ("list_orders", {})
PAGE: Step = ("list_orders", {"cursor": "p2"})
SHIP: Step = ("ship", {"order": 7})
TRACK: Step = ("track", {"parcel": 7})
PLACE: Step = ("place", {"product": "mug"})


def trial_of(fault: Fault, script: Sequence[Step], dose: float | Dose | None = None, kind: str = "awaiting") -> Trial:
    """The trial of an agent that follows *script* under *fault* at every tool."""
    under = (Condition([fault.at(dose)]),)
    return drive(suite_of(Desk), KINDS[kind](script), under=under, clean=False).trial


@pytest.mark.parametrize(
    ("fault", "script", "step"),
    [
        (faults.stale_read(), [GET, SHIP, GET], 3),
        (faults.read_your_write_miss(), [GET, PLACE, LIST], 3),
        (faults.wrong_entity(how="history"), [LIST, GET_OTHER, GET], 3),
        (faults.wrong_tool(), [PLACE, GET], 2),
        (faults.empty_result(), [GET, GET, LIST], 1),
        (faults.lost_page(mode="repeat"), [LIST, GET, PAGE], 3),
        (faults.stream_cut(), [GET, PLACE, TRACK], 3),
    ],
    ids=str,
)
def test_once_is_the_first_call_that_it_can_act_at(fault: Fault, script: Sequence[Step], step: int) -> None:
    """Calls at which a fault could not do anything do not use up its dose."""
    assert [event.step for event in trial_of(fault, script, once_at(1)).faults] == [step]


class Declaring(Desk):
    """A desk that says which of its tools only read."""

    reads: ClassVar[tuple[str, ...]] = ("get_*", "list_*")


class Written(Desk):
    """A desk that says so, and has none."""

    reads: ClassVar[tuple[str, ...]] = ("look_*",)


@pytest.mark.parametrize(
    ("fault", "script", "declared", "undeclared"),
    [
        (faults.stale_read(), [GET, SHIP, PLACE, PLACE, GET], [5], [4, 5]),
        (faults.memory_drift(), [PLACE, GET, PLACE, GET], [2, 4], [1, 2, 3, 4]),
        (faults.read_your_write_miss(), [PLACE, LIST], [2], [2]),
    ],
    ids=str,
)
def test_fault_of_reads_leaves_writes_alone_where_they_are_known(
    fault: Fault, script: Sequence[Step], declared: list[int], undeclared: list[int]
) -> None:
    """What a write returned is no read; without a declared one, nobody could say which calls read."""

    def steps(world: type[Desk]) -> list[int]:
        trial = drive(suite_of(world), KINDS["awaiting"](script), under=(Condition([fault.at()]),), clean=False).trial
        return [event.step for event in trial.faults]

    assert (steps(Declaring), steps(Desk), steps(Written)) == (declared, undeclared, undeclared)


def test_usual_dose_reaches_a_fault_that_needs_a_past() -> None:
    """Without a word about the dose, a fault that needs a past fires where there is one."""
    assert [
        event.step for event in trial_of(faults.wrong_entity(how="history"), [GET, GET, GET_OTHER, GET]).faults
    ] == [3]


@dataclass(frozen=True, slots=True)
class Told(Fault):
    """Replies, and is concerned as *answer* says of a call."""

    phase: ClassVar[Phase] = Phase.PRE

    answer: Any = True

    def concerns(self, call: Call) -> bool:
        """Say so."""
        return self.answer(call) if callable(self.answer) else self.answer  # type: ignore[no-any-return]

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Reply."""
        return Reply("told")


def _fired(answer: Callable[[Call], bool], dose: float | Dose) -> list[int]:
    script = [GET, SHIP] * 20
    return [event.step for event in trial_of(Told(answer), script, dose).faults]


def _every(call: Call) -> bool:
    return call.ordinal > 0


def _ships(call: Call) -> bool:
    return call.tool == "ship"


def test_rate_is_not_moved_by_the_calls_that_do_not_count() -> None:
    """What fires at a rate is drawn by tool and ordinal: other calls that do not count change nothing."""
    everywhere = _fired(_every, 0.5)

    assert 4 < len(everywhere) < 36
    assert _fired(_ships, 0.5) == [step for step in everywhere if step % 2 == 0]


def test_permanent_dose_begins_at_a_call_that_counts() -> None:
    """The third call that counts is the sixth of the trial."""
    assert _fired(_ships, PermanentFrom(3))[:2] == [6, 8]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda call: call.ordinal // 0, "told raised ZeroDivisionError: integer division or modulo by zero"),
        (None, "told says None of whether it concerns a call, not True or False"),
    ],
)
def test_broken_answer_voids_the_trial(answer: object, said: str, kind: str) -> None:
    """A fault that cannot say whether a call concerns it says nothing about the agent; the call is in the trace."""
    trial = trial_of(Told(answer), [GET], once_at(1), kind)

    assert (trial.outcome, trial.detail) == (Outcome.VOID, said)
    assert [(call.error, call.executed) for call in trial.trace] == [(f"BrokenFault: {said}", 0)]
