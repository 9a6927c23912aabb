"""The stale read: a replica or a cache that is behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, whole
from passhat.faults._past import versions
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.plain import encoded_alike
from passhat.model.trial import Call

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class StaleRead(Fault):
    """A read gives what it gave *lag* versions ago in this trial, as if nothing had been written since.

    It concerns reads that were answered before, and acts where the answer has changed since. Where the world does not
    declare which tools only read, it concerns every call: say with `match=` which tools read.

    A good agent compares a version or a time of change, trusts what its own write returned, and reads again.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    lag: int = 1

    def __post_init__(self) -> None:
        """Refuse a lag that is none."""
        check(self, whole("lag", self.lag, 1, _MOST))

    def concerns(self, call: Call) -> bool:
        return call.may_read and bool(versions(call))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if not call.may_read:
            return PROCEED
        older = [version for version in versions(call) if not encoded_alike(version, reply)]
        return Reply(older[-min(self.lag, len(older))]) if older else PROCEED
