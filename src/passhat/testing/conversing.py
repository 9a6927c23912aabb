"""An agent that keeps its own messages and passes them on before it acts, so that what a model no longer sees shows.

It has no model: it acts as the task asks where the task's words are among the messages that it gets back, and without
them it does what it does of its own accord.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.protocols import Tools
from passhat.testing.agents import DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Converses:
    """Looks *rounds* times with *reading*, then calls *tool*: with *arguments* as asked, or with those of *forgotten*.

    With *restates* it says again what it was asked, last of all, before it acts: what was said first may be gone.
    """

    reading: str
    reading_arguments: Mapping[str, Json] = field(default_factory=dict)
    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    forgotten: Mapping[str, Json] = field(default_factory=dict)
    rounds: int = 5
    restates: bool = False

    async def __call__(self, message: object, tools: Tools) -> Answer:
        """Look, pass on what was said, and act on what is left of it."""
        asked: dict[str, Json] = {"role": "user", "content": str(message)}
        history = [asked]
        for turn in range(self.rounds):
            found = await tools.call(self.reading, **self.reading_arguments)
            history += self._exchange(f"call_{turn}", found)
        if self.restates:
            history.append(asked)
        seen = tools.messages(history)
        await tools.call(self.tool, **(self.arguments if asked in seen else self.forgotten))
        return DONE

    def _exchange(self, name: str, found: object) -> list[dict[str, Json]]:
        """A tool call and its result, as messages."""
        given = {"name": self.reading, "arguments": json.dumps(dict(self.reading_arguments))}
        called: Json = [{"id": name, "type": "function", "function": given}]
        return [
            {"role": "assistant", "content": None, "tool_calls": called},
            {"role": "tool", "tool_call_id": name, "content": json.dumps(found, default=repr)},
        ]
