"""A service as an agent: what it is sent, how its answer is read, and how each way of going wrong is told."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from passhat import faults
from passhat.agents import HttpAgent
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from tests.agents.services import Answering, http, serving
from tests.agents.shops import Shop, suite
from tests.engine.drive import drive


def trial_of(
    answer: Answering,
    *,
    path: str = "/agent",
    agent: Mapping[str, Any] | None = None,
    **options: Any,  # noqa: ANN401 - the options of a run
) -> Trial:
    """The last trial of an agent that is this service."""
    with serving(answer) as (url, _):
        return drive(suite("Refund 7", world=Shop), HttpAgent(url + path, **(agent or {})), **options).trials[-1]


def output(answer: Answering, **options: Any) -> Any:  # noqa: ANN401 - any output
    """What the service's answer comes to."""
    trial = trial_of(answer, **options)
    assert trial.answer is not None, trial.detail
    return trial.answer.output


def test_task_is_posted_as_json() -> None:
    """The service gets the input, which trial it is, where the tools are, and the user's own settings and headers."""
    with serving(lambda _: http({"output": "ok"})) as (url, asked):
        agent = HttpAgent(f"{url}/agent", headers={"X-Key": "k"}, settings={"mode": "fast"})
        drive(suite("Refund 7", world=Shop), agent)

    body = asked[0]["body"]
    assert (body["input"], body["task"], body["trial"], body["mode"]) == ("Refund 7", "task-0", 0, "fast")
    assert body["tools"]["url"].startswith("http://127.0.0.1:")
    assert asked[0]["headers"]["X-Key"] == "k"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (http({"output": [1]}), [1]),
        (http({"refunded": 7}), {"refunded": 7}),
        (http("done", kind="text/plain; charset=utf-8"), "done"),
        (http('data: "do"\n\ndata: "ne"\n\n', kind="text/event-stream"), "done"),
        (http("data: do\n\ndata: ne\n\n", kind="text/event-stream"), "done"),
        (http('data: working\n\ndata: {"output": 7}\n\n', kind="text/event-stream"), 7),
    ],
)
def test_answer_is_json_text_or_a_stream(reply: bytes, expected: object) -> None:
    """What the service says its answer is, it is."""
    assert output(lambda _: reply) == expected


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (http("<html><body>Login</body></html>", kind="text/html"), "its answer (text/html) is no JSON"),
        (http("", kind="application/json"), "its answer is empty"),
        (
            http({"detail": "boom"}, status="500 Internal Server Error"),
            'it answered 500 Internal Server Error: {"detail"',
        ),
        (http("x", status="404 Not Found"), "it answered 404 Not Found: x"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "its reply cannot be read"),
        (http({"output": 1, "usage": 7}), "no answer"),
    ],
)
def test_answer_that_is_none_is_the_agents_failure(reply: bytes, said: str) -> None:
    """A crash, with what came instead."""
    trial = trial_of(lambda _: reply)

    assert trial.outcome is Outcome.CRASH
    assert said in trial.detail


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (b"", "closed before a reply came"),
        (http({"output": 1})[:-3], "closed in the middle of a message"),
        (http("slow down", status="429 Too Many Requests", Retry_After="3"), "it answered 429"),
        (http("", status="503 Service Unavailable"), "it answered 503"),
        (http("", status="502 Bad Gateway"), "it answered 502"),
    ],
)
def test_what_is_not_the_agents_fault_is_void(reply: bytes, said: str) -> None:
    """A broken connection and an overloaded service say nothing about the agent."""
    trial = trial_of(lambda _: reply)

    assert trial.outcome is Outcome.VOID
    assert said in trial.detail


def test_service_that_is_down_is_one_error_before_the_first_trial() -> None:
    """Nothing is run, and the sentence says where nobody listens."""
    with serving(lambda _: b"") as (url, _):
        pass

    with pytest.raises(UsageError, match=rf"{url}/agent cannot be reached.*is it running\?"):
        drive(suite(), HttpAgent(f"{url}/agent"))


