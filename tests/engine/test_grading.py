"""A grader that cannot say pass or fail makes the trial VOID: it is never a pass, and never the agent's fault."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from passhat import graders
from passhat.graders.base import Grader
from passhat.model.outcome import Outcome
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade
from tests.engine.drive import Driven, drive, suite_of

LIMIT = 0.05


async def agent(message: str) -> str:
    """Answer what was asked."""
    return message


@dataclass(frozen=True, slots=True)
class Odd(Grader):
    """A grader that gives what it is told to give."""

    give: Callable[[], Any]

    @property
    def identity(self) -> str:
        """Its name."""
        return "odd()"

    def grade(self, evidence: Evidence) -> Any:  # noqa: ANN401 - that is the point
        """Give it."""
        return self.give()


def graded_by(give: Callable[[], Any], **options: Any) -> Driven:  # noqa: ANN401 - the options of a run
    """Two trials under a grader that gives this."""
    tasks = [Task(f"task-{number}", "please") for number in range(2)]
    return drive(Suite(tasks=tasks, grader=Odd(give)), agent, **options)


async def _awaited(value: object) -> object:
    await asyncio.sleep(0)
    return value


async def _never() -> object:
    await asyncio.Event().wait()
    return None


async def _cancelled() -> object:
    raise asyncio.CancelledError


async def _times_out() -> object:
    raise TimeoutError("the judge does not answer")


async def _nested() -> object:
    return _awaited(Grade("odd", passed=True))


def _interrupts() -> object:
    raise KeyboardInterrupt


async def _interrupts_async() -> object:
    raise KeyboardInterrupt


NO_GRADES: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "true": lambda: True,
    "text": lambda: "pass",
    "raises": lambda: 1 / 0,
    "exits": lambda: sys.exit(0),
    "interrupts": _interrupts,
    "async interrupts": _interrupts_async,
    "async none": lambda: _awaited(None),
    "async cancelled": _cancelled,
    "coroutine of a coroutine": _nested,
    "passed is a word": lambda: Grade("odd", passed="yes"),  # type: ignore[arg-type]
    "score is a word": lambda: Grade("odd", passed=True, score="high"),  # type: ignore[arg-type]
    "score is no number": lambda: Grade("odd", passed=True, score=float("nan")),
    "score above one": lambda: Grade("odd", passed=True, score=80),
    "reason is an object": lambda: Grade("odd", passed=True, reason=object()),  # type: ignore[arg-type]
    "grader is none": lambda: Grade(None, passed=True),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", NO_GRADES)
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_no_grade_voids_the_trial(name: str) -> None:
    """Whatever a grader gives instead of a grade, or raises, is VOID with a reason, and the run goes on."""
    driven = graded_by(NO_GRADES[name])

    assert [trial.outcome for trial in driven.trials] == [Outcome.VOID] * 2
    assert all("grader" in trial.detail for trial in driven.trials)


def test_grader_too_slow_voids_the_trial() -> None:
    """An async grader has a time limit."""
    driven = graded_by(_never, timeout=LIMIT)

    assert [trial.outcome for trial in driven.trials] == [Outcome.VOID] * 2
    assert all("took longer than 0.05 s" in trial.detail for trial in driven.trials)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_sync_grader_that_hangs_voids_its_trial_alone(concurrency: int) -> None:
    """A sync grader has the same time limit: one that hangs is left behind, and those in line behind it are graded."""
    hung = threading.Event()

    def judge(evidence: Evidence) -> bool:
        return evidence.task_id != "task-0" or hung.wait()

    driven = drive(suite_of(grade=judge, tasks=4), agent, timeout=LIMIT, concurrency=concurrency)

    assert "".join(trial.outcome.letter for trial in driven.trials) == "VPPP"
    assert driven.trials[0].detail == "the grader took longer than 0.05 s"


def test_sync_grader_waits_on_a_thread_while_agents_work() -> None:
    """While a sync grader waits, the trials of others go on: it has a thread of its own, and one for all trials."""
    answered, threads = threading.Event(), set()

    async def waits_for_nobody(message: str) -> str:
        if "order 1 " in message:
            answered.set()
        return message

    def judge(evidence: Evidence) -> bool:
        threads.add(threading.get_ident())
        return answered.wait()

    driven = drive(suite_of(grade=judge, tasks=2), waits_for_nobody, concurrency=2)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 2
    assert len(threads) == 1


def test_sync_graders_are_asked_one_after_the_other() -> None:
    """A grader need not be fit for several trials at once, however many run."""
    busy = threading.Lock()

    def judge(evidence: Evidence) -> bool:
        alone = busy.acquire(blocking=False)
        for _ in range(1_000):  # long enough for another to come in between
            str(evidence)
        busy.release()
        return alone

    driven = drive(suite_of(grade=judge, tasks=8), agent, trials=5, concurrency=8)

    assert {trial.outcome for trial in driven.trials} == {Outcome.PASS}


@pytest.mark.parametrize("name", ["equals", "async"])
def test_grader_that_needs_no_thread_gets_none(name: str) -> None:
    """One that only computes, and one that is to be awaited, are asked on the event loop."""
    here: list[int] = []

    async def judge(evidence: Evidence) -> bool:
        return threading.get_ident() in here

    async def answers(message: str) -> object:
        here.append(threading.get_ident())
        return OnThread(here)

    grader = graders.equals() if name == "equals" else graders.predicate(judge)
    suite = Suite(tasks=[Task("task", "please", expect="yes")], grader=grader)

    assert drive(suite, answers).trial.outcome is Outcome.PASS


class OnThread:
    """An answer that is what was expected, to whoever asks on one of these threads."""

    def __init__(self, threads: list[int]) -> None:
        self.threads = threads

    def __eq__(self, other: object) -> bool:
        return threading.get_ident() in self.threads

    __hash__ = None  # type: ignore[assignment]


def test_time_out_of_the_graders_own_is_told_as_such() -> None:
    """A grader whose service times out is not said to have been over passhat's limit."""
    trial = graded_by(_times_out).trials[0]

    assert trial.outcome is Outcome.VOID
    assert "the judge does not answer" in trial.detail


