"""On which line of a TOML text a key stands: `tomllib` does not say. Only used where there is a problem to tell of."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]


class Lines:
    """The lines of the keys and tables of a text that `tomllib` can read."""

    def __init__(self, text: str) -> None:
        """Look through *text* once."""
        self._found: dict[Path, int] = {}
        counts: dict[Path, int] = {}
        table: Path = ()
        for number, statement in _statements(text):
            if not statement.startswith("["):
                for path in _paths(tomllib.loads(statement)):
                    self._found.setdefault((*table, *path), number)
                continue
            table = _placed(_header(statement), counts)
            if statement.startswith("[["):
                position = counts.get(table, -1) + 1
                counts[table] = position
                self._found.setdefault(table, number)
                table = (*table, position)
            self._found.setdefault(table, number)

    def of(self, path: Path) -> int | None:
        """The line of the key at *path*, or of the nearest table around it; None where there is neither."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._found:
                return self._found[path[:end]]
        return None


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement and the line that it begins on; a value may go over several lines."""
    begun, number = "", 0
    for at, line in enumerate(text.splitlines(), start=1):
        if not begun:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            number = at
        begun += line + "\n"
        try:
            tomllib.loads(begun)
        except tomllib.TOMLDecodeError:
            continue  # it goes on in the next line
        yield number, begun.strip()
        begun = ""


def _header(statement: str) -> tuple[str, ...]:
    """The names in `[a.b]` or `[[a.b]]`."""
    value: Any = tomllib.loads(statement)
    names: list[str] = []
    while value:
        if isinstance(value, list):
            value = value[0]
            continue
        ((name, value),) = value.items()
        names.append(name)
    return tuple(names)


def _placed(names: tuple[str, ...], counts: Mapping[Path, int]) -> Path:
    """*names* as a path: below a list of tables the latest one is meant."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if path in counts and place < len(names) - 1:
            path = (*path, counts[path])
    return path


def _paths(value: object) -> Iterator[Path]:
    """The paths of all keys in *value*, those of inline tables too."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield (name,)
            yield from ((name, *path) for path in _paths(below))
    elif isinstance(value, list):
        for position, each in enumerate(value):
            yield from ((position, *path) for path in _paths(each))
