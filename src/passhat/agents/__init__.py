"""Agents: one adapter for each kind of agent. One file an adapter, and one line here."""

from __future__ import annotations

from passhat.agents.base import Agent, Request
from passhat.agents.command import CommandAgent
from passhat.agents.function import FunctionAgent
from passhat.agents.http import HttpAgent
from passhat.model.one_call import one_call

command = CommandAgent
function = FunctionAgent
http = HttpAgent

AGENTS: dict[str, type[Agent]] = {
    "command": CommandAgent,
    "function": FunctionAgent,
    "http": HttpAgent,
}

__all__ = [
    "AGENTS",
    "Agent",
    "CommandAgent",
    "FunctionAgent",
    "HttpAgent",
    "Request",
    "command",
    "function",
    "http",
    "one_call",
]
