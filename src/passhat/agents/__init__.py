"""Agents: one adapter for each kind of agent. One file an adapter, and one line here."""

from __future__ import annotations

from passhat.agents._recognised import adapter_for
from passhat.agents.base import Agent, Request
from passhat.agents.command import CommandAgent
from passhat.agents.function import FunctionAgent
from passhat.agents.http import HttpAgent
from passhat.agents.langgraph import LangGraphAgent
from passhat.agents.openai_agents import OpenAiAgentsAgent
from passhat.agents.pydantic_ai import PydanticAiAgent
from passhat.model.one_call import one_call

command = CommandAgent
function = FunctionAgent
http = HttpAgent
langgraph = LangGraphAgent
openai_agents = OpenAiAgentsAgent
pydantic_ai = PydanticAiAgent

AGENTS: dict[str, type[Agent]] = {
    "command": CommandAgent,
    "function": FunctionAgent,
    "http": HttpAgent,
    "langgraph": LangGraphAgent,
    "openai_agents": OpenAiAgentsAgent,
    "pydantic_ai": PydanticAiAgent,
}

__all__ = [
    "AGENTS",
    "Agent",
    "CommandAgent",
    "FunctionAgent",
    "HttpAgent",
    "LangGraphAgent",
    "OpenAiAgentsAgent",
    "PydanticAiAgent",
    "Request",
    "adapter_for",
    "command",
    "function",
    "http",
    "langgraph",
    "one_call",
    "openai_agents",
    "pydantic_ai",
]
