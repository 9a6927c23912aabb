"""Names by patterns, for tools that nobody can list beforehand. What they are declared for is no matter here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase


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
