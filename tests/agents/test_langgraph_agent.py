"""What holds for graphs of LangGraph alone."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware, wrap_tool_call
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolNode, ToolRuntime
from langgraph.types import interrupt
from typing_extensions import TypedDict

import passhat
from passhat import api, faults
from passhat.agents import LangGraphAgent
from passhat.errors import UsageError
from passhat.model.dose import Burst
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from tests.agents.scripted import Ask, ChatModel, Desk, Said, gives_up, graph, graph_tool, insists
from tests.agents.test_frameworks import Shop, suite
from tests.engine.drive import drive


def trial(made: Any, world: Any = Shop, *, options: Any = None, **how: Any) -> Trial:  # noqa: ANN401 - any graph
    """The one trial of a graph, adapted with *options*."""
    adapter = LangGraphAgent(made, **(options or {}))
    return drive(suite(world), adapter, clean="under" not in how, **how).trial


def limited(times: int = 1) -> Any:  # noqa: ANN401 - a fault at its dose
    """A rate limit at the first calls."""
    return faults.rate_limit().at(Burst(times, 1))


def clerk(script: Any, tools: Any, **options: Any) -> Any:  # noqa: ANN401 - as create_agent takes them
    """A graph of an agent with these tools."""
    return create_agent(ChatModel(script=script), tools, name="clerk", **options)


@pytest.mark.parametrize("sync", [False, True], ids=["awaited", "on a thread"])
def test_retries_of_the_framework_are_seen(sync: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A middleware that tries again is above the guard: each try is traced, and the model hears of none."""
    told: list[int] = []

    def watches(said: Said) -> Ask | str:
        told.append(len(said.heard))
        return gives_up(said)

    retrying = graph(watches, Desk(), middleware=[ToolRetryMiddleware(initial_delay=0)])

    made = trial(retrying, under=limited(2), options={"sync": sync})

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, False, True]
    assert told == [0, 1]


@pytest.mark.parametrize("sync", [False, True], ids=["awaited", "on a thread"])
def test_failure_that_nothing_takes_hold_of_is_shown(sync: bool) -> None:  # noqa: FBT001 - as above
    """Where a graph has nothing against failures, the model reads what the service said."""
    made = trial(graph(gives_up, Desk()), under=limited(), options={"sync": sync})

    assert made.answer is not None, made.detail
    assert made.answer.output.startswith("429 Too Many Requests")


def test_own_way_with_failures_comes_first() -> None:
    """A tool that handles its errors tells the model of a failed call in its own words."""
    tool = graph_tool(Desk())
    tool.handle_tool_error = "The till is closed."

    made = trial(clerk(gives_up, [tool]), under=limited())

    assert made.answer is not None, made.detail
    assert made.answer.output == "The till is closed."


def test_own_errors_stay_what_they_are() -> None:
    """What a tool raises reaches the graph as it is, and so ends it or does not."""

    def refund(order: int) -> str:
        """Refund."""
        raise ToolException(f"no refund of {order}")

    calm = StructuredTool.from_function(refund, handle_tool_error=True)
    strict = StructuredTool.from_function(refund)

    told, broke = trial(clerk(gives_up, [calm]), None), trial(clerk(gives_up, [strict]), None)

    assert told.answer is not None, told.detail
    assert told.answer.output == "no refund of 7"
    assert (broke.outcome, "no refund of 7" in broke.detail) == (Outcome.CRASH, True)
    assert [call.ok for call in (*told.trace, *broke.trace)] == [False, False]


@pytest.mark.parametrize("sync", [False, True], ids=["awaited", "on a thread"])
def test_graph_that_is_made_has_all_tools_of_the_world(sync: bool) -> None:  # noqa: FBT001 - as above
    """A function that makes the graph is given the world's tools, with their schemas, once."""
    given: list[list[BaseTool]] = []

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("count", {"since": 4})

    def make(tools: list[BaseTool]) -> Any:  # noqa: ANN401 - a compiled graph
        given.append(tools)
        return clerk(asks, tools)

    driven = drive(suite(Shop), LangGraphAgent(make, sync=sync), trials=3)

    assert [made.answer and made.answer.output for made in driven.trials] == ['{"count":0,"since":4}'] * 3
    (tools,) = given
    assert [tool.name for tool in tools] == ["refund", "count"]
    assert tools[0].description == "Give the money for an order back."
    assert tools[0].args == {"order": {"type": "integer"}}


