"""A call as it was recorded, beside its line in the ledger: what can be said of it without looking at any fault."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passhat.model.base import Noun
from passhat.model.circles import Turn
from passhat.model.ledger import Entry, Told
from passhat.model.trial import ToolCall

_SLACK = 0.001  # seconds: a clock may ring a little early
_RETRY_AFTER = re.compile(r"retry[- ]after\W{0,3}(\d+(?:\.\d+)?)", re.IGNORECASE)


class Seen(Noun, kw_only=True):
    """A call as it was recorded, beside its line in the ledger."""

    call: ToolCall
    entry: Entry

    @property
    def true(self) -> bool:
        """The agent was told what upstream said."""
        return self.entry.told is Told.REPLY

    @property
    def refused(self) -> bool:
        """Upstream itself said no: the agent was told so, and no fault had a hand in it."""
        return self.entry.refused


def turn_of(place: int, seen: Seen) -> Turn:
    """The call as it counts for a loop: what upstream says itself goes before what a fault has made of it."""
    said = seen.call.reply if seen.call.upstream is None else seen.call.upstream
    return Turn(place=place, operation=seen.entry.operation, true=seen.true, result=repr((seen.call.error, said)))


def end_of(call: ToolCall) -> float:
    """When the call ended."""
    return call.at + call.seconds


def until_write(after: Sequence[Seen]) -> list[Seen]:
    """The calls up to the next write, and that one."""
    first = next((place for place, seen in enumerate(after) if seen.entry.write), len(after))
    return list(after[: first + 1])


def violations(call: ToolCall, after: Sequence[Seen]) -> int:
    """The calls of the same tool that came before the time that the error named was over."""
    named = _RETRY_AFTER.search(call.error)
    if named is None:
        return 0
    allowed = end_of(call) + float(named[1]) - _SLACK
    return sum(seen.call.tool == call.tool and seen.call.at < allowed for seen in after)
