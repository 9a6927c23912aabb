"""How faults check their parameters and name their phase: every problem at once, each with what is allowed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from passhat.errors import UsageError
from passhat.model.base import Json
from passhat.model.condition import Phase
from passhat.model.parts import part_name

_NO_END = float("inf")
BOTH = (Phase.PRE, Phase.POST)


def check(part: object, *problems: str) -> None:
    """Refuse *part* where there are problems; an empty text is none."""
    name = part_name(type(part))
    found = [f"{name}: {problem}" for problem in problems if problem]
    if found:
        raise UsageError(*found)


def check_phase(part: object, phase: Phase | str, *problems: str) -> None:
    """The same for a fault that bites before or after upstream; a phase that was given as a text is made one."""
    check(part, one_of("phase", phase, BOTH), *problems)
    object.__setattr__(part, "phase", Phase(phase))


def seconds(field: str, value: object) -> str:
    """What is wrong with a time."""
    return "" if _is_number(value) and 0 <= value < _NO_END else _said(field, "a number of seconds from 0 on", value)  # type: ignore[operator]


def above(field: str, value: object, limit: float, *, word: str = "") -> str:
    """What is wrong with a number that stands above *limit*; where there is a *word*, it may stand instead."""
    if (_is_number(value) and limit < value < _NO_END) or (word and value == word):  # type: ignore[operator]
        return ""
    return _said(field, f"a number above {limit:g}{f', or {word}' if word else ''}", value)


def share(field: str, value: object) -> str:
    """What is wrong with the part that is kept of something: nothing of it, or some, but not all."""
    return "" if _is_number(value) and 0 <= value < 1 else _said(field, "a share from 0 to below 1", value)  # type: ignore[operator]


def whole(field: str, value: object, least: int, most: int) -> str:
    """What is wrong with a whole number."""
    sound = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return "" if sound else _said(field, f"a whole number from {least} to {most}", value)


def one_of(field: str, value: object, allowed: Iterable[object]) -> str:
    """What is wrong with a choice."""
    known = list(allowed)
    sound = isinstance(value, str | int) and not isinstance(value, bool) and value in known
    return "" if sound else _said(field, f"one of {', '.join(map(str, known))}", value)


def text(field: str, value: object, *, may_be_empty: bool = False) -> str:
    """What is wrong with a text."""
    sound = isinstance(value, str) and (may_be_empty or value.strip())
    return "" if sound else _said(field, "a text" if may_be_empty else "a text that is not empty", value)


def yes_or_no(field: str, value: object) -> str:
    """What is wrong with a choice of two."""
    return "" if isinstance(value, bool) else _said(field, "one of true, false", value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(field: str, wanted: str, value: object) -> str:
    shown = f"{value}" if isinstance(value, Phase) else f"{value!r:.40}"
    return f"{field} is {wanted}, not {shown}"


def schema_text(field: str, value: object) -> str:
    """What is wrong with a JSON Schema, written as text."""
    try:
        sound = isinstance(value, str) and isinstance(schema_of(value), dict | bool)
    except json.JSONDecodeError:
        sound = False
    return "" if sound else _said(field, "a JSON Schema written as JSON text", value)


def schema_of(written: str) -> Json:
    """The schema that *written* holds; an empty text is the one that everything keeps to."""
    schema: Json = json.loads(written) if written else True
    return schema
