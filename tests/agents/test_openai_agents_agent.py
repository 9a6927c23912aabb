"""What holds for agents of the OpenAI Agents SDK alone."""

from __future__ import annotations

from typing import Any, Never

import pytest
from agents import Agent, FunctionTool, RunContextWrapper, function_tool, handoff
from agents.mcp import MCPServer
from mcp.types import CallToolResult, TextContent
from mcp.types import Tool as McpTool
from pydantic import BaseModel

from passhat import faults
from passhat.agents import OpenAiAgentsAgent
from passhat.errors import UsageError
from passhat.model.dose import once_at
from passhat.model.outcome import Outcome
from passhat.model.protocols import Request
from passhat.model.trial import Trial
from tests.agents.scripted import QUIET, Ask, Desk, Said, SdkModel, gives_up, insists, sdk_agent, sdk_tool
from tests.agents.test_frameworks import Shop, suite
from tests.engine.drive import drive


def trial(agent: Any, world: Any = Shop, *, options: Any = None, **how: Any) -> Trial:  # noqa: ANN401 - any agent
    """The one trial of *agent*, adapted with *options*."""
    adapter = OpenAiAgentsAgent(agent, run_config=QUIET, **(options or {}))
    return drive(suite(world), adapter, clean="under" not in how, **how).trial


def limited() -> Any:  # noqa: ANN401 - a fault at its dose
    """A rate limit at the first call."""
    return faults.rate_limit().at(once_at(1))


def passes_on(said: Said) -> Ask | str:
    """Hand over at once."""
    return Ask(next(name for name in said.offered if name.startswith("transfer_to")), {})


def after_handoff(said: Said) -> Ask | str:
    """Do the job: what was heard first is the handoff itself."""
    return insists(said._replace(heard=said.heard[1:]))


@pytest.mark.parametrize("wrap", [lambda agent: agent, handoff], ids=["agent", "handoff"])
def test_tools_of_whom_it_hands_over_to_are_guarded(wrap: Any) -> None:  # noqa: ANN401 - a function
    """An agent that is handed over to has its tools behind the guard, too."""
    desk = Desk()
    clerk = sdk_agent(after_handoff, desk)
    first = Agent("triage", model=SdkModel(passes_on), handoffs=[wrap(clerk)])

    made = trial(first, under=limited())

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]
    assert (made.state, desk.orders) == ([7], [])
    assert made.answer is not None
    assert not made.answer.handoff


def test_agents_may_hand_over_in_a_circle() -> None:
    """Two agents that know each other are copied once each."""
    clerk = sdk_agent(after_handoff, Desk())
    first = Agent("triage", model=SdkModel(passes_on), handoffs=[clerk])
    clerk.handoffs = [first]

    made = trial(first)

    assert made.outcome is Outcome.PASS, made.detail


def test_tools_that_no_agent_has_are_offered_to_the_first() -> None:
    """The first agent is offered what none of them has, with its schema, and may call it."""
    offered: dict[str, list[str]] = {}

    def asks(said: Said) -> Ask | str:
        offered["first"] = list(said.offered)
        return passes_on(said) if said.heard else Ask("count", {"since": 2})

    def ends(said: Said) -> str:
        offered["second"] = list(said.offered)
        return said.heard[0].text

    first = Agent("triage", model=SdkModel(asks), handoffs=[sdk_agent(ends, Desk())])

    made = trial(first)

    assert made.answer is not None, made.detail
    assert made.answer.output == '{"count":0,"since":2}'
    assert offered == {"first": ["count", "transfer_to_clerk"], "second": ["refund"]}


def test_wrong_arguments_for_such_a_tool_are_told() -> None:
    """What the world's tool raises because of them is the model's to see, as the SDK shows an error."""

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("count", {"until": 3})

    made = trial(Agent("clerk", model=SdkModel(asks)))

    assert made.answer is not None, made.detail
    assert made.answer.output == "An error occurred while running the tool. Please try again."
    assert "unexpected keyword argument 'until'" in made.trace[0].error


def test_error_is_shown_by_the_tools_own_function() -> None:
    """A tool without a function of its own tells the model what the SDK tells it; one that has None ends the run."""
    quiet = Agent("clerk", model=SdkModel(gives_up), tools=[function_tool(Desk().refund)])
    loud = Agent("clerk", model=SdkModel(gives_up), tools=[function_tool(Desk().refund, failure_error_function=None)])

    said, broke = trial(quiet, under=limited()), trial(loud, under=limited())

    assert said.answer is not None, said.detail
    assert said.answer.output.startswith("An error occurred while running the tool")
    assert broke.outcome is Outcome.CRASH
    assert "429" in broke.detail


def test_tool_by_hand_ends_the_run_where_it_raises() -> None:
    """A `FunctionTool` with an `on_invoke_tool` of its own raises as it does without passhat."""

    async def invoke(context: Any, text: str) -> str:  # noqa: ANN401 - the SDK's own
        del context
        raise ZeroDivisionError(text)

    tool = FunctionTool("refund", "", {"type": "object", "properties": {}}, invoke, strict_json_schema=False)

    made = trial(Agent("clerk", model=SdkModel(gives_up), tools=[tool]), None)

    assert made.outcome is Outcome.CRASH
    assert [call.tool for call in made.trace] == ["refund"]