def test_wrong_arguments_for_such_a_tool_are_told() -> None:
    """What the world's tool raises because of them is the model's to see, as nobody else checks them."""

    def asks(said: Said) -> Ask | str:
        return said.heard[-1].text if said.heard else Ask("count", {"until": 3})

    made = trial(lambda tools: clerk(asks, tools))

    assert made.answer is not None, made.detail
    assert "unexpected keyword argument 'until'" in made.answer.output


def test_function_that_makes_no_graph_is_told() -> None:
    """What is no graph is the agent's crash, in words."""
    made = trial(len)

    assert made.outcome is Outcome.CRASH
    assert "made no compiled graph of LangGraph, but 2" in made.detail


def test_what_langgraph_adds_to_a_call_passes_the_guard_by() -> None:
    """A state or a runtime that is injected reaches the tool, and is none of the arguments of the call."""
    seen: list[object] = []

    def refund(order: int, state: Annotated[dict[str, Any], InjectedState], runtime: ToolRuntime) -> str:
        """Refund."""
        seen.extend((len(state["messages"]), runtime.tool_call_id))
        return f"refunded {order}"

    made = trial(clerk(insists, [StructuredTool.from_function(refund)]), None)

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.arguments for call in made.trace] == [{"order": 7}]
    assert seen == [2, "call-0"]


def test_artifact_stays_with_its_content() -> None:
    """Of a reply with an artifact the guard sees the content, and the graph gets both."""

    def refund(order: int) -> tuple[str, dict[str, int]]:
        """Refund."""
        return f"refunded {order}", {"order": order}

    tool = StructuredTool.from_function(refund, response_format="content_and_artifact")

    def messages(state: Any) -> Any:  # noqa: ANN401 - a state
        return [message.artifact for message in state["messages"] if message.type == "tool"]

    own = trial(clerk(insists, [tool]), None, options={"output": messages})
    worlds = trial(clerk(insists, [tool]), options={"output": messages})

    assert [call.reply for call in own.trace] == ["refunded 7"]
    assert own.answer is not None, own.detail
    assert worlds.answer is not None, worlds.detail
    assert (own.answer.output, worlds.answer.output) == ([{"order": 7}], [None])


class Refund(BaseTool):
    """A tool that is a class of its own, and not async."""

    name: str = "refund"
    description: str = "Refund."
    orders: list[int] = []  # noqa: RUF012 - a field of pydantic

    def _run(self, order: int) -> str:
        self.orders.append(order)
        return f"refunded {order}"


@pytest.mark.parametrize("sync", [False, True], ids=["awaited", "on a thread"])
def test_tool_may_be_a_class(sync: bool) -> None:  # noqa: FBT001 - as above
    """A tool with a `_run` of its own is guarded like any other."""
    tool = Refund(orders=[])

    made = trial(clerk(insists, [tool]), None, under=limited(), options={"sync": sync})

    assert made.outcome is Outcome.PASS, made.detail
    assert [(call.arguments, call.ok) for call in made.trace] == [({"order": 7}, False), ({"order": 7}, True)]
    assert tool.orders == [7]


def test_graphs_within_graphs_are_guarded() -> None:
    """A graph that is a node of another has its tools behind the guard, too."""
    outer = StateGraph(MessagesState)
    outer.add_node("clerk", graph(insists, Desk()))
    outer.add_edge(START, "clerk")
    outer.add_edge("clerk", END)

    made = trial(outer.compile(), under=limited())

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]
    assert made.state == [7]


def test_node_by_hand_is_guarded() -> None:
    """A `ToolNode` that somebody added to a graph by hand is one like any other."""
    built = StateGraph(MessagesState)
    model = ChatModel(script=insists)
    node = ToolNode([graph_tool(Desk())])
    built.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    built.add_node("hands", node.with_config(tags=["hands"]))
    built.add_edge(START, "model")
    built.add_conditional_edges("model", lambda state: "hands" if state["messages"][-1].tool_calls else END)
    built.add_edge("hands", "model")

    made = trial(built.compile(), under=limited())

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]


def test_checkpoints_of_a_trial_are_its_own() -> None:
    """The graph's own checkpointer is not written to, and no trial remembers another."""
    saver = InMemorySaver()
    remembers = graph(lambda said: f"{len(said.heard)} {said.user}", Desk(), checkpointer=saver)

    driven = drive(suite(Shop), LangGraphAgent(remembers), trials=3)

    assert {made.answer.output for made in driven.trials if made.answer} == {"0 Refund order 7"}
    assert not list(saver.list(None))


