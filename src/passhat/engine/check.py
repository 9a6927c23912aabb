"""Everything that can be wrong before the first trial, all of it at once, one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from inspect import getattr_static
from types import FunctionType
from typing import Any

from passhat.engine.check_faults import fault_problems, injections_of
from passhat.engine.declared import declared_problems, grader_names_problems
from passhat.engine.pace import goes_by_pace
from passhat.engine.settings import Settings
from passhat.engine.where import where
from passhat.model.callables import is_generator
from passhat.model.condition import Condition
from passhat.model.plain import described, json_problem
from passhat.model.protocols import Agent
from passhat.model.talk import version_of
from passhat.model.task import Suite, Task
from passhat.surfaces import SURFACES


def problems_of(suite: object, conditions: Sequence[Condition], settings: Settings) -> list[str]:
    """All that stands in the way of running *suite* under these conditions."""
    if not isinstance(suite, Suite):
        return [no_suite(suite), *settings.problems()]
    named = [f"suite {suite.name!r}: {problem}" for problem in _suite_problems(suite)]
    trials = settings.trials if isinstance(settings.trials, int) and settings.trials > 0 else 0
    planned = fault_problems(conditions, trials=trials)
    return [*named, *_condition_problems(suite, conditions), *planned, *settings.problems()]


def is_sound(suite: object) -> bool:
    """True where *suite* is one whose tasks can be chosen from, whatever else may be wrong with it."""
    return isinstance(suite, Suite) and all(isinstance(one, Task) for one in _tasks(suite) or (None,))


def no_suite(given: object) -> str:
    """What is said of something that was given as a suite and is none."""
    hint = f"; call it: {given.__name__}(...)" if isinstance(given, type) else ""
    return f"a suite is a passhat.Suite, not {_shown(given)}{hint}"


def unreachable(agent: Agent, conditions: Sequence[Condition]) -> Iterable[str]:
    """The faults that could not reach *agent*: it takes no tools from us, or none in a way that the fault can meet."""
    reached = SURFACES[getattr(agent, "surface", "python_tools")]().carries
    for condition in conditions:
        planned = injections_of(condition)
        if planned and not agent.takes_tools:
            yield (
                f"agent {agent.label} takes no tools, so no fault of {condition.name} could reach it: "
                "let it take (input, tools) and call its tools through them"
            )
            continue
        for fault in (one.fault for one in planned):
            needs = getattr(fault, "surfaces", ())
            if isinstance(needs, frozenset | set) and not needs & reached:
                yield (
                    f"{fault.term.name} meets an agent through {' or '.join(sorted(map(str, needs))) or 'nothing'}, "
                    f"and agent {agent.label} is reached through {' and '.join(sorted(reached))}: "
                    "plan it for an agent that it can meet"
                )


def unmeasured(conditions: Sequence[Condition]) -> Iterable[str]:
    """The conditions whose faults go by how long clean calls take, where no trial is clean."""
    for condition in () if any(one.is_clean for one in conditions) else conditions:
        if goes_by_pace(condition):
            yield (
                f"{condition.name} measures clean calls, and no trial of this run is clean: keep the clean condition, "
                "or declare a number, such as p99=0.8"
            )


def untimely(agent: Agent, settings: Settings, *, our_loop: bool) -> Iterable[str]:
    """Why this run of *agent* cannot live in virtual time, where it is asked to; *our_loop*: passhat makes the loop."""
    if not settings.virtual:
        return
    if not our_loop:
        yield "time: run_async runs on your event loop, whose clock is yours: use passhat.run for time='virtual'"
    if agent.blocking:
        yield (
            f"time: agent {agent.label} blocks its thread, and what it waits for cannot be skipped: "
            "make it async, or leave it real time"
        )
    elif not getattr(agent, "on_loop", False):
        framework = getattr(agent, "brings_tools", False)
        where = "is run by a framework, which may wait on threads" if framework else "works outside of this process"
        yield f"time: agent {agent.label} {where}, where time is real: leave it real time"


def _suite_problems(suite: Suite) -> Iterable[str]:
    tasks = _tasks(suite)
    if tasks is None:
        yield f"tasks: a list of passhat.Task, not {_shown(suite.tasks)}{_hint(suite.tasks)}"
    elif not tasks:
        yield "tasks: there is none, so nothing would be tested"
    if not isinstance(suite.name, str) or json_problem(suite.name):
        yield f"name: a text, not {described(suite.name)}"
    if suite.world is not None and not callable(suite.world):
        yield f"world: a factory that makes a fresh world for each trial, not {_shown(suite.world)}"
    yield from declared_problems(suite.declared)
    for position, task in enumerate(tasks or ()):
        yield from _task_problems(position, task)
    yield from _grader_problems(suite.grader, [task for task in tasks or () if isinstance(task, Task)])
    ids = Counter(task.id for task in tasks or () if isinstance(task, Task) and isinstance(task.id, str))
    for name, count in ids.items():
        if count > 1:
            yield f"task {name!r}: {count} tasks have this id, and an id names one"


def _tasks(suite: Suite) -> Sequence[object] | None:
    """The tasks, where they are a sequence of them: what can be looked at only once would be gone when it is run."""
    given: object = suite.tasks
    return given if isinstance(given, Sequence) and not isinstance(given, str | bytes) else None


def _hint(tasks: object) -> str:
    if isinstance(tasks, Task):
        return "; write it in brackets: [Task(...)]"
    return "; write list(...) around it" if isinstance(tasks, Iterable) and not isinstance(tasks, str | bytes) else ""


def _grader_problems(grader: Any, tasks: Iterable[Task]) -> Iterable[str]:  # noqa: ANN401 - a user's may be anything
    """What is wrong with a grader, and what it finds wrong with the tasks. It is a user's, so it may raise anything."""
    if isinstance(grader, type) or not callable(getattr(grader, "grade", None)):
        yield _no_grader(grader)
        return
    yield from _identity_problems(grader)
    yield from grader_names_problems(grader)
    for task in tasks if hasattr(grader, "problems") else ():
        try:
            said = grader.problems(task.id, task.expect)
            found = [] if isinstance(said, str) else list(said)
        except Exception as error:  # noqa: BLE001 - a fence: a user's grader
            yield f"grader: its problems() raises {where(error)} for task {described(task.id)}"
            return
        if isinstance(said, str) or not all(isinstance(problem, str) for problem in found):
            yield f"grader: its problems() gives a list of sentences, not {described(said)}"
            return
        yield from found


