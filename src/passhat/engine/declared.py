"""What a suite says of tools: whether it can be read, and whether a world has the tools that are named.

A name that no tool has would go unnoticed: what is declared of it is never needed, and an invariant about it always
holds. Graders name the tools that they look at in `names_tools`, where they look at some.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from passhat.engine.where import where
from passhat.model.ledger import Declared
from passhat.model.parts import nearest
from passhat.model.plain import described
from passhat.model.task import Suite

_OF_TOOLS = ("handoff", "polling", "idempotent")


class Named(NamedTuple):
    """A tool's name, or a pattern, and who names it."""

    by: str
    tool: str


def declared_of(suite: Suite) -> Declared:
    """What *suite* declares, lists as tuples: a run keeps it."""
    return msgspec.convert(msgspec.to_builtins(suite.declared), Declared)


def declared_problems(declared: object) -> Iterator[str]:
    """What cannot be read in what a suite declares: a text alone would be read letter by letter."""
    if not isinstance(declared, Declared):
        yield f"declared: a graders.Declared, such as Declared(handoff=('call_a_person',)), not {described(declared)}"
        return
    for field in ("keys", *_OF_TOOLS):
        given = getattr(declared, field)
        if not _is_names(given):
            yield f"declared: its {field} is a list of names, not {described(given)}"
    groups: object = declared.substitutes
    if not isinstance(groups, list | tuple) or not all(map(_is_names, groups)):
        yield f"declared: its substitutes are a list of groups of names, not {described(groups)}"


def _is_names(given: object) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(name, str) and name for name in given)


def named_tools(suite: Suite) -> tuple[Named, ...]:
    """The tools that *suite* names: in what it declares, and in its grader."""
    declared = [Named(f"declared.{field}", tool) for field in _OF_TOOLS for tool in getattr(suite.declared, field)]
    groups = [Named("declared.substitutes", tool) for group in suite.declared.substitutes for tool in group]
    graded = [Named(f"grader {suite.grader.identity}", tool) for tool in getattr(suite.grader, "names_tools", ())]
    return tuple(dict.fromkeys((*declared, *groups, *graded)))


def grader_names_problems(grader: object) -> Iterator[str]:
    """What is wrong with the tools that a grader says it looks at; it is a user's, so it may raise anything."""
    try:
        given: object = getattr(grader, "names_tools", ())
    except Exception as error:  # noqa: BLE001 - a fence: a user's grader
        yield f"grader: its names_tools raises {where(error)}"
        return
    if not _is_names(given):
        yield f"grader: its names_tools is a list of tools' names, not {described(given)}"


def missing(named: Sequence[Named], tools: Collection[str]) -> Iterator[str]:
    """The names that none of a world's *tools* has; a world without tools says nothing of them."""
    for one in named if tools else ():
        if not any(fnmatchcase(tool, one.tool) for tool in tools):
            yield f"{one.by}: no tool of the world is called {one.tool!r}{nearest(one.tool, tools)}"