def test_stream_that_never_ends_is_a_timeout() -> None:
    """The trial's time limit ends it."""

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n")
        await reader.read()  # until the client has had enough
        writer.close()

    started = threading.Event()
    place: list[Any] = []

    async def serve() -> None:
        server = await asyncio.start_server(endless, "127.0.0.1", 0)
        place.extend((asyncio.get_running_loop(), asyncio.Event(), server.sockets[0].getsockname()[1]))
        started.set()
        async with server:
            await place[1].wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert started.wait(20)
    trial = drive(suite(), HttpAgent(f"http://127.0.0.1:{place[2]}/agent"), timeout=0.3).trial
    place[0].call_soon_threadsafe(place[1].set)
    thread.join(20)

    assert trial.outcome is Outcome.TIMEOUT


def a_chat(message: Mapping[str, Any], **more: Any) -> bytes:  # noqa: ANN401 - fields of a completion
    """A chat completion."""
    return http({"choices": [{"message": {"role": "assistant", **message}}], **more})


def asks_then_answers(body: Mapping[str, Any]) -> bytes:
    """A model that refunds once, and then says what the tool replied."""
    last = body["messages"][-1]
    if last["role"] == "tool":
        return a_chat({"content": last["content"]}, usage={"prompt_tokens": 5, "completion_tokens": 2})
    call = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 7}'}}
    return a_chat({"content": None, "tool_calls": [call]}, usage={"prompt_tokens": 3, "completion_tokens": 1})


def test_model_calls_our_tools_until_it_answers() -> None:
    """A chat completions endpoint works as an agent: tools offered, called behind the guard, usage added up."""
    trial = trial_of(asks_then_answers, path="/v1/chat/completions", agent={"settings": {"model": "m"}})

    assert trial.state == [7]
    assert [call.tool for call in trial.trace] == ["refund"]
    assert trial.answer is not None
    assert json.loads(trial.answer.output) == {"refunded": 7, "currency": "€"}
    assert trial.answer.usage is not None
    assert (trial.answer.usage.input_tokens, trial.answer.usage.output_tokens) == (8, 3)


def test_model_reads_a_stream_whole() -> None:
    """A tool that streams is one reply to a model."""

    def reads(body: Mapping[str, Any]) -> bytes:
        if body["messages"][-1]["role"] == "tool":
            return a_chat({"content": body["messages"][-1]["content"]}, model="m-1", usage={"prompt_tokens": 1})
        function = {"name": "read", "arguments": '{"lines": 3}'}
        return a_chat({"tool_calls": [{"id": "c", "type": "function", "function": function}]})

    answer = trial_of(reads, path="/v1/chat/completions").answer

    assert answer is not None
    assert answer.output == "0;1;2;"
    assert answer.usage is not None
    assert answer.usage.model == "m-1"


def test_model_is_told_of_the_tools_and_the_instructions() -> None:
    """In the shape that such endpoints know."""
    with serving(lambda _: a_chat({"content": "hi"})) as (url, asked):
        agent = HttpAgent(f"{url}/v1/chat/completions", settings={"model": "m"}, instructions="Be kind.")
        drive(suite("Refund 7", world=Shop), agent)

    body = asked[0]["body"]
    assert body["model"] == "m"
    assert body["messages"] == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Refund 7"}]
    assert [tool["function"]["name"] for tool in body["tools"]] == ["refund", "look", "fail", "read"]


def test_fault_reaches_a_model_as_the_tools_error() -> None:
    """The model sees what a service would say, and may try again."""
    trial = trial_of(asks_then_answers, path="/v1/chat/completions", under=[faults.rate_limit()], clean=False)

    assert trial.answer is not None
    assert json.loads(trial.answer.output)["error"]["kind"] == "rate_limit"
    assert trial.state == []


def streamed(*chunks: object) -> bytes:
    """A stream of chunks, as such endpoints send them."""
    events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    return http(events, kind="text/event-stream")