@pytest.mark.parametrize("passed", [True, False])
def test_async_grader_is_awaited(passed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """An async grader's word counts."""
    driven = graded_by(lambda: _awaited(Grade("odd", passed=passed, score=0.5, reason="so")))

    expected = Outcome.PASS if passed else Outcome.FAIL
    assert [(trial.outcome, trial.score, trial.detail) for trial in driven.trials] == [(expected, 0.5, "so")] * 2


def test_forgotten_await_in_a_predicate_voids_the_trial() -> None:
    """A predicate that returns a coroutine is VOID, and says what to do."""

    async def judge(evidence: Evidence) -> bool:
        return True

    trial = drive(suite_of(grade=lambda evidence: judge(evidence)), agent).trial  # noqa: PLW0108 - it hides the await

    assert trial.outcome is Outcome.VOID
    assert "async def" in trial.detail


def test_grader_sees_the_answer_as_it_was_given() -> None:
    """A grader gets the agent's own object, not what JSON made of it."""
    seen = []

    async def gives_a_set(message: str) -> set[str]:
        return {"a", "b"}

    def judge(evidence: Evidence) -> bool:
        seen.append(evidence.output)
        return True

    drive(suite_of(grade=judge), gives_a_set)

    assert seen == [{"a", "b"}]


def test_crash_is_not_graded() -> None:
    """Nobody asks a grader about a trial that gave no answer."""

    async def crashes(message: str) -> str:
        raise ValueError

    def judge(evidence: Evidence) -> bool:
        raise AssertionError

    assert drive(suite_of(grade=judge), crashes).trial.outcome is Outcome.CRASH
