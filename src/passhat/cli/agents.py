"""From what was typed to an agent: a name in Python, the URL of a service, or a command.

All commands come through here, so that an agent is named in the same way everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from passhat.errors import UsageError

_URL = re.compile(r"https?://", re.IGNORECASE)
_NONE = "agent: there is none: name it with --agent file.py:NAME, --agent http://… or --command 'node agent.js'"


def agent_of(given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a user's object
    """The agent that the options name; `agent_options` are those that only a file can say."""
    name, command = given.get("agent"), given.get("command")
    if name is not None and command is not None:
        raise UsageError("agent: --agent and --command name one each: give one of them")
    more = given.get("agent_options") or {}
    label, version = given.get("label") or "", given.get("agent_version") or ""
    if command is not None:
        from passhat.agents import CommandAgent

        return CommandAgent(command, label=label, version=version, **more)
    if not name:
        raise UsageError(_NONE)
    if _URL.match(name):
        from passhat.agents import HttpAgent

        return HttpAgent(name, label=label, version=version, **more)
    from passhat.cli.load import load

    return load(name, what="agent", default="agent")


def labels(given: Mapping[str, Any]) -> dict[str, str]:
    """What the run is to call the agent, where the agent was not told so when it was made."""
    if given.get("command") is not None or _URL.match(given.get("agent") or ""):
        return {}
    return {"label": given["label"], "version": given["agent_version"]}


def words(given: Mapping[str, Any]) -> list[str]:
    """The options that name this agent once more, for a command line that is shown or started."""
    named = ((option, given.get(option)) for option in ("agent", "command"))
    return [word for option, name in named if name is not None for word in (f"--{option}", name)]
