"""Malformed JSON: a reply that cannot be parsed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, one_of, share
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.text import malformed
from passhat.shapes.written import held

_WAYS = ("cut", "escape", "trailing")


@dataclass(frozen=True, slots=True)
class MalformedJson(Fault):
    """Upstream does the job, and its reply arrives as a text that is no JSON: cut off, badly escaped, or with a rest.

    With how=cut a share *keep* of the text is left. A reply that is plain text is left alone.

    A good agent reads again and does not guess what is missing; it does not repeat a write for it.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    how: str = "cut"
    keep: float = 0.6

    def __post_init__(self) -> None:
        """Refuse another way, and a share that keeps it whole."""
        check(self, one_of("how", self.how, _WAYS), share("keep", self.keep))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if isinstance(reply, str) and held(reply) is None:
            return PROCEED
        return Reply(malformed(reply, self.how, share=self.keep))
