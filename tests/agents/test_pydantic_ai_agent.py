"""What holds for agents of Pydantic AI alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry, RunContext, Tool
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import FunctionToolset, WrapperToolset

from passhat import faults
from passhat.agents import PydanticAiAgent
from passhat.errors import UsageError
from passhat.model.dose import once_at
from passhat.model.outcome import Outcome
from passhat.model.protocols import Request
from passhat.model.trial import Trial
from tests.agents.scripted import Ask, Desk, Said, gives_up, insists, pydantic_agent, pydantic_model
from tests.agents.test_frameworks import Shop, suite
from tests.engine.drive import drive


def trial(agent: Any, world: Any = Shop, *, options: Any = None, **how: Any) -> Trial:  # noqa: ANN401 - any agent
    """The one trial of *agent*, adapted with *options*."""
    adapter = PydanticAiAgent(agent, **(options or {}))
    return drive(suite(world), adapter, clean="under" not in how, **how).trial


def limited() -> Any:  # noqa: ANN401 - a fault at its dose
    """A rate limit at the first call."""
    return faults.rate_limit().at(once_at(1))


def test_tools_that_the_agent_lacks_are_offered_with_their_schema() -> None:
    """The model learns of the world's other tools, and may call them."""
    model = TestModel(call_tools=["count"], custom_output_text="done")
    agent = Agent(model)

    made = trial(agent)

    asked = model.last_model_request_parameters
    assert asked is not None
    first = asked.function_tools[0]
    assert made.outcome is not Outcome.CRASH, made.detail
    assert [call.tool for call in made.trace] == ["count"]
    assert first.name == "refund"
    assert first.description == "Give the money for an order back."
    assert first.parameters_json_schema["properties"] == {"order": {"type": "integer"}}


def test_wrong_arguments_for_such_a_tool_are_told() -> None:
    """What the world's tool raises because of them is the model's to see, as nobody else checks them."""

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("count", {"until": 3})

    made = trial(Agent(pydantic_model(asks), retries=3))

    assert made.answer is not None, made.detail
    assert "unexpected keyword argument 'until'" in made.answer.output


def test_tool_that_the_agent_hides_is_not_offered_again() -> None:
    """A tool that the agent has, and does not show at this step, is not lacking."""
    offered: list[str] = []

    def looks(said: Said) -> str:
        offered.extend(said.offered)
        return "done"

    async def hidden(ctx: RunContext[None], definition: Any) -> None:  # noqa: ANN401 - a definition
        del ctx, definition

    hides = FunctionToolset([Desk().refund]).filtered(lambda *_: False)
    agent = Agent(pydantic_model(looks), toolsets=[hides], tools=[Tool(Desk().refund, name="other", prepare=hidden)])

    trial(agent)

    assert offered == ["count"]


def test_name_is_the_one_that_the_model_knows() -> None:
    """A tool with a prefix is another tool than one of the world without it."""
    desk = Desk()

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("till_refund", {"order": 7})

    agent = Agent(pydantic_model(asks), toolsets=[FunctionToolset([desk.refund]).prefixed("till")])

    made = trial(agent)

    assert [call.tool for call in made.trace] == ["till_refund"]
    assert (desk.orders, made.state) == ([7], [])


class Again(WrapperToolset[None]):
    """A toolset that makes a call again where it fails, as production code may."""

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:  # noqa: ANN401
        """Try twice."""
        try:
            return await super().call_tool(name, tool_args, ctx, tool)
        except ModelRetry:
            return await super().call_tool(name, tool_args, ctx, tool)


def test_guard_stands_below_what_the_agent_wraps_around_its_tools() -> None:
    """A call that a toolset of the agent makes again is seen both times; the model never hears of the first."""
    desk = Desk()
    agent = Agent(pydantic_model(gives_up), toolsets=[Again(FunctionToolset([desk.refund]))])

    made = trial(agent, None, under=limited())

    assert [call.ok for call in made.trace] == [False, True]
    assert made.answer is not None
    assert made.answer.output == "really refunded 7"


