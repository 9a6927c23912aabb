"""What the two formats of the τ-bench family share: rewards, and a conversation read as the agent's tool calls.

A conversation holds what everybody said. A trial keeps what the agent did: its tool calls, each with the reply that
it got, and the last that it said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from passhat.errors import UsageError
from passhat.importers._json import MOST_LEVELS, is_deeper
from passhat.model.answer import Answer, Usage
from passhat.model.base import Noun
from passhat.model.plain import clipped, mended
from passhat.model.trial import ToolCall

TOLERANCE = 1e-6
# The tool of every τ domain with which an agent passes the job to a person.
HANDOFF = "transfer_to_human_agents"
_UNANSWERED = "the log holds no reply to this call"
_decode = msgspec.json.Decoder().decode


class Asked(Noun):
    """A call that the agent made, as a message tells it: the call's id, the tool, and what it was given."""

    id: str
    tool: str
    arguments: Any


class Told(Noun):
    """A tool's reply as a message tells it: the id of the call that it answers, and whether it is an error."""

    id: str
    content: Any
    error: bool


def reward_of(reward: float | None) -> float:
    """The reward of a trial, which is a number from 0 to 1; the errors of floating point are forgiven."""
    if reward is None:
        raise UsageError("it has no 'reward', and so no verdict: a number from 0 to 1, where 1 is a success")
    if math.isnan(reward) or not -TOLERANCE <= reward <= 1 + TOLERANCE:
        raise UsageError(f"'reward' is a number from 0 to 1, where 1 is a success, not {reward!r}")
    return min(max(reward, 0.0), 1.0)


def is_success(reward: float) -> bool:
    """A trial is a success where its reward is 1; a part of the reward is none."""
    return abs(reward - 1) <= TOLERANCE


def graded_note(rewards: Iterable[float | None]) -> Sequence[str]:
    """A sentence on the rewards that are neither 0 nor 1, where there are any."""
    graded = sum(reward is not None and reward > TOLERANCE and not is_success(reward) for reward in rewards)
    return [f"graded rewards, above 0 and below 1, which are no success: {graded:,}"] if graded else []


def trace_of(events: Iterable[Asked | Told]) -> tuple[ToolCall, ...]:
    """The calls in the order of the conversation, each with its reply.

    A reply belongs to the call of its id that still waits for one (ids come twice in real logs), else to the call
    that waits longest.
    """
    calls: list[Asked] = []
    replies: dict[int, Told] = {}
    waiting: list[int] = []
    for event in events:
        if isinstance(event, Asked):
            waiting.append(len(calls))
            calls.append(event)
        elif waiting:
            meant = next((call for call in waiting if calls[call].id == event.id), waiting[0])
            waiting.remove(meant)
            replies[meant] = event
    return tuple(_tool_call(step, asked, replies.get(step - 1)) for step, asked in enumerate(calls, start=1))


def _tool_call(step: int, asked: Asked, told: Told | None) -> ToolCall:
    arguments = _parsed(asked.arguments)
    if not isinstance(arguments, dict):
        arguments = {} if arguments in (None, "") else {"arguments": arguments}
    error = _UNANSWERED if told is None else _error_of(told)
    return ToolCall(
        step=step,
        tool=clipped(asked.tool),
        arguments=arguments,
        reply=None if told is None or error else _parsed(told.content),
        error=error,
        executed=0 if told is None else 1,
    )


def _error_of(told: Told) -> str:
    """The error that a reply is, or an empty text; a tool of τ-bench says `Error: …` and no more."""
    text = told.content if isinstance(told.content, str) else ""
    if told.error or text.startswith("Error:"):
        return text or "the log says that it failed, and not why"
    return ""


def _parsed(value: Any) -> Any:  # noqa: ANN401 - whatever JSON held
    """*value*; a text that is a JSON object or a list is read, because that is what was meant."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        read = _decode(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return value
    return value if value.count("[") + value.count("{") > MOST_LEVELS and is_deeper(read, MOST_LEVELS) else read


def answer_of(said: Sequence[str], trace: Sequence[ToolCall], usage: Usage | None = None) -> Answer | None:
    """What the agent gave back: the last that it said, and whether it passed the job on; None where it did nothing."""
    handoff = any(call.tool == HANDOFF and call.ok for call in trace)
    if not said and not trace:
        return None
    return Answer(said[-1] if said else None, handoff=handoff, usage=usage)


def task_id(written: int | str) -> str:
    """The id of a task, as a run calls it."""
    name = str(mended(str(written)))
    if not name.strip():
        raise UsageError("'task_id' is empty, and it names the task")
    return name
