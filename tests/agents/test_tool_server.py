"""Agents in other languages use the world's tools over HTTP: every call goes through the guard, as in process."""

from __future__ import annotations

import http.client
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from passhat import faults
from passhat.agents import CommandAgent
from passhat.model.answer import Answer
from passhat.model.outcome import Outcome
from passhat.model.protocols import Request
from passhat.model.trial import Trial
from tests.agents.shops import Shop, suite
from tests.engine.drive import drive

SHELL = """#!/bin/sh
set -e
curl -sS -H "Authorization: Bearer $PASSHAT_TOOLS_TOKEN" "$PASSHAT_TOOLS_URL/tools" >/dev/null
for order in 7 8; do
  curl -sS -H "Authorization: Bearer $PASSHAT_TOOLS_TOKEN" \\
    -d "{\\"tool\\": \\"refund\\", \\"arguments\\": {\\"order\\": $order}}" "$PASSHAT_TOOLS_URL/call"
done
"""
NODE = """
const url = process.env.PASSHAT_TOOLS_URL
const headers = { Authorization: `Bearer ${process.env.PASSHAT_TOOLS_TOKEN}` }
const call = async (tool, args) => {
  const reply = await fetch(`${url}/call`, { method: 'POST', headers, body: JSON.stringify({ tool, arguments: args }) })
  return reply.json()
}
const tools = await (await fetch(`${url}/tools`, { headers })).json()
const said = await Promise.all([call('refund', { order: 7 }), call('refund', { order: 8 }), call('look', {})])
console.log(JSON.stringify({ output: { tools: tools.map((t) => t.name), said } }))
"""
URLLIB = """
import os, urllib.request
headers = {"Authorization": "Bearer " + os.environ["PASSHAT_TOOLS_TOKEN"]}
asked = urllib.request.Request(os.environ["PASSHAT_TOOLS_URL"] + "/call", b'{"tool": "look"}', headers)
print(urllib.request.urlopen(asked).read())
"""


