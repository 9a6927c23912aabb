"""Everything that can be wrong before the first trial, all of it at once, one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from passhat.engine.settings import Settings
from passhat.model.condition import Condition
from passhat.model.protocols import Agent
from passhat.model.task import Suite, Task


def problems_of(suite: object, conditions: Sequence[Condition], settings: Settings) -> list[str]:
    """All that stands in the way of running *suite* under these conditions."""
    if not isinstance(suite, Suite):
        return [f"a suite is a passhat.Suite, not {suite!r:.80}", *settings.problems()]
    named = [f"suite {suite.name!r}: {problem}" for problem in _suite_problems(suite)]
    return [*named, *_condition_problems(suite, conditions), *settings.problems()]


def unreachable(agent: Agent, conditions: Sequence[Condition]) -> Iterable[str]:
    """The conditions whose faults could not reach *agent*, because it takes no tools from us."""
    for condition in conditions if not agent.takes_tools else ():
        if condition.injections:
            yield (
                f"agent {agent.label} takes no tools, so no fault of {condition.name} could reach it: "
                "let it take (input, tools) and call its tools through them"
            )


def _suite_problems(suite: Suite) -> Iterable[str]:
    tasks = list(suite.tasks) if isinstance(suite.tasks, Iterable) and not isinstance(suite.tasks, str) else []
    if not tasks:
        yield "tasks: there is none, so nothing would be tested"
    grader = suite.grader
    gradable = callable(getattr(grader, "grade", None)) and not isinstance(grader, type)
    if not gradable:
        yield _no_grader(grader)
    if suite.world is not None and not callable(suite.world):
        yield f"world: a factory that makes a fresh world for each trial, not {suite.world!r:.80}"
    for position, task in enumerate(tasks):
        yield from _task_problems(position, task)
        if gradable and isinstance(task, Task) and hasattr(grader, "problems"):
            yield from grader.problems(task.id, task.expect)
    for name, count in Counter(task.id for task in tasks if isinstance(task, Task)).items():
        if count > 1:
            yield f"task {name!r}: {count} tasks have this id, and an id names one"


def _no_grader(grader: object) -> str:
    hint = ""
    if isinstance(grader, type):
        hint = f"; call it: {grader.__name__}()"
    elif callable(grader):
        hint = "; wrap a function in it: graders.predicate(...)"
    return f"grader: a grader such as graders.contains(), not {grader!r:.80}{hint}"


def _task_problems(position: int, task: Any) -> Iterable[str]:  # noqa: ANN401 - a user's list may hold anything
    if not isinstance(task, Task):
        yield f"tasks[{position}]: a passhat.Task, not {task!r:.80}"
        return
    if not isinstance(task.id, str) or not task.id.strip():
        yield f"tasks[{position}]: its id is a text that names it, not {task.id!r:.80}"
    for name in ("input", "expect", "metadata"):
        try:
            msgspec.json.encode(getattr(task, name))
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            yield f"task {task.id!r}: its {name} is not JSON: {error}"


def _condition_problems(suite: Suite, conditions: Sequence[Condition]) -> Iterable[str]:
    for name, count in Counter(condition.name for condition in conditions).items():
        if count > 1:
            yield f"condition {name!r} is listed {count} times"
    worded = [condition.name for condition in conditions if condition.perturbations]
    for task in suite.tasks if worded and isinstance(suite.tasks, Sequence) else ():
        if isinstance(task, Task) and not isinstance(task.input, str):
            yield f"task {task.id!r}: its input is not a text, so {worded[0]} cannot word it anew"
