"""What an agent gives back."""

from __future__ import annotations

from collections.abc import Sequence
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


def added(spent: Sequence[Usage]) -> Usage | None:
    """What several answers cost together; a figure that one of them does not tell is not known of all."""
    if not spent:
        return None
    sums: dict[str, Any] = {}
    for name in ("input_tokens", "output_tokens", "cost"):
        counts = [getattr(one, name) for one in spent]
        sums[name] = None if None in counts else sum(counts)
    models = {one.model for one in spent}
    return Usage(**sums, model=models.pop() if len(models) == 1 else "")


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