def program(name: str) -> str:
    """The path of a program, or a loud skip."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_agent_in_shell_and_curl(tmp_path: Path) -> None:
    """What a shell script does to the world stands in the trace and in the end state."""
    program("curl")
    script = tmp_path / "agent.sh"
    script.write_text(SHELL)

    trial = drive(suite(world=Shop), CommandAgent(["sh", str(script)])).trial

    assert trial.outcome is Outcome.PASS
    assert [(call.tool, call.arguments, call.write) for call in trial.trace] == [
        ("refund", {"order": 7}, True),
        ("refund", {"order": 8}, True),
    ]
    assert trial.state == [7, 8]


def test_agent_in_node(tmp_path: Path) -> None:
    """Calls of one agent may run at the same time."""
    script = tmp_path / "agent.mjs"
    script.write_text(NODE)

    trial = drive(suite(world=Shop), CommandAgent([program("node"), str(script)])).trial

    assert trial.answer is not None, trial.detail
    assert trial.answer.output["tools"] == ["refund", "look", "fail", "read"]
    assert trial.answer.output["said"][0] == {"reply": {"refunded": 7, "currency": "€"}}
    assert sorted(call.tool for call in trial.trace) == ["look", "refund", "refund"]


class Caller:
    """An agent outside of this process's tools: it speaks HTTP on a thread, as any client would."""

    blocking = True
    takes_tools = True
    surface = "tool_server"
    label = "caller"
    version = ""

    def __init__(self, work: Callable[[Caller], object]) -> None:
        self._work = work
        self.url = self.token = ""

    def start(self, request: Request) -> Answer:
        """Do the work."""
        self.url, self.token = request.tools.url, request.tools.token
        return Answer(self._work(self))

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """One request, and the reply's status and JSON."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=20)
        given = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        try:
            connection.request(method, path, body or None, dict(given))
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def call(self, tool: str, **arguments: Any) -> Any:  # noqa: ANN401 - any reply
        """Call a tool."""
        return self.ask("POST", "/call", json.dumps({"tool": tool, "arguments": arguments}).encode())[1]


def trial_of(work: Callable[[Caller], object], **options: Any) -> Trial:  # noqa: ANN401 - the options of a run
    """The trial under the one fault, or the clean one."""
    return drive(suite(world=Shop), Caller(work), **options).trials[-1]


def told(work: Callable[[Caller], object], **options: Any) -> Any:  # noqa: ANN401 - any output
    """What the work comes to."""
    trial = trial_of(work, **options)
    assert trial.answer is not None, trial.detail
    return trial.answer.output


def test_tools_are_listed_with_their_schemas() -> None:
    """A model can be told of them as they are."""
    status, tools = told(lambda caller: caller.ask("GET", "/tools"))

    assert status == 200
    assert tools[0] == {
        "name": "refund",
        "description": "Give the money for an order back.",
        "parameters": {
            "type": "object",
            "properties": {"order": {"type": "integer"}, "note": {"type": "string", "default": ""}},
            "required": ["order"],
            "additionalProperties": False,
        },
    }


def test_error_of_a_tool_is_told() -> None:
    """Its kind, its words, and when to try again."""
    assert told(lambda caller: caller.call("fail")) == {
        "error": {"kind": "closed", "message": "503 The shop is closed", "retry_after": 2}
    }


def test_stream_is_told_whole() -> None:
    """Who asks over HTTP gets the items in one reply; the trace has them one by one."""
    trial = trial_of(lambda caller: caller.call("read", lines=3))

    assert trial.answer is not None
    assert trial.answer.output == {"reply": "0;1;2;"}
    assert trial.trace[0].reply == ["0;", "1;", "2;"]


def test_other_errors_of_a_tool_are_told_by_their_kind() -> None:
    """As an agent in process would see them."""
    said = told(lambda caller: caller.call("refund", orders=7))

    assert said["error"]["kind"] == "TypeError"
    assert "orders" in said["error"]["message"]


def test_tool_that_there_is_not() -> None:
    """The guard refuses it, and writes it down."""
    trial = trial_of(lambda caller: caller.call("refnud"))

    assert trial.answer is not None
    assert "refund" in trial.answer.output["error"]["message"]
    assert [call.tool for call in trial.trace] == ["refnud"]


def test_fault_looks_like_the_services_own_error() -> None:
    """A rate limit over HTTP: the agent is told, upstream never ran, and the ledger knows."""
    trial = trial_of(lambda caller: caller.call("refund", order=7), under=[faults.rate_limit()], clean=False)

    assert trial.answer is not None
    assert trial.answer.output["error"]["kind"] == "rate_limit"
    assert trial.answer.output["error"]["retry_after"] == 1
    assert (trial.trace[0].executed, trial.state, len(trial.faults)) == (0, [], 1)


def test_lost_reply_leaves_the_effect_behind() -> None:
    """After upstream committed the agent hears an error: the corrupted cart, in any language."""

    def refund_twice(caller: Caller) -> object:
        return [caller.call("refund", order=7), caller.call("refund", order=7)]

    under = [faults.lost_reply(hang=0)]
    trial = trial_of(refund_twice, under=under, clean=False)

    assert trial.state == [7, 7]
    assert trial.answer is not None
    assert [sorted(said) for said in trial.answer.output] == [["error"], ["reply"]]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/call", b"{", 400, "no JSON"),
        ("POST", "/call", b"[]", 400, "the body is"),
        ("POST", "/call", b'{"tool": "refund", "arguments": [7]}', 400, "arguments: an object"),
        ("GET", "/call", b"", 405, "POST /call to call one"),
        ("GET", "/other", b"", 404, "there is GET /tools"),
    ],
)
def test_requests_that_are_none(method: str, path: str, body: bytes, status: int, said: str) -> None:
    """Each is answered with what would have been right, and is no call."""
    trial = trial_of(lambda caller: caller.ask(method, path, body))

    assert trial.answer is not None
    assert trial.answer.output[0] == status
    assert said in trial.answer.output[1]["error"]["message"]
    assert trial.trace == ()


def test_messages_are_passed_on_too() -> None:
    """An agent in any language learns what its model gets to see of them."""
    history = [{"role": "user", "content": "a" * 400}, {"role": "user", "content": "b"}]
    body = json.dumps(history).encode()
    under = [faults.truncated_context(keep_tokens=10)]

    assert told(lambda caller: caller.ask("POST", "/messages", body)) == [200, history]
    assert told(lambda caller: caller.ask("POST", "/messages", body), under=under) == [200, history[1:]]
    assert told(lambda caller: caller.ask("POST", "/messages", b"{}"))[0] == 400


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic x"}])
def test_nobody_calls_without_the_trials_token(headers: Mapping[str, str]) -> None:
    """Another program on this machine cannot reach into a trial."""
    assert told(lambda caller: caller.ask("GET", "/tools", b"", headers))[0] == 401


def test_token_ends_with_its_trial() -> None:
    """A call that comes later touches nothing."""
    callers: list[tuple[str, str]] = []

    def keep(caller: Caller) -> object:
        if callers:
            now = caller.token
            caller.token = callers[0][1]
            answer = caller.ask("GET", "/tools")[0]
            caller.token = now
            return answer
        callers.append((caller.url, caller.token))
        return 0

    driven = drive(suite("a", "b", world=Shop), Caller(keep), concurrency=1)

    assert [trial.answer.output for trial in driven.trials if trial.answer] == [0, 401]


def test_tokens_of_trials_are_their_own() -> None:
    """Concurrent trials see their own worlds only."""
    driven = drive(suite(*range(20), world=Shop), Caller(lambda caller: caller.call("refund", order=1)), concurrency=10)

    assert [trial.state for trial in driven.trials] == [[1]] * 20


def test_call_that_hangs_ends_with_the_trial() -> None:
    """The agent's time limit ends a call that a fault lets hang; it is written down as it stood."""
    agent = CommandAgent([sys.executable, "-c", URLLIB], label="urllib")

    trial = drive(suite(world=Shop), agent, under=[faults.lost_request(hang=None)], clean=False, timeout=2.0).trial

    assert trial.outcome is Outcome.TIMEOUT
    assert [(call.tool, call.executed, bool(call.error)) for call in trial.trace] == [("look", 0, True)]