def test_budget_of_retries_is_the_agents_own() -> None:
    """An agent that allows no retry of a tool breaks down at the first failure, as it would in production."""
    agent = Agent(pydantic_model(insists), tools=[Desk().refund], retries=0)

    made = trial(agent, under=limited())

    assert made.outcome is Outcome.CRASH
    assert "exceeded max retries" in made.detail


def test_failure_may_be_shown_without_a_retry() -> None:
    """With `shown_as="failed"` the model is told that the call failed, and the budget of retries is not touched."""
    agent = Agent(pydantic_model(insists), tools=[Desk().refund], retries=0)

    made = trial(agent, under=limited(), options={"shown_as": "failed"})

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]


def test_time_limit_of_a_tool_holds_for_faults() -> None:
    """A call that a fault makes hang ends when the agent's own limit for the tool is over, in the framework's words."""
    agent = Agent(pydantic_model(gives_up), tools=[Tool(Desk().refund, timeout=0.05)])

    made = trial(agent, None, under=faults.lost_request(hang=None).at(once_at(1)))

    assert made.answer is not None, made.detail
    assert made.answer.output == "Timed out after 0.05 seconds."
    assert [call.ok for call in made.trace] == [False]


def test_time_limit_of_a_tool_is_its_own() -> None:
    """A tool that times out by itself is told as ever, and the call stands in the trace."""

    async def refund(order: int) -> str:
        """Never come back."""
        return str(await asyncio.get_running_loop().create_future()) + str(order)

    made = trial(Agent(pydantic_model(gives_up), tools=[Tool(refund, timeout=0.05)]), None)

    assert made.answer is not None, made.detail
    assert made.answer.output == "Timed out after 0.05 seconds."
    assert [call.error for call in made.trace] == ["ModelRetry: Timed out after 0.05 seconds."]


def test_dependencies_are_made_for_each_trial() -> None:
    """`deps` is a function of the request, so that no two trials share what they work with."""
    given: list[Request] = []

    def deps(request: Request) -> str:
        given.append(request)
        return f"clerk of {request.task}"

    agent = Agent(TestModel(), deps_type=str)

    @agent.tool
    def whoami(ctx: RunContext[str]) -> str:
        """Say who asks."""
        return ctx.deps

    made = trial(agent, None, options={"deps": deps})

    assert [request.task for request in given] == ["order-7"]
    assert made.answer is not None, made.detail
    assert made.answer.output == '{"whoami":"clerk of order-7"}'


def test_deferred_call_is_handed_over() -> None:
    """A call that needs an approval ends the run with a request for it: that is a handoff."""
    agent = Agent(pydantic_model(insists), output_type=[str, DeferredToolRequests])
    agent.tool_plain(requires_approval=True)(Desk().refund)

    made = trial(agent)

    assert made.answer is not None, made.detail
    assert made.answer.handoff
    (asked,) = made.answer.output["approvals"]
    assert (asked["tool_name"], asked["args"]) == ("refund", {"order": 7})
    assert made.trace == ()


def test_reply_is_the_tools_own_object() -> None:
    """What no fault changes reaches the agent as the tool gave it; the trace holds it as JSON."""
    given: list[object] = []

    class Watch(WrapperToolset[None]):
        async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:  # noqa: ANN401
            """Look at the reply."""
            given.append(reply := await super().call_tool(name, tool_args, ctx, tool))
            return reply

    def amount() -> complex:
        """How much."""
        return 3 + 4j

    agent = Agent(TestModel(custom_output_text="done"), toolsets=[Watch(FunctionToolset([amount]))])

    made = trial(agent, None)

    assert given == [3 + 4j]
    assert [call.reply for call in made.trace] == ["3+4j"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deps": "me"}, "deps: a function that makes them from a Request, not 'me'"),
        ({"shown_as": "loud"}, "shown_as: one of retry, failed, not 'loud'"),
    ],
)
def test_wrong_option_is_refused(options: dict[str, Any], said: str) -> None:
    """Options are looked at before the first trial."""
    with pytest.raises(UsageError, match="^" + said):
        PydanticAiAgent(pydantic_agent(insists, Desk()), **options)
