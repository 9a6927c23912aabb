"""A placebo changes nothing but the way that calls take: no trial, no verdict, no count of faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import passhat
from passhat import Suite, Task, faults, graders, perturbations, rules
from passhat.errors import ToolError
from passhat.metrics import measure
from passhat.model.grammar import CLEAN
from passhat.model.run import Run
from passhat.model.trial import Evidence, Trial
from tests.engine.drive import drive, suite_of

PLACEBO = "placebo(dose=permanent_from(1))"
Step = tuple[str, int]


class Shop:
    """Tools that reply all kinds of things, at once or later, that fail, and that write."""

    reads = ("count", "describe")

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.shown = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """Each takes one number."""
        return {"take": self.take, "count": self.count, "describe": self.describe, "fail": self.fail}

    async def take(self, number: int) -> dict[str, object]:
        """A write, which takes a while."""
        await asyncio.sleep(0)
        self.taken.append(number)
        return {"taken": list(self.taken), "odd": (number, None)}

    def count(self, number: int) -> int:
        """A number."""
        return len(self.taken) + number

    def describe(self, number: int) -> object:
        """What JSON cannot hold as it is."""
        return [{number, -1}, b"bytes", 1.5][number % 3]

    def fail(self, number: int) -> None:
        """An error of the tool's own, or any other."""
        if number % 2:
            raise ToolError("conflict", "409 Conflict")
        raise ValueError(number)

    def snapshot(self) -> list[int]:
        """What was taken. Looking leaves no trace in it."""
        self.shown += 1
        return self.taken


def awaiting(script: Sequence[Step]) -> Callable[..., Any]:
    """An agent that makes these calls, and tells what it was told."""

    async def agent(message: str, tools: Any) -> object:  # noqa: ANN401 - the tools
        told: list[object] = [message]
        for tool, number in script:
            try:
                told.append(str(await tools.call(tool, number=number)))
            except ToolError as error:
                told.append(error.kind)
        return told

    return agent


def blocking(script: Sequence[Step]) -> Callable[..., Any]:
    """The same, for an agent that blocks its thread."""

    def agent(message: str, tools: Any) -> object:  # noqa: ANN401 - the tools
        told: list[object] = [message]
        for tool, number in script:
            try:
                told.append(str(tools.call(tool, number=number)))
            except ToolError as error:
                told.append(error.kind)
        return told

    return agent


def some(evidence: Evidence) -> bool:
    """Pass where something was taken, by what the grader is shown."""
    return bool(evidence.state) and not evidence.faults


def both(agent: Callable[..., Any]) -> tuple[Sequence[Trial], Sequence[Trial]]:
    """The contents of its clean trials, and of those under a placebo."""
    trials = drive(suite_of(Shop, tasks=2, grade=some), agent, under=(faults.placebo(),), trials=2).contents
    return [one for one in trials if one.condition == CLEAN], [one for one in trials if one.condition == PLACEBO]


STEPS = st.lists(
    st.tuples(st.sampled_from(["take", "count", "describe", "fail", "unknown"]), st.integers(0, 5)), max_size=6
)


@pytest.mark.parametrize("kind", [awaiting, blocking])
@settings(max_examples=20, deadline=None)
@given(script=STEPS)
def test_trial_is_the_clean_one(kind: Callable[[Sequence[Step]], Callable[..., Any]], script: Sequence[Step]) -> None:
    """Outcome, answer, trace, grades and end state are those of the clean trial; only the condition's name differs."""
    clean, placebo = both(kind(script))

    assert [replace(one, condition=CLEAN) for one in placebo] == clean


def test_every_call_takes_the_long_way() -> None:
    """The placebo is asked before and after every call: what it shows is what faults cost."""
    asked: list[str] = []

    class Watched(faults.Placebo):
        def on_call(self, call: Any, dice: Any) -> Any:  # noqa: ANN401 - as a fault has it
            asked.append(f"{call.tool} {call.ordinal}")
            return super().on_call(call, dice)

    drive(suite_of(Shop), awaiting([("take", 1), ("take", 2)]), under=(Watched().at(),), clean=False)

    assert asked == ["take 1", "take 2"]


SUITE = Suite(name="shop", tasks=[Task("take", "Take 3.", expect="[3]")], world=Shop, grader=graders.contains())


async def takes(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
    """An agent that always does the job."""
    del message
    return str((await tools.take(number=3))["taken"])


def made(folder: Path, *, under: Sequence[Any], trials: int = 8) -> Run:
    """A stored run of that agent."""
    return passhat.run(SUITE, takes, under=under, trials=trials, store=str(folder / "runs.db"))


def test_nobody_waits_for_it_to_fire(tmp_path: Path) -> None:
    """A run with a placebo is judged: it is no planned fault, so that it never fired is no reproach."""
    run = made(tmp_path, under=[faults.placebo()])
    summary = measure(run)

    verdict = rules.judge(summary, rules.at_least("pass@1", 0.5))

    assert verdict.status == "pass"
    assert not [warning for warning in summary.warnings if "fault" in warning]
    assert "faults are met" not in {finding.rule for finding in verdict.findings}
    assert sum(summary.tally.exposed) == 0


@pytest.mark.parametrize(
    "rule",
    [rules.no_silent_corruption(), rules.no_duplicate_effects(), rules.recovery_at_least(0.5), rules.fault_landed(0.5)],
)
def test_rules_on_faults_do_not_count_it(rule: rules.Rule, tmp_path: Path) -> None:
    """A rule on faults speaks of the conditions with a fault, and of a placebo never."""
    under = [faults.placebo(), faults.latency(seconds=0.0).at()]
    run = made(tmp_path, under=under)

    findings = rule.judge(measure(run, needed=rule.needs))

    assert {finding.condition for finding in findings} == {"latency(seconds=0.0, dose=once_at(1))"}


def test_beside_a_fault_it_is_not_what_landed(tmp_path: Path) -> None:
    """Joined with a fault, what is planned and what landed is that fault alone."""
    run = made(tmp_path, under=[faults.placebo() & faults.latency(seconds=0.0)], trials=4)
    (condition,) = run.header.conditions[1:]
    row = measure(run, needed=["landed_share"]).suite_row(condition)
    landed = None if row is None else row.get("landed_share")

    assert landed is not None
    assert (landed.c, landed.n) == (4, 4)
    assert {one.faults_planned for one in run.trials if one.condition == condition} == {("latency",)}


def test_report_shows_what_it_costs(tmp_path: Path) -> None:
    """Both reports say what the way of faults costs, in pairs, and the terminal shows it as a line of its own."""
    run = made(tmp_path, under=[faults.placebo(), faults.placebo() & perturbations.typos(0.1)])
    summary = measure(run)

    screen, page = passhat.render(summary), passhat.render(summary, format="markdown")

    assert "8 pairs of trials" in screen
    assert "0 [−42.2, +42.2] points" in screen
    assert "this run has no condition typos(0.1) to hold it against" in " ".join(screen.split())
    assert f"| `{PLACEBO}` | 0 \\[−42.2, +42.2\\] points |" in page


def test_report_without_a_placebo_says_nothing_of_it(tmp_path: Path) -> None:
    """Nobody reads of a placebo who has none."""
    summary = measure(made(tmp_path, under=[faults.latency(seconds=0.0)], trials=2))

    assert "pairs of" not in passhat.render(summary) + passhat.render(summary, format="markdown")