def _identity_problems(grader: Any) -> Iterable[str]:  # noqa: ANN401 - as above
    """Runs are compared where their graders are the same, so each says what it is."""
    wanted = (
        "a text that names it and its parameters, such as 'close_to(0.1)', so that runs with another are told apart"
    )
    if getattr_static(grader, "identity", None) is None and "__getattr__" not in vars(type(grader)):
        yield f"grader: {type(grader).__name__} has no identity: give it one, {wanted}"
        return
    try:
        identity = grader.identity
    except Exception as error:  # noqa: BLE001 - a fence: a user's grader
        yield f"grader: its identity raises {where(error)}: let it be {wanted}"
        return
    if not isinstance(identity, str) or not identity.strip() or json_problem(identity):
        yield f"grader: its identity is {described(identity)}: let it be {wanted}"


def _no_grader(grader: object) -> str:
    hint = ""
    if isinstance(grader, type):
        hint = f"; call it: {grader.__name__}()"
    elif callable(grader):
        hint = "; wrap a function in it: graders.predicate(...)"
    return f"grader: a grader such as graders.contains(), not {_shown(grader)}{hint}"


def _shown(value: object) -> str:
    """What *value* is, for a person: a function or a class by its name, anything else as it describes itself."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, FunctionType):
        return f"the function {value.__name__}"
    return described(value)


def _task_problems(position: int, task: Any) -> Iterable[str]:  # noqa: ANN401 - a user's list may hold anything
    if not isinstance(task, Task):
        yield f"tasks[{position}]: a passhat.Task, not {_shown(task)}"
        return
    if not isinstance(task.id, str) or not task.id.strip():
        yield f"tasks[{position}]: its id is a text that names it, not {described(task.id)}"
    named = f"task {described(task.id, 200)}"
    for name in ("id", "input", "expect", "metadata"):
        problem = json_problem(getattr(task, name))
        if problem:
            yield f"{named}: its {name} is not JSON: {problem}"
    if not isinstance(task.metadata, Mapping):
        yield f"{named}: its metadata is a mapping, not {described(task.metadata)}"
    tags = task.tags
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, str) for tag in tags) or json_problem(tags):
        yield f"{named}: its tags are a list of texts, not {described(tags)}"
    yield from (f"{named}: {problem}" for problem in _user_problems(task.user))


def _user_problems(user: Any) -> Iterable[str]:  # noqa: ANN401 - a user's task may hold anything
    """What is wrong with the user of a task."""
    if user is None:
        return
    wanted = "a list of what it says after the input, or a function of the turns so far"
    if isinstance(user, list | tuple):
        if not all(isinstance(text, str) for text in user) or json_problem(user):
            yield f"its user is {wanted}: a list of texts, not {described(user)}"
    elif isinstance(user, str):
        yield f"its user is {wanted}: write it in brackets: [{described(user)}]"
    elif not callable(user) or isinstance(user, type):
        yield f"its user is {wanted}, not {_shown(user)}"
    elif is_generator(user):
        yield f"its user has a 'yield', so calling it says nothing: let it be {wanted}, and return its next words"
    elif not isinstance(version := version_of(user), str) or json_problem(version):
        yield f"its user's version is a text, such as '2', not {described(version)}"


def _condition_problems(suite: Suite, conditions: Sequence[Condition]) -> Iterable[str]:
    for name, count in Counter(condition.name for condition in conditions).items():
        if count > 1:
            yield f"condition {name!r} is listed {count} times"
    worded = [condition.name for condition in conditions if condition.perturbations]
    for task in suite.tasks if worded and isinstance(suite.tasks, Sequence) else ():
        if isinstance(task, Task) and not isinstance(task.input, str):
            yield f"task {task.id!r}: its input is not a text, so {worded[0]} cannot word it anew"