def asks_in_a_stream(body: Mapping[str, Any]) -> bytes:
    """The same model, streaming: a tool call comes in pieces."""
    if body["messages"][-1]["role"] == "tool":
        return streamed(
            {"choices": [{"delta": {"content": "do"}}]},
            {"choices": [{"delta": {"content": "ne"}}]},
            {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
        )
    begun = {"index": 0, "id": "c1", "function": {"name": "refund", "arguments": ""}}
    pieces = [{"index": 0, "function": {"arguments": text}} for text in ('{"ord', 'er": 7}')]
    return streamed(*({"choices": [{"delta": {"tool_calls": [piece]}}]} for piece in (begun, *pieces)))


def test_streamed_completion_is_the_whole_one() -> None:
    """Pieces of text and of a tool call are put together."""
    settings = {"stream": True}
    trial = trial_of(asks_in_a_stream, path="/v1/chat/completions", agent={"settings": settings})

    assert trial.answer is not None, trial.detail
    assert (trial.answer.output, trial.state) == ("done", [7])


def responds(body: Mapping[str, Any]) -> bytes:
    """A model behind /v1/responses that refunds once."""
    last = body["input"][-1]
    if last.get("type") == "function_call_output":
        said = {"type": "message", "content": [{"type": "output_text", "text": last["output"]}]}
        return http({"output": [said], "usage": {"input_tokens": 5, "output_tokens": 2}})
    call = {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"order": 7}'}
    return http({"output": [call], "usage": {"input_tokens": 3, "output_tokens": 1}})


def test_responses_endpoint_works_too() -> None:
    """The same, in the newer shape."""
    trial = trial_of(responds, path="/v1/responses")

    assert trial.answer is not None, trial.detail
    assert json.loads(trial.answer.output) == {"refunded": 7, "currency": "€"}
    assert trial.state == [7]
    assert trial.answer.usage is not None
    assert trial.answer.usage.input_tokens == 8


def test_streamed_response_is_the_completed_one() -> None:
    """The last event holds all of it."""

    def streams(body: Mapping[str, Any]) -> bytes:
        whole = json.loads(responds(body).split(b"\r\n\r\n", 1)[1])
        return streamed({"type": "response.created"}, {"type": "response.completed", "response": whole})

    trial = trial_of(streams, path="/v1/responses", agent={"settings": {"stream": True}})

    assert trial.state == [7]


@pytest.mark.parametrize("arguments", ["{", "[7]"])
def test_arguments_that_are_none_are_told_to_the_model(arguments: str) -> None:
    """A model that writes no JSON hears so, and may mend it; no tool runs."""

    def asks(body: Mapping[str, Any]) -> bytes:
        if body["messages"][-1]["role"] == "tool":
            return a_chat({"content": body["messages"][-1]["content"]})
        return a_chat(
            {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "refund", "arguments": arguments}}]}
        )

    trial = trial_of(asks, path="/v1/chat/completions")

    assert trial.answer is not None
    assert "invalid_arguments" in trial.answer.output
    assert trial.trace == ()


def test_model_that_never_answers_is_stopped() -> None:
    """Thirty turns are enough to see that."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    trial = trial_of(lambda _: a_chat({"content": "", "tool_calls": [call]}), path="/v1/chat/completions")

    assert (trial.outcome, len(trial.trace)) == (Outcome.CRASH, 30)
    assert "still asked for tools" in trial.detail


@pytest.mark.parametrize("reply", [{}, {"choices": []}, {"choices": [{"message": "hi"}]}, []])
def test_completion_that_is_none(reply: object) -> None:
    """A crash, with what came instead."""
    trial = trial_of(lambda _: http(reply), path="/v1/chat/completions")

    assert trial.outcome is Outcome.CRASH
    assert "its reply is no" in trial.detail


def test_model_may_be_shown_less_than_was_said() -> None:
    """What a full context window drops is dropped on the way to the model, a call with its result."""
    with serving(asks_then_answers) as (url, asked):
        short = faults.truncated_context(keep_tokens=1)
        agent = HttpAgent(f"{url}/v1/chat/completions", instructions="Be kind.")
        drive(suite("Refund 7", world=Shop), agent, under=[short], clean=False)

    roles = [[message["role"] for message in one["body"]["messages"]] for one in asked]
    assert roles == [["system", "user"], ["system", "assistant", "tool"]]


def test_shape_that_there_is_not() -> None:
    """The sentence names those that there are."""
    with pytest.raises(UsageError, match="auto, json, chat or responses"):
        HttpAgent("http://127.0.0.1/x", shape="soap")  # type: ignore[arg-type]  # what a user may type
