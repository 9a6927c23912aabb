"""Every agent adapter keeps the promises of its kind."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from msgspec import structs

from passhat import agents
from passhat.agents import (
    Agent,
    CommandAgent,
    FunctionAgent,
    HttpAgent,
    LangGraphAgent,
    OpenAiAgentsAgent,
    PydanticAiAgent,
    Request,
)
from passhat.errors import AgentFailed
from passhat.model.answer import Answer, as_answer
from passhat.model.codec import decode, encode
from passhat.model.tools import ToolSpec
from tests.agents.answering import RefusedError, graph, pydantic_agent, sdk_agent
from tests.agents.scripted import QUIET
from tests.agents.services import http, serving
from tests.contracts.known import AGENTS


def _answer(message: str) -> Answer:
    if message == "raise":
        raise RefusedError(message)
    return Answer({"said": message}, claims_success=True)


def _plain(message: str) -> Answer:
    return _answer(message)


def _with_tools(message: str, tools: object, *, seed: int) -> Answer:
    assert (tools, seed) == (TOOLS, 7)
    return _answer(message)


async def _async(message: str, tools: object) -> Answer:
    assert tools is TOOLS
    return _answer(message)


class _Tools:
    """Tools as any surface gives them: nobody calls them here."""

    url, token = "http://127.0.0.1:1", "token"
    environment: Mapping[str, str] = {"PASSHAT_TOOLS_URL": url}

    def __specs__(self) -> Sequence[ToolSpec]:
        return ()


TOOLS = _Tools()
SCRIPT = """
import json, sys
said = json.load(sys.stdin)["input"]
if said == "raise":
    raise SystemExit(said)
print(json.dumps({"output": {"said": said}, "claims_success": True}))
"""


def _posted(body: Mapping[str, Any]) -> bytes:
    said = {"output": {"said": body["input"]}, "claims_success": True}
    return http({}, status="500 Internal Server Error") if body["input"] == "raise" else http(said)


@pytest.fixture(scope="module", autouse=True)
def service() -> Iterator[None]:
    """The service that stands for all that are asked over HTTP."""
    with serving(_posted) as (url, _):
        SERVICE["url"] = url
        yield


SERVICE = {"url": "http://127.0.0.1:1"}

# For each adapter the agents that it is tried on: they answer with the message, and raise where it is "raise".
SAMPLES: Mapping[str, tuple[Callable[[], Agent], ...]] = {
    "command": (lambda: CommandAgent([sys.executable, "-I", "-S", "-c", SCRIPT], label="script"),),
    "http": (lambda: HttpAgent(SERVICE["url"]),),
    "function": (
        lambda: FunctionAgent(_plain),
        lambda: FunctionAgent(_with_tools, label="with tools", version="2"),
        lambda: FunctionAgent(_async),
    ),
    "langgraph": (
        lambda: LangGraphAgent(graph()),
        lambda: LangGraphAgent(graph(), sync=True, label="on a thread", version="2"),
    ),
    "openai_agents": (lambda: OpenAiAgentsAgent(sdk_agent(), run_config=QUIET),),
    "pydantic_ai": (lambda: PydanticAiAgent(pydantic_agent()),),
}
MADE = [pytest.param(make, id=f"{name}-{i}") for name, makers in SAMPLES.items() for i, make in enumerate(makers)]


def ask(agent: Agent, message: str) -> Any:  # noqa: ANN401 - any answer
    """What *agent* answers, called as the engine does."""
    started = agent.start(Request(message, TOOLS, 7))
    if agent.blocking:
        return started

    async def wait() -> Any:  # noqa: ANN401 - any answer
        return await started

    return asyncio.run(wait())


def test_every_adapter_has_samples() -> None:
    """The tests below see every built-in adapter at work; an installed one is seen as far as that needs no agent."""
    assert SAMPLES.keys() == agents.AGENTS.keys()


@pytest.mark.parametrize("name", AGENTS)
def test_adapter_is_documented(name: str) -> None:
    """An adapter says what kind of agent it is for."""
    assert vars(AGENTS[name])["__doc__"]


@pytest.mark.parametrize("make", MADE)
def test_adapter_is_an_agent(make: Callable[[], Agent]) -> None:
    """An adapter has all that the engine asks of an agent, of the right types."""
    agent = make()

    assert isinstance(agent, Agent)
    assert agent.label.strip() == agent.label != ""
    assert isinstance(agent.version, str)
    assert isinstance(agent.blocking, bool)
    assert isinstance(agent.takes_tools, bool)


@pytest.mark.parametrize("make", MADE)
def test_label_is_the_same_each_time(make: Callable[[], Agent]) -> None:
    """An agent is called the same in every run, or none could be resumed."""
    assert (make().label, make().version) == (make().label, make().version)


@pytest.mark.parametrize("make", MADE)
def test_answer_is_the_agents_own(make: Callable[[], Agent]) -> None:
    """The adapter gives the agent's answer as it is, the same for the same request, and JSON holds it."""
    agent = make()
    answer = as_answer(ask(agent, "hello"))

    # What a framework's agent claims and what another costs, nobody says.
    claims = None if hasattr(agent, "brings_tools") else True
    assert structs.replace(answer, usage=None) == Answer({"said": "hello"}, claims_success=claims)
    assert as_answer(ask(make(), "hello")) == answer
    assert decode(encode(answer), Answer) == answer


@pytest.mark.parametrize("make", MADE)
def test_one_adapter_serves_many_trials(make: Callable[[], Agent]) -> None:
    """Nothing of one request is left for the next."""
    agent = make()

    said = [as_answer(ask(agent, message)).output["said"] for message in ("a", "b", "a")]

    assert said == ["a", "b", "a"]


@pytest.mark.parametrize("make", MADE)
def test_errors_are_the_agents_own(make: Callable[[], Agent]) -> None:
    """What the agent raises comes through as it is; one outside of this process failed in words."""
    with pytest.raises(
        (RefusedError, AgentFailed), match=r"^raise(\nDuring task .*)?$|exited with code 1: raise|500 Internal"
    ):
        ask(make(), "raise")
