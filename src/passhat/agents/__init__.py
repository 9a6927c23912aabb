"""Agents: one adapter for each kind of agent. One file an adapter, and one line here."""

from __future__ import annotations

from passhat.agents.base import Agent, Request
from passhat.agents.function import FunctionAgent
from passhat.model.one_call import one_call

function = FunctionAgent

AGENTS: dict[str, type[Agent]] = {
    "function": FunctionAgent,
}

__all__ = ["AGENTS", "Agent", "FunctionAgent", "Request", "function", "one_call"]
