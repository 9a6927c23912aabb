"""The truncated context: a model that no longer sees all that was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, one_of, whole
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.dose import Dose, PermanentFrom
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.messages import truncated

_MOST = 100_000_000
_ENDS = ("oldest", "middle")


@dataclass(frozen=True, slots=True)
class TruncatedContext(Fault):
    """The model sees about *keep_tokens* of the conversation: the oldest messages are gone, or those in the middle.

    It meets the messages that an agent passes through `tools.messages(history)`. System messages stay, and so does the
    newest one; a tool call and its results go together. A token is taken for 4 characters of a message's JSON.

    A good agent restates the goal and its limits close to the end, and fetches again what it no longer has, before it
    acts on what it believes was said.
    """

    phase: ClassVar[Phase] = Phase.PRE
    surfaces: ClassVar[frozenset[str]] = frozenset({"messages"})
    usual_dose: ClassVar[Dose] = PermanentFrom(1)

    keep_tokens: int = 2_000
    drop: str = "oldest"

    def __post_init__(self) -> None:
        """Refuse a length that is none, and another end."""
        check(self, whole("keep_tokens", self.keep_tokens, 1, _MOST), one_of("drop", self.drop, _ENDS))

    def concerns(self, call: Call) -> bool:
        messages = call.arguments.get("messages")
        return isinstance(messages, list) and len(self._left(messages)) < len(messages)

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        left = self._left(messages)
        return Reply(left) if len(left) < len(messages) else PROCEED

    def _left(self, messages: Sequence[Json]) -> list[Json]:
        return truncated(messages, self.keep_tokens, middle=self.drop == "middle")
