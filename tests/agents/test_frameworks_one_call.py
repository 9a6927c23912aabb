"""What a framework tries again by itself is one call of the agent's, and what it makes up for is absorbed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents.middleware import ToolRetryMiddleware
from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import FunctionToolset

from passhat import faults
from passhat.agents import LangGraphAgent, PydanticAiAgent
from passhat.model.dose import once_at
from passhat.model.exposure import Fate, exposure
from tests.agents.scripted import Desk, gives_up, graph, insists, pydantic_model
from tests.agents.test_frameworks import Shop, suite
from tests.agents.test_pydantic_ai_agent import Again
from tests.engine.drive import drive


class TriesAgain(AbstractCapability[Any]):
    """A capability that carries a call out again where it fails, as production code may."""

    async def wrap_tool_execute(self, ctx: Any, *, handler: Any, args: Any, **_: object) -> Any:  # noqa: ANN401
        """Try twice; the first time what the framework makes of the error comes by."""
        try:
            return await handler(args)
        except Exception:  # noqa: BLE001 - a framework's own error
            return await handler(args)


def retrying_graph(*, sync: bool) -> LangGraphAgent:
    """A graph with a middleware that tries again."""
    return LangGraphAgent(graph(gives_up, Desk(), middleware=[ToolRetryMiddleware(initial_delay=0)]), sync=sync)


def retrying_toolset() -> PydanticAiAgent:
    """An agent whose toolset tries again."""
    return PydanticAiAgent(Agent(pydantic_model(gives_up), toolsets=[Again(FunctionToolset([Desk().refund]))]))


def retrying_capability() -> PydanticAiAgent:
    """An agent with a capability that tries again."""
    agent = Agent(pydantic_model(gives_up), tools=[Desk().refund], capabilities=[TriesAgain()], retries=3)
    return PydanticAiAgent(agent)


@pytest.mark.parametrize(
    "make",
    [lambda: retrying_graph(sync=False), lambda: retrying_graph(sync=True), retrying_toolset, retrying_capability],
    ids=["middleware", "middleware on a thread", "toolset", "capability"],
)
def test_retry_below_the_agent_is_absorbed(make: Callable[[], Any]) -> None:
    """A rate limit that the framework makes up for is none that the agent saw."""
    made = drive(suite(Shop), make(), under=faults.rate_limit().at(once_at(1)), clean=False).trial

    assert [(call.ok, call.of_agent) for call in made.trace] == [(False, 1), (True, 1)], made.detail
    assert [one.fate for one in exposure(made)] == [Fate.ABSORBED]


@pytest.mark.parametrize(
    "make",
    [
        lambda: LangGraphAgent(graph(insists, Desk())),
        lambda: PydanticAiAgent(Agent(pydantic_model(insists), tools=[Desk().refund])),
    ],
    ids=["langgraph", "pydantic_ai"],
)
def test_retry_of_the_model_is_a_call_of_its_own(make: Callable[[], Any]) -> None:
    """What the model asks for again is the agent's own doing."""
    made = drive(suite(Shop), make(), under=faults.rate_limit().at(once_at(1)), clean=False).trial

    assert [call.of_agent for call in made.trace] == [1, 2], made.detail
    assert [one.fate for one in exposure(made)] == [Fate.SEEN]
