"""Places in a state: keys and positions joined by dots, such as `orders.7.note` or `orders.*.note`.

`*` stands for any part of one key, and a single dot is the state itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

Path = tuple[str, ...]


def pattern_of(text: str) -> Path:
    """The path that *text* writes."""
    return () if text == "." else tuple(text.split("."))


def written(path: Path) -> str:
    """A path as a reader writes it."""
    return ".".join(path) or "the state"


def meets(path: Path, patterns: Sequence[Path]) -> bool:
    """True where one of *patterns* names this path."""
    return any(len(one) == len(path) and all(map(fnmatchcase, path, one)) for one in patterns)


def encoded(value: object) -> bytes:
    """JSON that is the same whatever the order of keys."""
    return msgspec.json.encode(value, order="sorted")
