"""Which adapter a framework's object is for, known by the class that it descends from; no framework is imported."""

from __future__ import annotations

from typing import Any

from passhat.agents.langgraph import LangGraphAgent
from passhat.agents.openai_agents import OpenAiAgentsAgent
from passhat.agents.pydantic_ai import PydanticAiAgent

Adapter = type[LangGraphAgent] | type[OpenAiAgentsAgent] | type[PydanticAiAgent]
# The module that a class is written in says more than its name: many packages have an Agent.
_KINDS: dict[tuple[str, str], Adapter] = {
    ("agents.agent", "AgentBase"): OpenAiAgentsAgent,
    ("langgraph.graph.state", "StateGraph"): LangGraphAgent,  # which says that it is to be compiled
    ("langgraph.pregel.main", "Pregel"): LangGraphAgent,
    ("pydantic_ai.agent.abstract", "AbstractAgent"): PydanticAiAgent,
}


def adapter_for(agent: Any) -> Adapter | None:  # noqa: ANN401 - any object
    """The adapter for *agent*, where it is an object of a framework that we know."""
    kinds = ((kind.__module__, kind.__name__) for kind in type(agent).__mro__)
    return next((_KINDS[kind] for kind in kinds if kind in _KINDS), None)
