"""What an agent gives back."""

from __future__ import annotations

from typing import Any

from passhat.model.base import Noun


class Usage(Noun, kw_only=True):
    """What an answer cost, as far as the agent says."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


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
