"""Which tool calls a fault concerns: `refund*`, `write:*`, `get_order(order=7)`, or several of these in one.

    match := ["read:" | "write:"] GLOB ["(" name=value, … ")"]

A GLOB is a tool's name with * and ? as in file names. A call reads where its world declares the tool as one that only
reads; any other writes. The named arguments must be equal, whatever other arguments there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from passhat.errors import UsageError
from passhat.model.grammar import Scalar, Term, parse
from passhat.model.plain import encoded_alike

_FORM = re.compile(r"(?:(?P<kind>read|write):)?(?P<glob>[^()]+)(?:\((?P<arguments>.*)\))?")
_KINDS = frozenset({"read:", "write:"})


@dataclass(frozen=True, slots=True)
class Match:
    """The calls that are concerned: by tool, by what the call does, and by some of its arguments."""

    glob: str = "*"
    writes: bool | None = None
    arguments: tuple[tuple[str, Scalar], ...] = ()

    def meets(self, tool: str, arguments: Mapping[str, Any], *, write: bool) -> bool:
        """True where the fault concerns this call."""
        if self.writes is not None and write is not self.writes:
            return False
        if self.glob != "*" and not fnmatchcase(tool, self.glob):
            return False
        return all(name in arguments and encoded_alike(arguments[name], value) for name, value in self.arguments)

    def among(self, tools: Iterable[str], *, reads: Collection[str] | None = None) -> bool:
        """True where a call of one of *tools* could be concerned; *reads* are the ones that only read, where known."""
        return bool(self.those(tools, reads=reads))

    def those(self, tools: Iterable[str], *, reads: Collection[str] | None = None) -> list[str]:
        """The ones of *tools* whose calls could be concerned."""
        named = [tool for tool in tools if fnmatchcase(tool, self.glob)]
        return [tool for tool in named if reads is None or self.writes in {None, tool not in reads}]

    def covers(self, other: Match) -> bool:
        """True where every call that *other* meets is one that this meets too; where in doubt, False."""
        if self.writes not in {None, other.writes} or not set(self.arguments) <= set(other.arguments):
            return False
        is_name = not any(sign in other.glob for sign in "*?[")
        return self.glob in {"*", other.glob} or (is_name and fnmatchcase(other.glob, self.glob))


def parse_match(text: str) -> Match:
    """The match that *text* stands for.

    >>> parse_match("write:refund*(order=7)")
    Match(glob='refund*', writes=True, arguments=(('order', 7),))
    """
    found = _FORM.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or found["glob"] in _KINDS:
        raise UsageError(
            f"match={text!r}: write a tool's name, with * and ?, such as refund*; read: or write: before it, "
            "and (name=value) after it, narrow it down"
        )
    kind = found["kind"]
    return Match(found["glob"], None if kind is None else kind == "write", _arguments(text, found["arguments"]))


def _arguments(text: str, listed: str | None) -> tuple[tuple[str, Scalar], ...]:
    """The arguments that a call must have."""
    if listed is None:
        return ()
    try:
        (term,) = parse(f"match({listed})")
    except UsageError as error:
        raise UsageError(f"match={text!r}: {error}") from None
    given = []
    for argument in term.arguments:
        if not argument.name or isinstance(argument.value, Term):
            raise UsageError(f"match={text!r}: an argument is written name=value, with a number, a text or a word")
        given.append((argument.name, argument.value))
    return tuple(sorted(given))
