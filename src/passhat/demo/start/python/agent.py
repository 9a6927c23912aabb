"""The agent that is tested. A real one would ask a model; put yours here.

It tries a failed call only once more. With `TRIES = 9` it gets through, and the verdict is another.
"""

from __future__ import annotations

import re
from typing import Any

from passhat.errors import ToolError

TRIES = 2


def agent(message: str, tools: Any) -> str:
    """Do what a message such as 'Book the blue room for Monday.' asks for."""
    asked = re.fullmatch(r"Book (?:any free|the (\w+)) room for (\w+)\.", message)
    if asked is None:
        return "What shall I book?"
    room, day = asked.groups()
    return str(call(tools.book, day=day, room=room or call(tools.free_rooms, day=day)[0]))


def call(tool: Any, **arguments: str) -> Any:
    """Call a tool, and again where it fails."""
    for _ in range(TRIES - 1):
        try:
            return tool(**arguments)
        except ToolError:
            continue
    return tool(**arguments)
