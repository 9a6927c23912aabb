"""Out of order: the answer to an earlier question comes after that to a later one."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.faults._checks import check, seconds, whole
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Hold
from passhat.model.trial import Call

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class OutOfOrder(Fault):
    """Of calls that are made at the same time, the reply to one comes after those to *calls* later ones.

    Upstream has done its job, and each call gets its own reply: only the order in which they arrive is another. One
    reply is kept back at a time, for *seconds* at the most, so an agent that makes one call after the other just waits
    for so long at each.

    A good agent knows by the call, or by an id in the reply, which question is answered, and not by the order.
    """

    calls: int = 1
    seconds: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no number of calls, and no time."""
        check(self, whole("calls", self.calls, 1, _MOST), seconds("seconds", self.seconds))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Hold(self.calls, self.seconds)