def test_interrupt_is_a_handoff() -> None:
    """A graph that stops for somebody's word hands over, and shows what it asks."""

    def refund(order: int) -> str:
        """Refund."""
        return str(interrupt({"may I refund": order}))

    asking = clerk(insists, [StructuredTool.from_function(refund)], checkpointer=InMemorySaver())

    made = trial(asking, None)

    assert made.answer is not None, made.detail
    assert made.answer.handoff
    assert made.answer.output == [{"may I refund": 7}]


def test_graph_without_tools_cannot_be_reached_by_faults() -> None:
    """A graph without a `ToolNode` runs; faults for it are refused before the first trial."""
    bare = StateGraph(MessagesState)
    bare.add_node("says", lambda _: {"messages": [("ai", "refunded 7")]})
    bare.add_edge(START, "says")

    made = trial(bare.compile(name="bare"))

    assert made.outcome is Outcome.PASS, made.detail
    with pytest.raises(UsageError, match="agent bare takes no tools, so no fault of rate_limit"):
        api.plan(suite(Shop), bare.compile(name="bare"), trials=1, under=limited())


def test_middleware_that_does_not_await_needs_a_thread() -> None:
    """A graph whose middleware knows `invoke` alone is handed over with `sync=True`."""

    @wrap_tool_call
    def counts(request: Any, handler: Any) -> Any:  # noqa: ANN401 - as LangChain has it
        """Pass on."""
        return handler(request)

    made = trial(graph(insists, Desk(), middleware=[counts]), under=limited(), options={"sync": True})

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]


def test_node_that_does_not_await_is_named() -> None:
    """A `ToolNode` with a wrapper that does not await says what to do instead."""
    built = StateGraph(MessagesState)
    model = ChatModel(script=insists)
    built.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    built.add_node("hands", ToolNode([graph_tool(Desk())], wrap_tool_call=lambda request, handler: handler(request)))
    built.add_edge(START, "model")
    built.add_conditional_edges("model", lambda state: "hands" if state["messages"][-1].tool_calls else END)
    built.add_edge("hands", "model")

    awaited, threaded = trial(built.compile()), trial(built.compile(), options={"sync": True})

    assert awaited.outcome is Outcome.CRASH
    assert "agents.LangGraphAgent(graph, sync=True)" in awaited.detail
    assert threaded.outcome is Outcome.PASS, threaded.detail


class Total(TypedDict):
    """A state without messages."""

    total: int


def test_state_may_be_the_users_own() -> None:
    """`input` makes the state from a request, `output` the answer from the state; `config` goes to the graph."""

    def count(state: Total, config: RunnableConfig) -> Total:
        return {"total": state["total"] + config["configurable"]["more"]}

    built = StateGraph(Total)
    built.add_node("count", count)
    built.add_edge(START, "count")
    options = {
        "input": lambda request: {"total": len(request.task)},
        "output": lambda state: state["total"],
        "config": {"configurable": {"more": 100}},
    }

    made = trial(built.compile(), None, options=options)

    assert made.answer is not None, made.detail
    assert made.answer.output == 107


def test_state_without_messages_is_the_answer() -> None:
    """A graph whose state has no messages answers with its whole state; an input that is an object is the state."""
    built = StateGraph(Total)
    built.add_node("more", lambda state: {"total": state["total"] + 1})
    built.add_edge(START, "more")
    asked = passhat.Suite(
        tasks=[passhat.Task("a", {"total": 1}, expect={"total": 2})], grader=passhat.graders.equals(), name="sum"
    )

    made = drive(asked, LangGraphAgent(built.compile())).trial

    assert made.outcome is Outcome.PASS, made.detail


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"input": 3}, "input: a function, not 3"),
        ({"output": "text"}, "output: a function, not 'text'"),
        ({"config": []}, r"config: a mapping, as LangGraph takes it, not \[\]"),
    ],
)
def test_wrong_option_is_refused(options: dict[str, Any], said: str) -> None:
    """Options are looked at before the first trial."""
    with pytest.raises(UsageError, match="^" + said):
        LangGraphAgent(graph(insists, Desk()), **options)


def test_graph_that_is_not_compiled_is_refused() -> None:
    """`passhat.run` knows a graph that is not compiled, and says what to do."""
    with pytest.raises(UsageError, match=r"; compile it first$"):
        api.plan(suite(Shop), StateGraph(MessagesState), trials=1)
