"""Parts that installed packages add, as entry points of the groups `passhat.faults`, `passhat.rules` and so on.

The one file that reads what is installed; the lists of parts are handed to those who look names up. A package's code
runs when one of its parts is looked up, and not before: who uses none of its parts is not slowed or stopped by it.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, TypeVar

from passhat.engine.binding import Catalogue
from passhat.errors import UsageError
from passhat.faults import FAULTS, Fault
from passhat.metrics import METRICS, Metric
from passhat.model.parts import part_name
from passhat.perturbations import PERTURBATIONS, Perturbation

T = TypeVar("T")


class Parts(Mapping[str, T]):
    """The parts of one kind by name: the built-in ones, and those of installed packages, loaded as they are got."""

    __slots__ = ("_built_in", "_contract", "_group", "_points")

    def __init__(
        self,
        kind: str,
        built_in: Mapping[str, T],
        contract: type | None = None,
        *,
        beside: Mapping[str, object] | None = None,
    ) -> None:
        """The parts of the folder *kind*; an installed name that is taken is refused.

        Each part is a subclass of *contract*, where there is one. *beside* are parts of another kind that are
        looked up by the same words.
        """
        self._group = f"passhat.{kind}"
        self._built_in = built_in
        self._contract = contract
        self._points: dict[str, EntryPoint] = {}
        problems = []
        for point in sorted(entry_points(group=self._group), key=lambda each: (each.name, each.value)):
            taken = next((known for known in (self, beside) if known is not None and point.name in known), None)
            if taken is None:
                self._points[point.name] = point
            else:
                problems.append(f"{self._said(point)} has the name of {_where(taken, point.name)}: it needs another")
        if problems:
            raise UsageError(*problems)

    def __getitem__(self, name: str) -> T:
        """The part of this name."""
        return self._built_in[name] if name in self._built_in else self._loaded(self._points[name])

    def __contains__(self, name: object) -> bool:
        """True where there is such a part; it is not loaded."""
        return name in self._built_in or name in self._points

    def __iter__(self) -> Iterator[str]:
        """The names, the built-in ones first."""
        return iter((*self._built_in, *self._points))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._built_in) + len(self._points)

    def where(self, name: str) -> str:
        """Where a part comes from, in words."""
        if name in self._points:
            return self._said(self._points[name])
        return _where(self._built_in, name)

    def _loaded(self, point: EntryPoint) -> T:
        """The part that *point* names, or one sentence on why it is none."""
        try:
            found: Any = point.load()
        except (Exception, SystemExit) as error:
            raise UsageError(f"{self._said(point)} cannot be loaded: {_why(error)}") from error
        if not callable(found) or (self._contract and not (isinstance(found, type) and self._is_kind(found))):
            wanted = f"a subclass of {_path(self._contract)}" if self._contract else "a class"
            raise UsageError(f"{self._said(point)} is not {wanted}")
        if self._contract and part_name(found) != point.name:
            raise UsageError(f"{self._said(point)} is called {part_name(found)!r} by its class: both need one name")
        part: T = found
        return part

    def _is_kind(self, found: type) -> bool:
        return self._contract is not None and issubclass(found, self._contract)

    def _said(self, point: EntryPoint) -> str:
        package = f" of the package {point.dist.name} {point.dist.version}" if point.dist else ""
        return f"{self._group}: {point.name!r}{package} ({point.value})"


def _where(parts: Mapping[str, object], name: str) -> str:
    return parts.where(name) if isinstance(parts, Parts) else f"the built-in {_path(parts[name])}"


def _path(kind: object) -> str:
    return f"{getattr(kind, '__module__', '')}.{getattr(kind, '__qualname__', kind)}"


def _why(error: BaseException) -> str:
    """The complaint of a package's code, and the line that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    # The first frame is this file's.
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if len(frames) > 1 else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if text else ''}{text}{at}"


def catalogue() -> Catalogue:
    """What a condition's text may name; faults and perturbations share their names."""
    known = Parts("faults", FAULTS, Fault, beside=PERTURBATIONS)
    return Catalogue(known, Parts("perturbations", PERTURBATIONS, Perturbation, beside=known))


def installed_metrics() -> Parts[type[Metric]]:
    """The metrics by name."""
    return Parts("metrics", METRICS, Metric)
