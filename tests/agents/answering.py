"""An agent of each framework that answers `{"said": MESSAGE}`, structured as that framework does it, or raises."""

from __future__ import annotations

import json
from typing import Any

from agents import Agent as SdkAgent
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from typing_extensions import TypedDict

from tests.agents.scripted import Said, SdkModel


class RefusedError(Exception):
    """What the agents raise when they are asked to."""


class Message(BaseModel):
    """What was said."""

    said: str


def checked(message: str) -> str:
    """*message*, unless it asks for an error."""
    if message == "raise":
        raise RefusedError(message)
    return message


def pydantic_agent() -> PydanticAgent[None, Message]:
    """One of Pydantic AI, whose answer is a call of its output tool."""

    async def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        user = next(part.content for part in messages[0].parts if isinstance(part, UserPromptPart))
        (output,) = info.output_tools
        return ModelResponse([ToolCallPart(output.name, {"said": checked(str(user))})])

    return PydanticAgent(FunctionModel(reply), output_type=Message, name="echo")


def sdk_agent() -> SdkAgent[Any]:
    """One of the OpenAI Agents SDK, whose answer is JSON after a schema."""

    def answers(said: Said) -> str:
        return json.dumps({"said": checked(said.user)})

    return SdkAgent("echo", model=SdkModel(answers), output_type=Message)


class State(TypedDict, total=False):
    """What the graph works on."""

    messages: list[Any]
    structured_response: Message


def graph() -> Any:  # noqa: ANN401 - a compiled graph, with many parameters
    """One of LangGraph, with a node that needs no model."""

    def echo(state: State) -> State:
        return {"structured_response": Message(said=checked(state["messages"][0]["content"]))}

    built = StateGraph(State)
    built.add_node("echo", echo)
    built.add_edge(START, "echo")
    built.add_edge("echo", END)
    return built.compile(name="echo")
