"""One scripted clerk for every framework: each framework's own stand-in for a model, moved by the same script.

A script is a function of what the user said, what the tools have told since, and which tools are offered; it gives the
next call, or the answer as a text. Nothing here uses the network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents import Agent as SdkAgent
from agents import RunConfig, function_tool, set_tracing_disabled
from agents.models.interface import Model
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from agents.usage import Usage
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from passhat.agents import LangGraphAgent, OpenAiAgentsAgent, PydanticAiAgent
from passhat.model.protocols import Agent


class Heard(NamedTuple):
    """What a tool told the model, and whether as a success."""

    text: str
    ok: bool = True


class Ask(NamedTuple):
    """A call that the model asks for."""

    tool: str
    arguments: dict[str, Any]


class Said(NamedTuple):
    """What the model knows when it is asked."""

    user: str
    heard: Sequence[Heard]
    offered: Sequence[str]


Script = Callable[[Said], Ask | str]
IN, OUT = 3, 2  # the tokens that each reply of a model costs
_FAILED = "failed: "


def insists(said: Said) -> Ask | str:
    """Refund the order that the user names, until the tool says that it is done."""
    order = int("".join(filter(str.isdigit, said.user)))
    if said.heard and said.heard[-1].ok:
        return said.heard[-1].text
    return Ask("refund", {"order": order})


def gives_up(said: Said) -> Ask | str:
    """Try once, and repeat what the tool told."""
    return said.heard[-1].text if said.heard else insists(said)


@dataclass
class Desk:
    """What production would give the agent: a tool that really refunds."""

    orders: list[int] = field(default_factory=list)
    error: Exception | None = None

    def refund(self, order: int) -> str:
        """Give the money for an order back."""
        self.orders.append(order)
        if self.error is not None:
            raise self.error
        return f"really refunded {order}"


# ------------------------------------------------------------------------------------------------ Pydantic AI


def pydantic_model(script: Script) -> FunctionModel:
    """A model of Pydantic AI that follows *script*."""

    async def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = [part for message in messages for part in message.parts]
        user = next(str(part.content) for part in parts if isinstance(part, UserPromptPart))
        heard = [_heard(part) for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)]
        step = script(Said(user, heard, [tool.name for tool in info.function_tools]))
        return ModelResponse([TextPart(step) if isinstance(step, str) else ToolCallPart(step.tool, step.arguments)])

    return FunctionModel(reply, model_name="scripted")


def _heard(part: ToolReturnPart | RetryPromptPart) -> Heard:
    if isinstance(part, RetryPromptPart):
        return Heard(str(part.content), ok=False)
    return Heard(str(part.content), part.outcome == "success")


def pydantic_agent(script: Script, desk: Desk) -> PydanticAgent[None, str]:
    """An agent of Pydantic AI with the desk's tool."""
    agent = PydanticAgent(pydantic_model(script), name="clerk", retries=3)
    agent.tool_plain(desk.refund)
    return agent


# ------------------------------------------------------------------------------------- The OpenAI Agents SDK


class SdkModel(Model):
    """A model of the SDK that follows a script; what the SDK's own scripted model would forget, it reads anew."""

    model = "scripted"

    def __init__(self, script: Script) -> None:
        self._script = script

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the SDK calls it
        return await ScriptedModel([ModelStep.respond(self._respond)]).get_response(*args, **kwargs)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as above
        raise NotImplementedError

    def _respond(self, call: Any) -> ModelStep:  # noqa: ANN401 - what the SDK records of a call
        items = [{"role": "user", "content": call.input}] if isinstance(call.input, str) else call.input
        user = next(item["content"] for item in items if item.get("role") == "user")
        texts = [item["output"] for item in items if item.get("type") == "function_call_output"]
        heard = [Heard(text.removeprefix(_FAILED), not text.startswith((_FAILED, "An error"))) for text in texts]
        offered = [*(tool.name for tool in call.tools), *(handoff.tool_name for handoff in call.handoffs)]
        step = self._script(Said(user, heard, offered))
        usage = Usage(requests=1, input_tokens=IN, output_tokens=OUT, total_tokens=IN + OUT)
        if isinstance(step, str):
            return ModelStep([assistant_message(step)], usage=usage)
        return ModelStep([function_call(step.tool, step.arguments, call_id=f"call-{len(texts)}")], usage=usage)


def sdk_tool(desk: Desk) -> Any:  # noqa: ANN401 - a tool of the SDK
    """The desk's tool, which tells the model what went wrong."""
    return function_tool(desk.refund, failure_error_function=lambda _, error: f"{_FAILED}{error}")


def sdk_agent(script: Script, desk: Desk, **options: Any) -> SdkAgent[Any]:  # noqa: ANN401 - an agent's own
    """An agent of the SDK with the desk's tool."""
    return SdkAgent("clerk", model=SdkModel(script), tools=[sdk_tool(desk)], **options)


set_tracing_disabled(disabled=True)  # the SDK would report each run to a service
QUIET = RunConfig(tracing_disabled=True)


# --------------------------------------------------------------------------------------------------- LangGraph


class ChatModel(BaseChatModel):
    """A chat model of LangChain that follows a script."""

    script: Any
    offered: tuple[str, ...] = ()

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: object) -> Any:  # noqa: ANN401 - as LangChain has it
        return self.model_copy(update={"offered": tuple(tool.name for tool in tools)})

    def _generate(self, messages: list[BaseMessage], *_: object, **__: object) -> ChatResult:
        user = next(str(message.content) for message in messages if message.type == "human")
        told = [message for message in messages if isinstance(message, ToolMessage)]
        step = self.script(Said(user, [Heard(str(one.content), one.status == "success") for one in told], self.offered))
        text, calls = (step, []) if isinstance(step, str) else ("", [_call(step, len(told))])
        message = AIMessage(
            text,
            tool_calls=calls,
            usage_metadata={"input_tokens": IN, "output_tokens": OUT, "total_tokens": IN + OUT},
            response_metadata={"model_name": "scripted"},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def _call(step: Ask, number: int) -> Any:  # noqa: ANN401 - LangChain's own dict
    return {"name": step.tool, "args": step.arguments, "id": f"call-{number}", "type": "tool_call"}


def graph_tool(desk: Desk) -> StructuredTool:
    """The desk's tool, as LangChain has it."""
    return StructuredTool.from_function(desk.refund)


def graph(script: Script, desk: Desk, **options: Any) -> Any:  # noqa: ANN401 - a graph, and what create_agent takes
    """A graph of an agent with the desk's tool."""
    return create_agent(ChatModel(script=script), [graph_tool(desk)], name="clerk", **options)


# ------------------------------------------------------------------------------------------------- all of them


@dataclass(frozen=True)
class Kit:
    """One framework: how the clerk is made in it, and the adapter for it."""

    make: Callable[[Script, Desk], Any]
    adapter: Callable[..., Agent]
    spends: bool = True  # the model of Pydantic AI counts for itself

    def agent(self, script: Script, desk: Desk | None = None, **options: Any) -> Agent:  # noqa: ANN401 - an adapter's own
        """The clerk, as the engine takes it."""
        return self.adapter(self.make(script, desk or Desk()), **options)


KITS = {
    "langgraph": Kit(graph, LangGraphAgent),
    "openai_agents": Kit(sdk_agent, lambda agent, **more: OpenAiAgentsAgent(agent, **{"run_config": QUIET, **more})),
    "pydantic_ai": Kit(pydantic_agent, PydanticAiAgent, spends=False),
}


def as_text(value: object) -> str:
    """*value* as JSON."""
    return json.dumps(value)
