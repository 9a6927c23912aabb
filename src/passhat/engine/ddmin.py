"""Delta debugging: a smallest part of something that still fails, found by leaving parts out. Pure, and about anything.

The algorithm is ddmin, of Zeller and Hildebrandt 2002. It halves first, because one piece is often to blame, and asks
about ever finer parts where halves alone do not fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def ddmin(items: Sequence[T], fails: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """A part of *items* that fails, and from which no single item can be left out.

    *items* differ; all of them together fail and none of them does not: neither is asked. *fails* is asked once about
    each part, n² + 3n times at the most, and the order of the items is kept.

    >>> ddmin("abcdefgh", lambda part: {"c", "f"} <= set(part))
    ('c', 'f')
    """
    kept = tuple(items)
    known: dict[tuple[T, ...], bool] = {}

    def failing(parts: Iterator[tuple[T, ...]]) -> tuple[T, ...]:
        for part in parts:
            if part not in known:
                known[part] = fails(part)
            if known[part]:
                return part
        return ()

    pieces = 2
    while len(kept) > 1:
        if smaller := failing(_pieces(kept, pieces)):
            kept, pieces = smaller, 2
        elif smaller := failing(_rests(kept, pieces)):
            kept, pieces = smaller, max(pieces - 1, 2)
        elif pieces < len(kept):
            pieces = min(2 * pieces, len(kept))
        else:
            break
    return kept


def _pieces(items: tuple[T, ...], count: int) -> Iterator[tuple[T, ...]]:
    """*items* in *count* pieces, as even as can be."""
    return (items[len(items) * i // count : len(items) * (i + 1) // count] for i in range(count))


def _rests(items: tuple[T, ...], count: int) -> Iterator[tuple[T, ...]]:
    """*items* without each of the pieces."""
    bounds = [(len(items) * i // count, len(items) * (i + 1) // count) for i in range(count)]
    return ((*items[:begin], *items[end:]) for begin, end in bounds)
