"""The late reply: it comes after its question was given up, and is taken for the answer to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, seconds
from passhat.faults._timeout import timed_out, unanswered
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Visibility
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.plain import encoded_alike
from passhat.model.trial import Call, ToolCall


@dataclass(frozen=True, slots=True)
class LateReply(Fault):
    """A reply comes after the client has given up, and is what the next call of the same tool reads.

    The first call that it meets does its job upstream, and ends with a timeout after *hang* seconds. The next call of
    that tool does its job too, and is told what belongs to the first, as on a connection where nothing says which reply
    is whose. Then all is as before. A dose that lets it act at one call alone makes it a lost reply.

    A good agent compares the id in a reply with the one that it asked for, asks again where they differ, and after a
    timeout looks at the state before it repeats a write.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT
    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    hang: float = 5.0

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        check(self, seconds("hang", self.hang))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        given_up = [past for past in call.history if past.executed and past.error == timed_out(self.hang).message]
        if not given_up:
            return unanswered(self.hang)
        late = [past for past in given_up if past.tool == call.tool and not _came(past, call.history)]
        return Reply(late[0].upstream) if late else PROCEED


def _came(late: ToolCall, history: Sequence[ToolCall]) -> bool:
    """True where a later call of the tool was told what *late* had asked for."""
    later = [one for one in history if one.tool == late.tool and one.step > late.step and one.ok]
    return any(encoded_alike(one.reply, late.upstream) for one in later)
