"""The truncated text: a long text that stops in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, text, whole
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.places import places, put
from passhat.shapes.text import cut_at_word
from passhat.shapes.written import in_json

_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class TruncatedText(Fault):
    """The longest text in the reply is cut at a word, after *keep* characters at most; *marker* is put behind it.

    A good agent notices that the text stops, and asks for the rest before it relies on it.
    """

    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    keep: int = 100
    marker: str = ""

    def __post_init__(self) -> None:
        """Refuse a length that is none."""
        check(self, whole("keep", self.keep, 1, _LONGEST), text("marker", self.marker, may_be_empty=True))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(in_json(reply, self._cut))

    def _cut(self, reply: Json) -> Json:
        texts = [(place, found) for place, found in places(reply) if isinstance(found, str) and len(found) > self.keep]
        if not texts:
            return reply
        place, longest = max(texts, key=lambda one: len(one[1]))
        return put(reply, place, cut_at_word(longest, self.keep) + self.marker)
