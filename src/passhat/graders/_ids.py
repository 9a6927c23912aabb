"""Ids that a world makes up anew each time, such as order numbers, by names that say only which are the same.

Two states that differ in such ids alone, and in the order of unordered lists, should come to one form. The names are
given by where an id stands: what stands alone in its place is named first, and who stands beside something named can be
told apart next. Of ids that can change places without a difference, any may be the first.

The form never hides a difference: equal forms are the same state but for its ids. Where ids are tangled so evenly that
no place tells them apart, though they cannot change places, equal states may come to different forms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from passhat.graders._places import Path, encoded, meets

_KEYS = "~"  # at the end of a path: the key there, and not the value


class Ids:
    """The ids of one state: at the places that *ids* names, in lists of which *unordered* have no order."""

    def __init__(self, state: Any, *, ids: Sequence[Path], unordered: Sequence[Path]) -> None:  # noqa: ANN401 - JSON
        self._state = state
        self._keys = [(*path[:-1], path[-1].removesuffix(_KEYS)) for path in ids if path and path[-1].endswith(_KEYS)]
        self._values = [path for path in ids if not (path and path[-1].endswith(_KEYS))]
        self._unordered = unordered

    def named(self) -> Any:  # noqa: ANN401 - JSON
        """The state with a name for each id: #1, #2 and so on."""
        names = self._names()
        return self._plain(self._masked(names.__getitem__))

    def _names(self) -> Mapping[str, str]:
        """A name for each id, by the places where it stands."""
        found: dict[str, str] = {}
        self._masked(lambda one: found.setdefault(one, one))
        left, names = list(found), dict[str, str]()
        while left:
            for one in self._next(left, names):
                names[one] = f"#{len(names) + 1}"
            left = [one for one in left if one not in names]
        return names

    def _next(self, left: Sequence[str], names: Mapping[str, str]) -> Sequence[str]:
        """Which of those *left* are named next, in their order."""
        alike: dict[bytes, list[str]] = {}
        for one in left:
            alike.setdefault(self._looks(one, names), []).append(one)
        alone = [group[0] for _, group in sorted(alike.items()) if len(group) == 1]
        if alone:
            return alone
        _, group = min(alike.items())
        return group if self._interchangeable(group) else group[:1]

    def _looks(self, this: str, names: Mapping[str, str]) -> bytes:
        """What the state looks like for who can tell the ids that have *names*, and *this* one."""
        masked = self._masked(lambda one: [names[one]] if one in names else ["!" if one == this else "?"])
        return blake2b(encoded(masked), digest_size=16).digest()

    def _interchangeable(self, group: Sequence[str]) -> bool:
        """True where the first can change places with each of the others: then all can, in any way."""
        first, now = group[0], encoded(self._masked(str))
        swaps = ({first: other, other: first} for other in group[1:])
        return all(encoded(self._masked(partial(_swapped, swap))) == now for swap in swaps)

    def _masked(self, name: Callable[[str], Any]) -> Any:  # noqa: ANN401 - JSON
        """The state with its ids as *name* gives them; a mapping as pairs, since keys may come to be alike."""

        def walk(value: Any, path: Path) -> Any:  # noqa: ANN401 - JSON
            if isinstance(value, dict):
                places = ((key, item, (*path, key)) for key, item in sorted(value.items()))
                pairs = [[name(key) if meets(at, self._keys) else key, walk(item, at)] for key, item, at in places]
                return _Pairs(sorted(pairs, key=encoded))
            if isinstance(value, list):
                items = [walk(item, (*path, str(place))) for place, item in enumerate(value)]
                return sorted(items, key=encoded) if meets(path, self._unordered) else items
            is_id = isinstance(value, str | int) and not isinstance(value, bool) and meets(path, self._values)
            return name(str(value)) if is_id else value

        return walk(self._state, ())

    def _plain(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """Pairs as a mapping again."""
        if isinstance(value, _Pairs):
            found = {key: self._plain(item) for key, item in value}
            if len(found) < len(value):
                raise ValueError("a key of the state looks like a name that is given to an id, such as '#1'")
            return found
        return [self._plain(item) for item in value] if isinstance(value, list) else value


class _Pairs(list[Any]):
    """A mapping, as pairs."""


def _swapped(swap: Mapping[str, str], one: str) -> str:
    return swap.get(one, one)
