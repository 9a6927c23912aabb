"""Ids that a world makes up anew each time, such as order numbers, by names that say only which are the same.

Two states that differ in such ids alone, and in the order of unordered lists, should come to one form. Every id gets a
colour by where it stands and beside what, and again by the colours around it, until no more are told apart: colour
refinement, which is old in graph theory (Weisfeiler and Leman 1968). Of ids that are still alike one is picked, and so
on: mostly they can change places without a difference, and any may be the first.

The form never hides a difference: equal forms are the same state but for its ids. Where ids are tangled so evenly that
no colour tells them apart, though they cannot change places, equal states may come to different forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from passhat.graders._places import Path, encoded, meets

_KEYS = "~"  # at the end of a path: the key there, and not the value
_SELF = b"!"
Colours = Mapping[str, bytes]


@dataclass(slots=True, eq=False)
class _Node:
    """A value of the state. A leaf holds an id or the bytes of what it is; any other its children, with their keys.

    `names` are the ids among the keys of a mapping. `free`: the order of the children means nothing.
    """

    leaf: bytes = b""
    name: str = ""
    keys: Sequence[str] = ()
    names: Sequence[str] = ()
    children: Sequence[_Node] = ()
    free: bool = False
    colour: bytes = b""


class Ids:
    """The ids of one state: at the places that *ids* names, in lists of which *unordered* have no order."""

    def __init__(self, state: Any, *, ids: Sequence[Path], unordered: Sequence[Path]) -> None:  # noqa: ANN401 - JSON
        self._state = state
        self._keys = [(*path[:-1], path[-1].removesuffix(_KEYS)) for path in ids if path and path[-1].endswith(_KEYS)]
        self._values = [path for path in ids if not (path and path[-1].endswith(_KEYS))]
        self._unordered = unordered

    def named(self) -> Any:  # noqa: ANN401 - JSON
        """The state with a name for each id: #1, #2 and so on."""
        names: dict[str, str] = {}
        tree = self._tree(self._state, ())
        colours = _told_apart(tree)
        _paint(tree, colours)
        for one in _in_order(tree, colours):
            names.setdefault(one, f"#{len(names) + 1}")
        return self._renamed(self._state, (), names)

    def _tree(self, value: Any, path: Path) -> _Node:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            places = [(*path, key) for key in value]
            names = [key if meets(at, self._keys) else "" for key, at in zip(value, places, strict=True)]
            children = [self._tree(item, at) for item, at in zip(value.values(), places, strict=True)]
            return _Node(keys=list(value), names=names, children=children, free=True)
        if isinstance(value, list):
            children = [self._tree(item, (*path, str(place))) for place, item in enumerate(value)]
            return _Node(children=children, free=meets(path, self._unordered))
        if self._is_id(value, path):
            return _Node(name=str(value))
        return _Node(leaf=encoded(value))

    def _is_id(self, value: object, path: Path) -> bool:
        return isinstance(value, str | int) and not isinstance(value, bool) and meets(path, self._values)

    def _renamed(self, value: Any, path: Path, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            found: dict[str, Any] = {}
            for key, item in value.items():
                at = (*path, key)
                found[names[key] if meets(at, self._keys) else key] = self._renamed(item, at, names)
            if len(found) < len(value):
                raise ValueError("a key of the state looks like a name that is given to an id, such as '#1'")
            return found
        if isinstance(value, list):
            items = [self._renamed(item, (*path, str(place)), names) for place, item in enumerate(value)]
            return sorted(items, key=encoded) if meets(path, self._unordered) else items
        return names[str(value)] if self._is_id(value, path) else value


def _told_apart(tree: _Node) -> Colours:
    """A colour for each id, and each its own."""
    colours: Colours = dict.fromkeys(_all(tree), b"?")
    while True:
        colours = _stable(tree, colours)
        sizes = Counter(colours.values())
        alike = [colour for colour, size in sizes.items() if size > 1]
        if not alike:
            return colours
        least = min(alike)
        picked = _twins(tree, [one for one, colour in colours.items() if colour == least])
        colours = {**colours, **{one: _hashed(least, b"%d" % place) for place, one in enumerate(picked)}}


def _stable(tree: _Node, colours: Colours) -> Colours:
    """*colours*, refined until no more ids are told apart."""
    while True:
        _paint(tree, colours)
        stands: dict[str, list[bytes]] = {one: [] for one in colours}
        _look(tree, b"", colours, stands)
        finer = {one: _hashed(colours[one], *sorted(places)) for one, places in stands.items()}
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer


def _paint(node: _Node, colours: Colours) -> bytes:
    """Give each value the colour of what is in it."""
    if node.name:
        node.colour = colours[node.name]
    elif not node.children:
        node.colour = _hashed(b"leaf", node.leaf)
    else:
        inside = [_hashed(_place(node, at, colours), _paint(child, colours)) for at, child in enumerate(node.children)]
        node.colour = _hashed(b"free", *sorted(inside)) if node.free else _hashed(b"list", *inside)
    return node.colour


def _place(node: _Node, at: int, colours: Colours) -> bytes:
    """Where the child *at* stands in *node*, as far as that means something."""
    if node.keys:
        return _hashed(b"id", colours[node.names[at]]) if node.names[at] else _hashed(b"key", encoded(node.keys[at]))
    return b"" if node.free else b"%d" % at


def _look(node: _Node, around: bytes, colours: Colours, stands: Mapping[str, list[bytes]]) -> None:
    """Note of each id where it stands and what is around it."""
    if node.name:
        stands[node.name].append(around)
        return
    for at, child in enumerate(node.children):
        here = _hashed(around, node.colour, _place(node, at, colours), child.colour)
        if node.keys and node.names[at]:
            stands[node.names[at]].append(_hashed(b"key", here))
        _look(child, here, colours, stands)


def _twins(tree: _Node, alike: Sequence[str]) -> Sequence[str]:
    """Those of *alike* that can change places with the first: all stand in the same lists, in elements that are alike.

    Whoever stands where order means something, or beside another of them, has none.
    """
    homes: dict[str, list[tuple[int, _Node, int]]] = {one: [] for one in alike}
    _homes(tree, None, homes)

    def seen(one: str) -> Hashable:
        elements = [(home, _raw(node, one, at)) for home, node, at in homes[one]]
        return one if any(home < 0 for home, _ in elements) else tuple(sorted(elements))

    first = seen(alike[0])
    return [one for one in alike if seen(one) == first]


def _homes(node: _Node, home: tuple[int, _Node, int] | None, homes: Mapping[str, list[tuple[int, _Node, int]]]) -> None:
    """Note of each id the free list, or the mapping by ids, that is nearest around it, and its element there."""
    if node.name in homes:
        homes[node.name].append(home or (-1, node, -1))
    for at, child in enumerate(node.children):
        by_id = bool(node.keys) and bool(node.names[at])
        nearest = (id(node), node, at) if by_id or (node.free and not node.keys) else home
        if by_id and node.names[at] in homes:
            homes[node.names[at]].append((id(node), node, at))
        _homes(child, nearest, homes)


def _raw(node: _Node, this: str, at: int) -> bytes:
    """The element *at* of *node* with every id as it is, and *this* one marked."""

    def raw(value: _Node) -> bytes:
        if value.name:
            return name(value.name)
        inside = [entry(value, place) for place in range(len(value.children))]
        return _hashed(value.leaf, *(sorted(inside) if value.free else inside))

    def entry(value: _Node, place: int) -> bytes:
        if not value.keys:
            return raw(value.children[place])
        key = name(value.names[place]) if value.names[place] else encoded(value.keys[place])
        return _hashed(key, raw(value.children[place]))

    def name(one: str) -> bytes:
        return _hashed(_SELF) if one == this else _hashed(b"id", one.encode())

    return entry(node, at) if at >= 0 else raw(node)


def _in_order(node: _Node, colours: Colours) -> Iterator[str]:
    """The ids as a reader comes by them; where there is no order, by their colours."""
    if node.name:
        yield node.name

    def rank(at: int) -> tuple[str, bytes, bytes]:
        key = node.keys[at] if node.keys and not node.names[at] else ""
        return key, _place(node, at, colours), node.children[at].colour

    places: Sequence[int] = range(len(node.children))
    if node.free:
        places = sorted(places, key=rank)
    for at in places:
        if node.keys and node.names[at]:
            yield node.names[at]
        yield from _in_order(node.children[at], colours)


def _all(node: _Node) -> Iterator[str]:
    """Every id in *node*, as often as it stands there."""
    if node.name:
        yield node.name
    yield from filter(None, node.names)
    for child in node.children:
        yield from _all(child)


def _hashed(*parts: bytes) -> bytes:
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in parts), digest_size=12).digest()
