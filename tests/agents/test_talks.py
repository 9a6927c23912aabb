"""Agents outside of this process in a talk: what each is told of it, and that it goes on with its own conversation."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from passhat import Suite, Task
from passhat.agents import CommandAgent, FunctionAgent, HttpAgent, LangGraphAgent
from passhat.errors import UsageError
from passhat.graders import predicate
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from tests.agents.scripted import IN, KITS, OUT, Kit, graph, insists
from tests.agents.services import Answering, http, serving
from tests.agents.shops import Shop, anything
from tests.engine.drive import drive

LATER = ["It is order 7", "thanks"]
TELLS = """
import json, sys
given = json.load(sys.stdin)
print(json.dumps({"output": f"heard {given['input']}, the last of {len(given['turns'])}: {given['turns'][-1]}"}))
"""
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"


def suite(user: object = None) -> Suite:
    """One task that has this user."""
    return Suite(tasks=[Task("task", "Refund", user=user)], world=Shop, grader=predicate(anything))


def talk(answer: Answering, path: str, **agent: Any) -> tuple[Trial, list[dict[str, Any]]]:  # noqa: ANN401 - as HttpAgent
    """The trial of a service with a user, and the bodies that it was sent."""
    with serving(answer) as (url, asked):
        trial = drive(suite(LATER), HttpAgent(url + path, **agent)).trial
    return trial, [one["body"] for one in asked]


def test_command_is_started_for_each_turn_and_told_all_of_them() -> None:
    """Its input is what the user says now; the talk so far stands beside it."""
    trial = drive(suite(["again"]), CommandAgent([sys.executable, "-I", "-S", "-c", TELLS])).trial

    assert [turn.text for turn in trial.turns if turn.who == "agent"] == [
        "heard Refund, the last of 1: {'who': 'user', 'text': 'Refund'}",
        "heard again, the last of 3: {'who': 'user', 'text': 'again'}",
    ]


def test_service_is_asked_for_each_turn_and_told_all_of_them() -> None:
    """A POST a turn, with the talk so far."""
    trial, bodies = talk(lambda body: http({"output": f"{len(body['turns'])} turns"}), "/agent")

    assert [body["input"] for body in bodies] == ["Refund", *LATER]
    assert bodies[1]["turns"] == [
        {"who": "user", "text": "Refund"},
        {"who": "agent", "text": "1 turns"},
        {"who": "user", "text": "It is order 7"},
    ]
    assert trial.answer == Answer("5 turns")


def test_service_without_a_user_is_told_of_no_turns() -> None:
    """What is posted for any other task is what it was."""
    with serving(lambda _: http({"output": 1})) as (url, asked):
        drive(suite(), HttpAgent(url + "/agent"))

    assert "turns" not in asked[0]["body"]


def chats(body: Mapping[str, Any]) -> bytes:
    """A model that refunds once it is told the order, and says how many messages it was shown."""
    messages = body["messages"]
    usage = {"prompt_tokens": len(messages), "completion_tokens": 1}
    if messages[-1]["role"] == "user" and "7" in messages[-1]["content"]:
        call = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 7}'}}
        said: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        said = {"role": "assistant", "content": f"I see {len(messages)}"}
    return http({"choices": [{"message": said}], "usage": usage})


def test_model_goes_on_with_its_conversation() -> None:
    """Instructions stand first and once; what it said and asked of tools before stays in it."""
    trial, bodies = talk(chats, CHAT, instructions="Be kind.")

    roles = [message["role"] for message in bodies[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "tool", "assistant", "user"]
    assert [turn.text for turn in trial.turns] == ["Refund", "I see 2", "It is order 7", "I see 6", "thanks", "I see 8"]
    assert trial.state == [7]


def test_tokens_of_all_turns_are_added_up() -> None:
    """Those of a talk are those of all its requests."""
    trial, bodies = talk(chats, CHAT)

    assert trial.answer is not None
    told = sum(len(body["messages"]) for body in bodies)
    assert trial.answer.usage == Usage(input_tokens=told, output_tokens=4)


def test_conversations_of_trials_are_apart() -> None:
    """Each trial begins anew."""
    with serving(chats) as (url, asked):
        drive(suite(), HttpAgent(url + CHAT), trials=3)

    assert [len(one["body"]["messages"]) for one in asked] == [1, 1, 1]


def test_responses_go_on_too() -> None:
    """The same, in the newer shape."""

    def responds(body: Mapping[str, Any]) -> bytes:
        said = [{"type": "output_text", "text": f"I see {len(body['input'])}"}]
        return http({"output": [{"type": "message", "role": "assistant", "content": said}]})

    trial, bodies = talk(responds, RESPONSES)

    assert json.loads(json.dumps(bodies[-1]["input"][-1])) == {"role": "user", "content": "thanks"}
    assert trial.answer == Answer("I see 5")


CHECKPOINTED = Kit(lambda script, desk: graph(script, desk, checkpointer=InMemorySaver()), LangGraphAgent)
ON_A_THREAD = Kit(graph, lambda made: LangGraphAgent(made, sync=True))
ALL = {**KITS, "langgraph with a checkpointer": CHECKPOINTED, "langgraph on a thread": ON_A_THREAD}


@pytest.mark.parametrize("kit", ALL.values(), ids=ALL)
def test_agents_of_frameworks_go_on_with_what_was_said(kit: Kit) -> None:
    """Their model sees the first words and the tools' replies at the second turn too, and so does nothing twice."""
    refunds = Suite(
        tasks=[Task("task", "Refund 7", user=["thanks"])], world=Shop, grader=predicate(anything), name="shop"
    )

    trials = drive(refunds, kit.agent(insists), trials=2).trials

    for trial in trials:
        assert trial.outcome is Outcome.PASS, trial.detail
        assert [call.tool for call in trial.trace] == ["refund"]
        assert [turn.who for turn in trial.turns] == ["user", "agent", "user", "agent"]
        assert trial.turns[1].text == trial.turns[3].text
        assert trial.answer is not None
        assert trial.answer.usage is not None
        if kit.spends:
            assert trial.answer.usage == Usage(input_tokens=3 * IN, output_tokens=3 * OUT, model="scripted")


@pytest.mark.parametrize(
    "function",
    [
        lambda turns: turns,
        lambda turns, tools: (turns, tools),
        lambda message, turns, tools: (message, turns, tools),
        lambda message, seed, tools: (message, seed, tools),
    ],
)
def test_function_whose_named_parameters_stand_first_is_refused(function: Any) -> None:  # noqa: ANN401 - any function
    """They would be given the input or the tools, and nobody would know."""
    with pytest.raises(UsageError, match=r"an agent takes \(input\), \(input, tools\), and 'seed' and 'turns' by name"):
        FunctionAgent(function, label="agent")


def test_function_may_take_all_of_it() -> None:
    """Input, tools, seed and turns."""

    async def agent(message: str, tools: Any, seed: int, turns: Any) -> list[Any]:  # noqa: ANN401 - what is passed
        return [message, tools is not None, seed > 0, len(turns)]

    trial = drive(suite(["again"]), agent).trial

    assert trial.answer == Answer(["again", True, True, 3])
