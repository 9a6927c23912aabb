"""What an agent gives back."""

from __future__ import annotations

from typing import Any

import msgspec

from passhat.model.base import Noun


class Usage(Noun, kw_only=True):
    """What an answer cost, as far as the agent says. `model` names whose price it was."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    model: str = ""


class _Output(Noun):
    output: Any = None


class Answer(_Output, kw_only=True):
    """An agent's answer: its output and, where it says so, what it claims, costs or hands over.

    `claims_success` is the agent's own word; `handoff` says that it passed the job to a person.
    """

    claims_success: bool | None = None
    handoff: bool = False
    usage: Usage | None = None


def as_answer(value: object) -> Answer:
    """*value* as an answer: agents may return a plain value."""
    return value if isinstance(value, Answer) else Answer(value)


_FIELDS = tuple[bool | None, bool, Usage | None]


def problem_of(answer: Answer) -> str:
    """What is wrong with the fields of *answer*, which nothing checked when it was made; empty where nothing is."""
    if answer.claims_success is None and answer.handoff is False and answer.usage is None:
        return ""
    if not isinstance(answer.usage, Usage | None):
        return f"its usage is a {type(answer.usage).__name__} and no Usage"
    try:
        msgspec.convert(msgspec.to_builtins((answer.claims_success, answer.handoff, answer.usage)), _FIELDS)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        return str(error)
    return ""
