"""End states in one canonical form, and where two of them part: plain JSON in, plain JSON out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from passhat.graders._ids import Ids
from passhat.graders._places import Path, encoded, meets, pattern_of, written
from passhat.model.base import Json

_SHOWN = 3
_WHOLE = 2**53


def reader(
    *, ignore: Sequence[str] = (), unordered: Sequence[str] = (), ids: Sequence[str] = ()
) -> Callable[[Json], Any]:
    """What brings states into one form, by the places that are written so."""
    settings = {"ignore": ignore, "unordered": unordered, "ids": ids}
    places = {name: [pattern_of(text) for text in texts] for name, texts in settings.items()}
    return partial(canonical, **places)


def canonical(
    state: Json, *, ignore: Sequence[Path] = (), unordered: Sequence[Path] = (), ids: Sequence[Path] = ()
) -> Any:  # noqa: ANN401 - JSON
    """*state* without what is ignored, lists whose order means nothing sorted, 5.0 written as 5, and ids renamed."""

    def walk(value: Any, path: Path) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            kept = {key: item for key, item in value.items() if not meets((*path, key), ignore)}
            return {key: walk(item, (*path, key)) for key, item in sorted(kept.items())}
        if isinstance(value, list | tuple):
            places = ((item, (*path, str(place))) for place, item in enumerate(value))
            items = [walk(item, place) for item, place in places if not meets(place, ignore)]
            return sorted(items, key=encoded) if meets(path, unordered) else items
        if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE:
            return int(value)
        return value

    found = walk(state, ())
    return Ids(found, ids=ids, unordered=unordered).named() if ids else found


def differences(one: Any, other: Any, path: Path = ()) -> list[str]:  # noqa: ANN401 - JSON
    """Where two canonical states part: *one* is what was expected. One sentence a place."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = []
        for key in sorted(one.keys() | other.keys()):
            place = (*path, key)
            if key not in other:
                found.append(f"{written(place)} is not there")
            elif key not in one:
                found.append(f"{written(place)} is {_shown(other[key])}, and should not be there")
            else:
                found += differences(one[key], other[key], place)
        return found
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            text
            for place, pair in enumerate(zip(one, other, strict=True))
            for text in differences(*pair, (*path, str(place)))
        ]
    return [] if encoded(one) == encoded(other) else [f"{written(path)} is {_shown(other)}, not {_shown(one)}"]


def told(found: Sequence[str]) -> str:
    """The first differences in one sentence."""
    more = f", and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def foreign(value: Any, path: Path = ()) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - JSON
    """What in a recorded state was no JSON when it was taken: where, and its type."""
    if isinstance(value, dict):
        if value.keys() == {"$type", "$repr"}:
            yield written(path), str(value["$type"])
            return
        for key, item in value.items():
            yield from foreign(item, (*path, key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from foreign(item, (*path, str(place)))


def _shown(value: object) -> str:
    text = encoded(value).decode(errors="replace")
    return text if len(text) <= 80 else f"{text[:80]} …"  # noqa: PLR2004 - as much as a line holds