def test_arguments_that_are_no_json_are_no_call() -> None:
    """The tool says so to the model itself; no upstream was called, so nothing is traced."""
    desk = Desk()
    clerk = sdk_agent(lambda said: said.heard[-1].text if said.heard else Ask("refund", "{oops"), desk)  # type: ignore[arg-type]  # as a model may

    made = trial(clerk)

    assert made.answer is not None, made.detail
    assert "Invalid JSON input" in made.answer.output
    assert (made.trace, made.state) == ((), [])


def test_approval_is_a_handoff() -> None:
    """A run that waits for an approval hands over, and shows what is to be approved."""
    tool = function_tool(Desk().refund, needs_approval=True)

    made = trial(Agent("clerk", model=SdkModel(insists), tools=[tool]))

    assert made.answer is not None, made.detail
    assert made.answer.handoff
    assert [item["name"] for item in made.answer.output] == ["refund"]
    assert made.trace == ()


def test_agent_that_stands_for_a_person_is_a_handoff() -> None:
    """Handing over to an agent named in `people` counts as handing over to a person, to no other."""
    person = Agent("Front desk", model=SdkModel(lambda _: "A person will call you."))
    first = Agent("triage", model=SdkModel(passes_on), handoffs=[person])

    counted, other = trial(first, options={"people": ["Front desk"]}), trial(first)

    assert counted.answer is not None, counted.detail
    assert other.answer is not None
    assert (counted.answer.handoff, other.answer.handoff) == (True, False)
    assert counted.answer.output == "A person will call you."


class Refund(BaseModel):
    """What a tool replies."""

    order: int


def test_structured_reply_of_a_tool_reaches_the_model_as_ever() -> None:
    """What no fault changes is the tool's own object; the trace holds it as JSON."""

    @function_tool
    def refund(order: int) -> Refund:
        """Refund it."""
        return Refund(order=order)

    made = trial(Agent("clerk", model=SdkModel(gives_up), tools=[refund]), None)

    assert made.answer is not None, made.detail
    assert made.answer.output == str(Refund(order=7))
    assert [call.reply for call in made.trace] == [{"order": 7}]


class Till(MCPServer):
    """An MCP server without a connection, with one tool."""

    def __init__(self) -> None:
        super().__init__()
        self.orders: list[int] = []

    @property
    def name(self) -> str:
        return "till"

    async def connect(self) -> None:
        """Nothing is to be connected."""

    async def cleanup(self) -> None:
        """Nothing is to be let go."""

    async def list_tools(self, *_: object, **__: object) -> list[McpTool]:
        """The one tool."""
        return [McpTool(name="refund", input_schema={"type": "object", "properties": {"order": {"type": "integer"}}})]

    async def call_tool(
        self, tool_name: str, arguments: dict[str, Any] | None, *_: object, **__: object
    ) -> CallToolResult:
        """Refund it."""
        assert arguments is not None
        self.orders.append(arguments["order"])
        return CallToolResult(content=[TextContent(type="text", text=f"{tool_name}ed {arguments['order']}")])

    async def list_prompts(self) -> Never:
        """There are none."""
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: object = None) -> Never:
        """There are none."""
        raise NotImplementedError


def test_tools_of_mcp_servers_are_guarded() -> None:
    """A tool that comes from an MCP server is behind the guard like any other."""
    till = Till()

    made = trial(Agent("clerk", model=SdkModel(insists), mcp_servers=[till]), None, under=limited())

    assert [(call.tool, call.ok) for call in made.trace] == [("refund", False), ("refund", True)], made.detail
    assert till.orders == [7]


def test_time_limit_of_a_tool_holds_for_faults() -> None:
    """A call that a fault makes hang ends when the agent's own limit for the tool is over, in the SDK's words."""

    async def refund(order: int) -> str:
        """Refund it."""
        return f"refunded {order}"

    tool = function_tool(refund, timeout=0.05)

    made = trial(
        Agent("clerk", model=SdkModel(gives_up), tools=[tool]),
        None,
        under=faults.lost_request(hang=None).at(once_at(1)),
    )

    assert made.answer is not None, made.detail
    assert made.answer.output == "Tool 'refund' timed out after 0.05 seconds."
    assert [call.ok for call in made.trace] == [False]


def test_context_is_made_for_each_trial() -> None:
    """`context` is a function of the request, so that no two trials share what they work with."""

    @function_tool
    def whoami(context: RunContextWrapper[str]) -> str:
        """Say who asks."""
        return context.context

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("whoami", {})

    def context(request: Request) -> str:
        return f"clerk of {request.task}"

    made = trial(Agent("clerk", model=SdkModel(asks), tools=[whoami]), None, options={"context": context})

    assert made.answer is not None, made.detail
    assert made.answer.output == "clerk of order-7"


def test_turns_are_bounded() -> None:
    """An agent that never ends is stopped by the runner, and that is its crash."""
    made = trial(sdk_agent(lambda _: Ask("refund", {"order": 7}), Desk()), options={"max_turns": 4})

    assert made.outcome is Outcome.CRASH
    assert "Max turns (4) exceeded" in made.detail


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"context": "me"}, "context: a function that makes it from a Request, not 'me'"),
        ({"people": "Ann"}, "people: a list of the names of agents, not 'Ann'"),
        ({"max_turns": 0}, "max_turns: a whole number from 1 on, not 0"),
    ],
)
def test_wrong_option_is_refused(options: dict[str, Any], said: str) -> None:
    """Options are looked at before the first trial."""
    with pytest.raises(UsageError, match="^" + said):
        OpenAiAgentsAgent(Agent("clerk", tools=[sdk_tool(Desk())]), **options)
