"""Work that was begun and never done: what nobody awaited, and generators that nobody ran, anywhere in an answer.

An agent that forgot an `await` has done nothing, and must not pass because the world looks as it should. Most answers
are plain values, which hold nothing of the kind; only the others are looked through.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec

from passhat.model.plain import copied

_MOST = 100_000


def unfinished(answer: object) -> str:
    """What in *answer* nobody awaited or ran, in words; it is put away. Empty where there is nothing."""
    try:
        copied(answer)
    except Exception:  # noqa: BLE001 - a fence: a user's value may do anything when it is looked at
        return _found(answer)
    return ""


def dismiss(unawaited: Any) -> None:  # noqa: ANN401 - anything that can be awaited
    """Put away what nobody will await: a coroutine is closed, a task is cancelled."""
    for ending in ("close", "cancel"):
        if callable(end := getattr(unawaited, ending, None)):
            end()
            return


def _found(answer: object) -> str:
    """Look through containers, each once, and through so many values at most."""
    found, left = "", [answer]
    seen: dict[int, object] = {}  # what is held keeps its id
    while left and len(seen) < _MOST:
        value = left.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        try:
            if isinstance(value, Awaitable):
                found = f"a {type(value).__name__} that nobody awaited"
                dismiss(value)
            elif isinstance(value, Generator | AsyncGenerator):
                found = f"a {type(value).__name__} that nobody ran"
            else:
                left.extend(_parts(value))
        except Exception:  # noqa: BLE001, S112 - a fence: a user's value that cannot be read holds nothing for anybody
            continue
    return found


def _parts(value: object) -> Iterable[object]:
    """What *value* holds, where it is a container."""
    if isinstance(value, str | bytes | bytearray | memoryview | range):
        return ()
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, Sequence | AbstractSet):
        return list(value)
    if isinstance(value, msgspec.Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    return ()
