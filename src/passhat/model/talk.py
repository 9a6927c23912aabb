"""A talk between a task's user and the agent: what was said, and what a user is called. Values, and no talking."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from passhat.model.base import Json, Noun
from passhat.model.callables import bare, label
from passhat.model.plain import as_json, json_problem


class Turn(Noun, gc=False):
    """What one of the two said. `calls`: how many tool calls of the trial had begun by then."""

    who: Literal["user", "agent"]
    text: str
    calls: int = 0


def text_of(value: object) -> str:
    """What is said as a text: a text as it is, nothing as an empty one, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value).decode()


def as_told(turns: Iterable[Turn]) -> list[Mapping[str, Json]]:
    """*turns* as an agent outside of this process is told of them."""
    return [{"who": turn.who, "text": turn.text} for turn in turns]


def stored_user(user: Any) -> Json:  # noqa: ANN401 - a script or a callable
    """A task's user as it is stored and told from others: a script is its texts, a callable its name and version.

    What a callable does is not in its code alone: it may ask a model. So its name stands for it, and `version`, an
    attribute that it may have, says that it has changed. What a `functools.partial` was given belongs to its name.
    """
    if isinstance(user, list | tuple):
        return list(user)
    if not callable(user):
        known: Json = user  # None, or what was stored of a callable
        return known
    version = version_of(user)
    return f"{label(user)}{_given(user)}{f' {version}' if version else ''}"


def version_of(user: Callable[..., Any]) -> Any:  # noqa: ANN401 - whatever stands there
    """The version that a callable user carries; an empty text where it has none."""
    return getattr(user, "version", "") or getattr(bare(user), "version", "")


def _given(user: Any) -> str:  # noqa: ANN401 - as above
    """What the partials around a function give it."""
    given = ""
    while isinstance(user, functools.partial):
        values = [_named(value) for value in user.args]
        values += [f"{name}={_named(value)}" for name, value in user.keywords.items()]
        given = f"({', '.join(values)}){given}"
        user = user.func
    return given


def _named(value: Any) -> str:  # noqa: ANN401 - as above
    """A value that a function is given: as JSON, or what it calls itself, which is the same in every process."""
    return label(value) if json_problem(value) else as_json(value).decode()
