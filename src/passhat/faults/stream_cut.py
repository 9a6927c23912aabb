"""The cut stream: a reply that comes item by item, and stops in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, whole, yes_or_no
from passhat.faults.base import Fault
from passhat.model.condition import Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Cut, Effect
from passhat.model.trial import Call

_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class StreamCut(Fault):
    """A stream stops after *after* items, although there are more: the connection breaks.

    With clean=true it ends as if it were whole, as it does behind a proxy that ends what it could not read to the end.
    It concerns calls of tools that give their reply item by item; a stream that has no more items than that is left
    alone.

    A good agent takes what it has read for a part: it asks for the rest, or reads again, and before it repeats a write
    it looks how far the first one came. Where nothing broke it knows by a count, or by a last item that says so.
    """

    phase: ClassVar[Phase] = Phase.MID

    after: int = 1
    clean: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no number of items."""
        check(self, whole("after", self.after, 0, _MOST), yes_or_no("clean", self.clean))

    @property
    def visibility(self) -> Visibility:
        return Visibility.IMPLICIT if self.clean else Visibility.EXPLICIT

    def concerns(self, call: Call) -> bool:
        return call.streams

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Cut(self.after, self.clean) if call.streams else PROCEED
