"""One seed for all trials of a task: the trials are alike as far as the seed decides, and the run says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import passhat
from passhat import faults, rules
from passhat.errors import UsageError
from passhat.model.dice import dice
from passhat.model.run import Header, Run
from passhat.model.verdict import Status
from tests.engine.drive import suite_of


class Shop:
    """A world with a tool."""

    def __init__(self) -> None:
        self.tools = {"look": lambda: "here"}


def drawing(message: str, *, seed: int) -> float:
    """An agent that draws from its seed and from nothing else."""
    return dice(seed).uniform("answer")


async def looking(message: str, tools: object) -> str:
    """An agent that calls a tool eight times, whatever becomes of it."""
    told = ""
    for _ in range(8):
        try:
            told += str(await tools.look())  # type: ignore[attr-defined]
        except passhat.errors.ToolError:
            told += "!"
    return told


def ran(agent: object, folder: Path, **options: object) -> Run:
    """A stored run of two tasks."""
    suite = suite_of(Shop, tasks=2)
    return passhat.run(suite, agent, store=str(folder / "runs.db"), trials=6, **options)  # type: ignore[arg-type]


def answers(run: Run, task: str) -> list[object]:
    """What the agent answered in the trials of a task."""
    return [trial.answer.output for trial in run.trials if trial.task_id == task and trial.answer is not None]


def test_all_trials_of_a_task_have_one_seed(tmp_path: Path) -> None:
    """An agent that draws from its seed answers all trials of a task alike, and those of another task otherwise."""
    run = ran(drawing, tmp_path, same_seed=True)
    first, second = answers(run, "task-0"), answers(run, "task-1")

    assert (len(first), len(second)) == (6, 6)
    assert (len(set(map(str, first))), len(set(map(str, second)))) == (1, 1)
    assert first[0] != second[0]


def test_usual_trials_have_seeds_of_their_own(tmp_path: Path) -> None:
    """Without it no two trials share a seed, and the first trial is that of the run of one seed."""
    run = ran(drawing, tmp_path)

    assert len(set(map(str, answers(run, "task-0")))) == 6
    assert answers(run, "task-0")[0] == answers(ran(drawing, tmp_path, same_seed=True), "task-0")[0]


def test_faults_fire_alike(tmp_path: Path) -> None:
    """A fault that fires at some calls fires at the same calls of every trial of a task."""
    under = [faults.rate_limit(retry_after=0.0).at(0.5)]
    one, many = (ran(looking, tmp_path, under=under, clean=False, same_seed=same) for same in (True, False))

    assert len(set(map(str, answers(one, "task-0")))) == 1
    assert "!" in str(answers(one, "task-0")[0])
    assert len(set(map(str, answers(many, "task-0")))) > 1


def test_run_keeps_that_it_had_one_seed(tmp_path: Path) -> None:
    """The stored run says so, and is another run than the same with many seeds."""
    one, many = ran(drawing, tmp_path, same_seed=True).header, ran(drawing, tmp_path).header

    assert (one.same_seed, many.same_seed) == (True, False)
    assert one.run_digest != many.run_digest
    assert one.design_digest == many.design_digest


def test_run_of_one_seed_cannot_go_on_with_many(tmp_path: Path) -> None:
    """A run is resumed as it was begun."""
    header: Header = ran(drawing, tmp_path, same_seed=True).header

    with pytest.raises(UsageError, match="one seed for all trials was True and is False now"):
        ran(drawing, tmp_path, resume=header.id)


def test_run_of_one_seed_carries_no_verdict(tmp_path: Path) -> None:
    """Ten trials of one seed are one trial seen ten times: a warning says it, and every rule is inconclusive."""
    summary = passhat.measure(ran(drawing, tmp_path, same_seed=True))
    verdict = passhat.judge(summary, rules.at_least("pass^1", 0.01))

    assert "all trials of a task had one seed" in summary.warnings[0]
    assert verdict.status is Status.INCONCLUSIVE
    assert [finding.broken_evidence for finding in verdict.findings if finding.rule == "trials are independent"] == [
        True
    ]
