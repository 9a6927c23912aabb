"""Going on with a run that stopped: only where it is the same run, and only with the trials that it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from passhat.engine.plan import Plan
from passhat.errors import UsageError
from passhat.model.run import Header


def resumed(plan: Plan, header: Header) -> Plan:
    """*plan* as the continuation of the run with *header*; refused, with what differs, where it is another run."""
    differs = _differences(plan.header, header)
    if differs:
        raise UsageError(*(f"run {header.id} cannot go on like this: {difference}" for difference in differs))
    tasks = {task.id: task for task in plan.tasks}
    conditions = {condition.name: condition for condition in plan.conditions}
    return Plan(
        header,
        tasks=tuple(tasks[task.id] for task in header.tasks),
        conditions=tuple(conditions[name] for name in header.conditions),
    )


def topped_up(header: Header, more: int) -> Header:
    """*header* with so many *more* trials of each cell, as a block whose shares are drawn by themselves."""
    blocks = [*header.blocks, more]
    return replace(header, trials=header.trials + more, provenance={**header.provenance, "blocks": blocks})


def _differences(now: Header, then: Header) -> Sequence[str]:
    found = []
    for what, left, right in (
        ("the seed", now.seed, then.seed),
        ("one seed for all trials", now.same_seed, then.same_seed),
        ("the agent", now.agent, then.agent),
        ("the agent's version", now.agent_version, then.agent_version),
        ("the grader", now.grader, then.grader),
        ("what is declared of the tools", now.declared, then.declared),
        ("the trials per task", now.trials, then.trials),
        ("the most turns of a user", now.provenance.get("turns"), then.provenance.get("turns")),
        ("the time", now.provenance.get("time", "real"), then.provenance.get("time", "real")),
    ):
        if left != right:
            found.append(f"{what} was {right!r} and is {left!r} now")
    return [*found, *_task_differences(now, then), *_condition_differences(now, then)]


def _task_differences(now: Header, then: Header) -> Sequence[str]:
    ours = {task.id: task.digest for task in now.tasks}
    theirs = {task.id: task.digest for task in then.tasks}
    return [
        *(f"task {name!r} is new" for name in ours if name not in theirs),
        *(f"task {name!r} is gone" for name in theirs if name not in ours),
        *(f"task {name!r} has changed" for name, digest in theirs.items() if ours.get(name, digest) != digest),
    ]


def _condition_differences(now: Header, then: Header) -> Sequence[str]:
    return [
        *(f"condition {name!r} is new" for name in now.conditions if name not in then.conditions),
        *(f"condition {name!r} is gone" for name in then.conditions if name not in now.conditions),
    ]
