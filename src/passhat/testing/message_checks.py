"""The part of `check_fault` that is about messages: what an agent's model gets to see under a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from passhat.model.base import Json
from passhat.model.codec import KINDS
from passhat.model.dice import dice
from passhat.model.effect import Proceed, Reply
from passhat.model.trial import Call
from passhat.testing._words import TELLTALE, as_text, comes_back

_THROWS = 4


def tried_on_messages(fault: Any, samples: Sequence[Sequence[Json]]) -> tuple[list[str], bool]:  # noqa: ANN401 - any fault
    """Every promise that *fault* breaks on these *samples*, and whether it changes any."""
    if "messages" not in getattr(fault, "surfaces", ()):
        return [], False
    tries = [_Shown(fault, messages, throw) for messages in samples for throw in range(_THROWS)]
    return [problem for one in tries for problem in one.problems()], any(one.acts for one in tries)


class _Shown:
    """What a fault decided about one list of messages."""

    def __init__(self, fault: Any, messages: Sequence[Json], throw: int) -> None:  # noqa: ANN401 - as above
        messages = json.loads(as_text(messages))  # one of its own: a bad fault may change it, and all that is in it
        self._given = as_text(messages)
        self.effect = fault.on_messages(list(messages), dice(throw, "check"))
        self._again = fault.on_messages(list(messages), dice(throw, "check"))
        self._left = as_text(messages)
        self.acts = isinstance(self.effect, Reply) and self.effect.value != list(messages)
        call = Call(tool="messages", arguments={"messages": list(messages)}, ordinal=1, write=False)
        self._concerns = fault.concerns(call)

    def problems(self) -> Iterator[str]:
        """Every promise that this decision breaks."""
        if self._left != self._given:
            yield "on_messages changes the messages that it is given"
        if self._again != self.effect:
            yield "on_messages decides twice for the same dice, and not the same"
        shown = isinstance(self.effect, Reply) and isinstance(self.effect.value, list)
        if not shown and not isinstance(self.effect, Proceed):
            yield f"on_messages gives {self.effect!r:.80}, where PROCEED or a Reply with a list of messages can be"
        elif not comes_back(self.effect, KINDS["effect"]):
            yield f"on_messages gives {self.effect!r:.80}, which JSON cannot hold"
        if self.acts and self._concerns is not True:
            yield "on_messages acts on messages that it says do not concern it"
        for word in sorted(set(TELLTALE.findall(as_text(self.effect))) - set(TELLTALE.findall(self._given))):
            yield f"on_messages lets the agent read {word!r}, which says that this is a test"
