"""τ²-bench's result files: one JSON object with the tasks, and a simulation for each trial.

{"info": {"num_trials": 4, …}, "tasks": [{"id": "create_task_1", …}],
 "simulations": [{"task_id": "create_task_1", "trial": 0, "termination_reason": "user_stop",
                  "reward_info": {"reward": 1.0, …}, "messages": […]}]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from passhat.errors import UsageError
from passhat.importers._json import document, said
from passhat.importers._records import MOST_TRIALS, Log, Record, Whole, assembled
from passhat.importers._tau import Asked, Told, answer_of, graded_note, is_success, reward_of, task_id, trace_of
from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.answer import Usage
from passhat.model.outcome import Outcome
from passhat.model.task import Task
from passhat.model.trial import Grade

_LEFT_OUT = ("what the user and the system said", "the user's own tool calls", "user_cost")
_AGENT = "assistant"
# How a simulation ended that did not end by itself. τ²-bench itself leaves out those that the infrastructure broke,
# and counts all others by their reward.
_VOID = "infrastructure_error"
_ENDINGS = {"timeout": Outcome.TIMEOUT, "agent_error": Outcome.CRASH}
_USUAL = ("user_stop", "agent_stop")

_Count = Annotated[int, msgspec.Meta(ge=0, lt=MOST_TRIALS)]


class _Asked(msgspec.Struct, frozen=True, gc=False):
    name: str
    id: str | None = None
    arguments: Any = None
    requestor: str = _AGENT


class _Usage(msgspec.Struct, frozen=True, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Message(msgspec.Struct, frozen=True, gc=False):
    role: str
    content: Any = None
    tool_calls: list[_Asked] | None = None
    id: str | None = None
    error: bool | None = None
    requestor: str = _AGENT
    usage: _Usage | None = None


class _Evaluation(msgspec.Struct, frozen=True):
    reward: float | None = None
    reward_breakdown: dict[str, Any] | None = None


class _Simulation(msgspec.Struct, frozen=True):
    """The fields of a simulation; null is as good as a field that is not there."""

    task_id: int | str
    trial: _Count | None = None
    seed: Whole | None = None
    termination_reason: str | None = None
    reward_info: _Evaluation | None = None
    messages: list[_Message] | None = None
    info: dict[str, Any] | None = None
    agent_cost: float | None = None
    start_time: str | None = None
    duration: Annotated[float, msgspec.Meta(ge=0)] | None = None


class _Part(msgspec.Struct, frozen=True):
    """What a file says of the agent, the environment or itself."""

    implementation: str | None = None
    llm: str | None = None
    domain_name: str | None = None


class _Info(msgspec.Struct, frozen=True):
    num_trials: _Count | None = None
    seed: Whole | None = None
    git_commit: str | None = None
    agent_info: _Part | None = None
    environment_info: _Part | None = None


class _Task(msgspec.Struct, frozen=True):
    id: int | str
    user_scenario: Any = None
    initial_state: Any = None
    evaluation_criteria: Any = None


class _File(msgspec.Struct, frozen=True):
    simulations: list[Any]
    tasks: list[_Task] | None = None
    info: _Info | None = None


@dataclass(frozen=True, slots=True)
class Tau2Bench(Importer):
    """A τ²-bench result file: a JSON object with `simulations`, and the `tasks` that they are of.

    A trial passed where its reward is 1, and is void where the infrastructure broke it; τ²-bench leaves those out,
    too. The user's scenario is the task's input, and what the task expects its evaluation criteria; the agent's tool
    calls are the trace, and the last that it said is its answer.
    """

    def read(self, text: str, origin: Origin) -> Imported:
        file = _file(document(text, origin.source), origin.source)
        problems, records = Problems(origin.source, "simulations"), []
        tasks = _tasks(file.tasks or (), problems)
        for position, row in enumerate(file.simulations, start=1):
            try:
                records.append(_record(position, row))
            except UsageError as error:
                problems.note(position, str(error))
        info = file.info or _Info()
        log = Log(
            records=records,
            tasks=tasks,
            suite=_name(info.environment_info),
            agent=_name(info.agent_info),
            trials=info.num_trials or 1,
            seed=info.seed or 0,
            left_out=_LEFT_OUT,
            notes=graded_note(record.score for record in records),
            provenance={"git_commit": info.git_commit} if info.git_commit else {},
        )
        return assembled(log, origin, self, problems)


def _file(value: object, source: str) -> _File:
    """The parts of the file, or what it is instead."""
    if isinstance(value, list):
        raise UsageError(f"{source}: this is a list, as a result file of τ-bench is: its format is tau-bench")
    if isinstance(value, dict) and value.get("simulations") is None and value.get("simulation_index"):
        raise UsageError(f"{source}: its simulations stand in files of their own: save them as one file first")
    try:
        return msgspec.convert(value, _File)
    except msgspec.ValidationError as error:
        raise UsageError(f"{source}: this is no result file of τ²-bench: {said(error)}") from None


def _tasks(tasks: Sequence[_Task], problems: Problems) -> Sequence[Task]:
    """What the tasks ask for, those that were never run too."""
    found: dict[str, Task] = {}
    for task in tasks:
        try:
            name = task_id(task.id)
        except UsageError as error:
            problems.note(0, f"tasks: {error}")
            continue
        asked = Task(
            name,
            task.user_scenario,
            expect=task.evaluation_criteria,
            metadata={} if task.initial_state is None else {"initial_state": task.initial_state},
        )
        if found.setdefault(name, asked) != asked:
            problems.note(0, f"tasks: {name!r:.200} is two tasks that ask for different things")
    return tuple(found.values())


def _record(position: int, row: Any) -> Record:  # noqa: ANN401 - whatever JSON held
    """The trial that the simulation *row* is."""
    try:
        read = msgspec.convert(row, _Simulation)
    except msgspec.ValidationError as error:
        raise UsageError(said(error)) from None
    trial = Record(
        position=position,
        task=task_id(read.task_id),
        outcome=Outcome.VOID,
        number=read.trial,
        seed=read.seed or 0,
        started_at=_instant(read.start_time),
        seconds=read.duration or 0.0,
    )
    if read.termination_reason == _VOID:
        return replace(trial, detail=_broken(read.info or {}))
    evaluation = read.reward_info or _Evaluation()
    reward = reward_of(evaluation.reward)
    passed = is_success(reward)
    ending = read.termination_reason or "unknown"
    messages = read.messages or []
    trace = trace_of(_events(messages))
    return replace(
        trial,
        outcome=Outcome.PASS if passed else _ENDINGS.get(ending, Outcome.FAIL),
        score=reward,
        answer=answer_of([each.content for each in messages if _is_speech(each)], trace, _usage(read)),
        grades=(Grade("tau2_bench", passed, score=reward, reason=_reason(evaluation)),),
        trace=trace,
        detail="" if passed or ending in _USUAL else f"it ended by {ending}",
    )


def _broken(info: Mapping[str, Any]) -> str:
    return " ".join(str(info.get("error") or _VOID).split())


def _reason(evaluation: _Evaluation) -> str:
    """Which parts of the reward were lost."""
    parts = evaluation.reward_breakdown or {}
    lost = [f"{name} {value:g}" for name, value in parts.items() if isinstance(value, int | float) and value < 1]
    return f"lost in {', '.join(lost)}" if lost else ""


def _usage(read: _Simulation) -> Usage | None:
    """What the agent's own messages cost, as far as the file says."""
    used = [each.usage for each in read.messages or () if each.role == _AGENT and each.usage is not None]
    if not used and not read.agent_cost:
        return None
    return Usage(
        input_tokens=sum(each.prompt_tokens or 0 for each in used) if used else None,
        output_tokens=sum(each.completion_tokens or 0 for each in used) if used else None,
        cost=read.agent_cost,
    )


def _name(part: _Part | None) -> str:
    """What a file calls its domain or its agent."""
    if part is None:
        return ""
    return part.domain_name or " ".join(filter(None, (part.implementation, part.llm)))


def _instant(written: str | None) -> float:
    """The time of a simulation; without a zone it is taken for UTC."""
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _is_speech(message: _Message) -> bool:
    return message.role == _AGENT and isinstance(message.content, str) and bool(message.content.strip())


def _events(messages: Sequence[_Message]) -> Iterator[Asked | Told]:
    """The agent's calls and their replies; a user of τ² has tools, too, and those are no work of the agent's."""
    for message in messages:
        if message.role == _AGENT:
            for call in message.tool_calls or ():
                yield Asked(call.id or "", call.name, call.arguments)
        elif message.role == "tool" and message.requestor == _AGENT:
            yield Told(message.id or "", message.content, error=message.error is True)
