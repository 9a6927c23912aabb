"""Which tools only read: what a world declares, by names or patterns such as ``get_*``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from passhat.engine.making import Void
from passhat.model.plain import described


class Named(Collection[str]):
    """All names that one of the patterns matches, for an agent that brings tools which nobody can list beforehand."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """The names that *patterns* match."""
        self._patterns = patterns
        self._known: dict[object, bool] = {}

    def __contains__(self, name: object) -> bool:
        """Whether a pattern matches *name*; each name is looked at once."""
        if name not in self._known:
            self._known[name] = any(fnmatchcase(str(name), pattern) for pattern in self._patterns)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)


def reads(world: object, tools: Iterable[str] | None) -> Collection[str]:
    """The tools that *world* declares as ones that only read; *tools* is None where not all of them are known."""
    declared: Any = getattr(world, "reads", ())
    if not declared:
        return ()
    listed = isinstance(declared, Collection) and not isinstance(declared, str)
    if not listed or not all(isinstance(name, str) for name in declared):
        raise Void(f"the world's reads: a list of the names of tools that only read, not {described(declared)}")
    if tools is None:
        return Named(tuple(declared))
    return frozenset(tool for tool in tools if any(fnmatchcase(tool, name) for name in declared))
