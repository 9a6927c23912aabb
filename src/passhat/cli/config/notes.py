"""The problems of one `passhat.toml`, each with its file, its line and its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from passhat.cli.config.lines import Lines, Path
from passhat.errors import UsageError

T = TypeVar("T")
_MOST = 100


class Notes:
    """Collects what is wrong with a file, so that all of it is said at once."""

    def __init__(self, source: str, text: str = "", *, most: int = _MOST) -> None:
        """Nothing is wrong yet with *text*, which was read from *source*; *most* problems of it are said."""
        self._most = most
        self._source = source
        self._text = text
        self._problems: list[str] = []

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)

    @property
    def problems(self) -> list[str]:
        """What is wrong, one sentence each; of very many the first."""
        left = len(self._problems) - self._most
        return [*self._problems[: self._most], *([f"{self._source}: {left:,} more problems"] if left > 0 else [])]

    def add(self, path: Path, *problems: str) -> None:
        """Note what is wrong with the key at *path*."""
        for problem in problems:
            self._problems.append(f"{self.place(path)}: {problem}")

    def at(self, line: int, problem: str) -> None:
        """Note what is wrong with a line."""
        self._problems.append(f"{self._source}:{line}: {problem}")

    def tried(self, path: Path, make: Callable[[], T]) -> T | None:
        """What *make* gives, or None and its complaints noted at *path*."""
        try:
            return make()
        except UsageError as error:
            self.add(path, *error.problems)
            return None

    def place(self, path: Path) -> str:
        """The file, the line and the key."""
        line = self._lines.of(path)
        key = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
        return f"{self._source}{'' if line is None else f':{line}'}{': ' if key else ''}{key}"
