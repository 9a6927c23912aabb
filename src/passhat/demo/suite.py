"""The demo's suite: its tasks, a fresh shop a trial, and a grader that compares end states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from passhat import graders
from passhat.demo.shop import Shop
from passhat.demo.tasks import TASKS
from passhat.model.base import Json
from passhat.model.task import Suite
from passhat.model.trial import Evidence, Grade

_SHOWN = 3


def end_state(evidence: Evidence) -> Grade:
    """Pass where the shop differs from a fresh one in what the task expects, and in nothing else."""
    found = changes(Shop().snapshot(), evidence.state)
    expected = evidence.expect if isinstance(evidence.expect, Mapping) else {}
    wrong = [place for place in sorted({*found, *expected}) if not _same(place, found, expected)]
    reasons = [_reason(place, found, expected) for place in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        reasons.append(f"and {len(wrong) - _SHOWN} more places are wrong")
    return Grade("end_state", not wrong, reason="; ".join(reasons))


def changes(before: Json, after: Json) -> dict[str, Json]:
    """The places where two states differ, with the value that *after* has there; None where it has none."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    return {place: new.get(place) for place in sorted({*old, *new}) if not _same(place, old, new)}


def _same(place: str, one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    return place in one and place in other and one[place] == other[place]


def _leaves(state: Json, place: str = "") -> Iterator[tuple[str, Json]]:
    if not isinstance(state, Mapping):
        yield place, state
        return
    for name, value in state.items():
        yield from _leaves(value, f"{place}.{name}" if place else name)


def _reason(place: str, found: Mapping[str, Json], expected: Mapping[str, Json]) -> str:
    if place not in found:
        return f"{place} is unchanged and should be {expected[place]!r}"
    if place not in expected:
        return f"{place} became {found[place]!r} and should be unchanged"
    return f"{place} is {found[place]!r} and should be {expected[place]!r}"


suite = Suite(tasks=TASKS, grader=graders.predicate(end_state), world=Shop, name="shop")
