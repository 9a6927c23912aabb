"""τ-bench's result files: one JSON list with a row a trial, as its `run.py` writes them.

{"task_id": 3, "trial": 0, "reward": 1.0, "info": {"task": {"instruction": …}, "reward_info": …}, "traj": [messages]}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from passhat.errors import UsageError
from passhat.importers._json import document, is_list, rows, said
from passhat.importers._records import MOST_TRIALS, Log, Record, assembled
from passhat.importers._tau import Asked, Told, answer_of, graded_note, is_success, reward_of, task_id, trace_of
from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.base import Json
from passhat.model.outcome import Outcome
from passhat.model.task import Task
from passhat.model.trial import Grade

_LEFT_OUT = ("what the user and the system said", "info.user_cost")


class _Function(msgspec.Struct, frozen=True, gc=False):
    name: str
    arguments: Any = None


class _Asked(msgspec.Struct, frozen=True, gc=False):
    function: _Function
    id: str | None = None


class _Message(msgspec.Struct, frozen=True, gc=False):
    role: str
    content: Any = None
    tool_calls: list[_Asked] | None = None
    tool_call_id: str | None = None


class _Evaluation(msgspec.Struct, frozen=True):
    info: dict[str, Any] | None = None


class _Task(msgspec.Struct, frozen=True):
    instruction: Any = None
    user_id: Any = None
    actions: Any = None
    outputs: Any = None


class _Info(msgspec.Struct, frozen=True):
    task: _Task | None = None
    reward_info: _Evaluation | None = None
    error: Any = None
    traceback: Any = None


class _Row(msgspec.Struct, frozen=True):
    """The fields of a row; null is as good as a field that is not there."""

    task_id: int | str
    trial: Annotated[int, msgspec.Meta(ge=0, lt=MOST_TRIALS)] | None = None
    reward: float | None = None
    info: _Info | None = None
    traj: list[_Message] | None = None


_FIELDS = frozenset(_Row.__struct_fields__)


@dataclass(frozen=True, slots=True)
class TauBench(Importer):
    """A τ-bench result file: a JSON list of `{task_id, trial, reward, info, traj}`.

    A trial passed where its reward is 1. One that broke before the agent did anything, an error in `info` and no
    trajectory, is void. The user's instruction is the task's input, and what the task expects its actions and
    outputs; the agent's tool calls are the trace, and the last that it said is its answer.
    """

    def read(self, text: str, origin: Origin) -> Imported:
        problems, records = Problems(origin.source, "."), []
        others: set[str] = set()
        for position, row in enumerate(_rows(text, origin.source), start=1):
            try:
                records.append(_record(position, row))
                others |= row.keys() - _FIELDS if isinstance(row, dict) else set()
            except UsageError as error:
                problems.note(position, str(error))
        log = Log(
            records=records,
            left_out=[*_LEFT_OUT, *sorted(others)],
            notes=graded_note(record.score for record in records),
        )
        return assembled(log, origin, self, problems)


def _rows(text: str, source: str) -> Iterator[object]:
    """The rows of the file, or what it is instead."""
    if is_list(text):
        return rows(text, source)
    value = document(text, source)
    if isinstance(value, dict) and "simulations" in value:
        raise UsageError(f"{source}: this looks like a result file of τ²-bench: its format is tau2-bench")
    kind = "an object" if isinstance(value, dict) else "a single value"
    raise UsageError(f"{source}: a result file of τ-bench is a list of trials, and this is {kind}")


def _record(position: int, row: object) -> Record:
    """The trial that *row* tells of."""
    if not isinstance(row, dict):
        raise UsageError(f'a trial is an object such as {{"task_id": 3, "trial": 0, "reward": 1.0}}, not {row!r:.80}')
    try:
        read = msgspec.convert(row, _Row)
    except msgspec.ValidationError as error:
        raise UsageError(said(error)) from None
    name, info, trajectory = task_id(read.task_id), read.info or _Info(), read.traj or []
    broken = _broken(info) if not trajectory else ""
    if broken:
        return Record(position=position, task=name, outcome=Outcome.VOID, number=read.trial, detail=broken)
    reward = reward_of(read.reward)
    passed, reason = is_success(reward), _reason(info)
    trace = trace_of(_events(trajectory))
    return Record(
        position=position,
        task=name,
        outcome=Outcome.PASS if passed else Outcome.FAIL,
        asked=_asked(name, info),
        number=read.trial,
        score=reward,
        answer=answer_of([each.content for each in trajectory if _is_speech(each)], trace),
        grades=(Grade("tau_bench", passed, score=reward, reason=reason),),
        trace=trace,
    )


def _broken(info: _Info) -> str:
    """What broke around the agent, in one line; empty where nothing did."""
    if info.error is None and info.traceback is None:
        return ""
    last = str(info.traceback or "").strip().rpartition("\n")[2]
    return " ".join(str(info.error or last or "an error without a text").split())


def _asked(name: str, info: _Info) -> Task | None:
    """What the task asked for, where the row says it."""
    if info.task is None:
        return None
    expect: dict[str, Json] = {"actions": info.task.actions, "outputs": info.task.outputs}
    return Task(name, info.task.instruction, expect=expect, metadata={"user_id": info.task.user_id})


def _reason(info: _Info) -> str:
    """Why the reward is what it is, as far as the row says."""
    if info.reward_info is None:
        return "it ended before it was evaluated, as at the limit of steps" if info.task else ""
    found = info.reward_info.info or {}
    outputs = found.get("outputs")
    unsaid = [name for name, said in outputs.items() if said is False] if isinstance(outputs, dict) else []
    if unsaid:
        return f"the agent did not say {', '.join(map(repr, unsaid))}"
    return "the end state is not the expected one" if found.get("r_actions") in (0, 0.0) else ""


def _is_speech(message: _Message) -> bool:
    return message.role == "assistant" and isinstance(message.content, str) and bool(message.content.strip())


def _events(trajectory: Sequence[_Message]) -> Iterator[Asked | Told]:
    for message in trajectory:
        if message.role == "assistant":
            for call in message.tool_calls or ():
                yield Asked(call.id or "", call.function.name, call.function.arguments)
        elif message.role == "tool":
            yield Told(message.tool_call_id or "", message.content, error=False)
