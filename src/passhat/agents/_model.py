"""A model behind an OpenAI-compatible endpoint: what is sent to it and what its replies mean. No I/O lives here.

There are two shapes, chat completions and responses. Each keeps one conversation, and is told what the tools replied.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from passhat.errors import AgentFailed
from passhat.model.answer import Usage
from passhat.model.plain import described
from passhat.model.tools import ToolSpec

_END = "[DONE]"


class Asked(NamedTuple):
    """A tool call that a model asks for; *arguments* are JSON as the model wrote it."""

    id: str
    name: str
    arguments: str


class Turn(NamedTuple):
    """One reply of a model: what it says, which tools it wants called, and what the reply cost."""

    text: str
    calls: Sequence[Asked]
    usage: Usage | None


class Conversation(Protocol):
    """What has been said between the user, a model and the tools."""

    history: list[Any]

    def body(self, shown: Sequence[Any]) -> dict[str, Any]:
        """The request for the model's next reply, where it gets to see this of the history."""

    def heard(self, reply: Mapping[str, Any]) -> Turn:
        """Take in the model's reply."""

    def told(self, call: Asked, reply: str) -> None:
        """Take in what a tool replied."""

    async def gathered(self, events: AsyncIterable[str]) -> Mapping[str, Any]:
        """The whole reply that a stream of events amounts to."""


class Chat:
    """`/v1/chat/completions`."""

    def __init__(
        self, settings: Mapping[str, Any], tools: Iterable[ToolSpec], said: Sequence[Mapping[str, Any]]
    ) -> None:
        """A conversation that begins with what was *said*."""
        self.history: list[Any] = list(said)
        functions = [{"type": "function", "function": msgspec.to_builtins(tool)} for tool in tools]
        self._settings = {**settings, **({"tools": functions} if functions else {})}

    def body(self, shown: Sequence[Any]) -> dict[str, Any]:
        more = {"stream_options": {"include_usage": True}} if self._settings.get("stream") else {}
        return {**self._settings, **more, "messages": list(shown)}

    def heard(self, reply: Mapping[str, Any]) -> Turn:
        try:
            message = reply["choices"][0]["message"]
            calls = [
                Asked(call["id"], call["function"]["name"], call["function"]["arguments"] or "{}")
                for call in message.get("tool_calls") or ()
            ]
            text = message.get("content") or ""
        except (KeyError, IndexError, TypeError, AttributeError):
            raise _strange("chat completion", reply) from None
        self.history.append(message)
        return Turn(text, calls, _usage(reply, "prompt_tokens", "completion_tokens"))

    def told(self, call: Asked, reply: str) -> None:
        self.history.append({"role": "tool", "tool_call_id": call.id, "content": reply})

    async def gathered(self, events: AsyncIterable[str]) -> Mapping[str, Any]:
        text: list[str] = []
        calls: dict[int, dict[str, Any]] = {}
        usage = model = None
        async for event in events:
            if event == _END:
                break
            chunk = _decoded(event)
            usage, model = chunk.get("usage") or usage, chunk.get("model") or model
            for choice in chunk.get("choices") or ():
                delta = choice.get("delta") or {}
                text.append(delta.get("content") or "")
                for piece in delta.get("tool_calls") or ():
                    _add(calls.setdefault(piece.get("index", 0), {}), piece)
        message = {"role": "assistant", "content": "".join(text)}
        if calls:
            message["tool_calls"] = [calls[index] for index in sorted(calls)]  # type: ignore[assignment]  # JSON
        return {"choices": [{"message": message}], "usage": usage, "model": model}


class Responses:
    """`/v1/responses`."""

    def __init__(
        self, settings: Mapping[str, Any], tools: Iterable[ToolSpec], said: Sequence[Mapping[str, Any]]
    ) -> None:
        """A conversation that begins with what was *said*."""
        self.history: list[Any] = list(said)
        functions = [{"type": "function", **msgspec.to_builtins(tool)} for tool in tools]
        self._settings = {**settings, **({"tools": functions} if functions else {})}

    def body(self, shown: Sequence[Any]) -> dict[str, Any]:
        return {**self._settings, "input": list(shown)}

    def heard(self, reply: Mapping[str, Any]) -> Turn:
        try:
            output = reply["output"]
            calls = [
                Asked(item["call_id"], item["name"], item["arguments"] or "{}")
                for item in output
                if item["type"] == "function_call"
            ]
            texts = [
                part["text"]
                for item in output
                if item["type"] == "message"
                for part in item["content"]
                if part["type"] == "output_text"
            ]
        except (KeyError, TypeError, AttributeError):
            raise _strange("response", reply) from None
        self.history.extend(output)
        return Turn("".join(texts), calls, _usage(reply, "input_tokens", "output_tokens"))

    def told(self, call: Asked, reply: str) -> None:
        self.history.append({"type": "function_call_output", "call_id": call.id, "output": reply})

    async def gathered(self, events: AsyncIterable[str]) -> Mapping[str, Any]:
        async for event in events:
            if event == _END:
                break
            told = _decoded(event)
            if told.get("type") == "response.completed" and isinstance(told.get("response"), Mapping):
                return dict(told["response"])
        raise AgentFailed("its stream ended before the response was complete")


def _add(call: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Add what one chunk says of a tool call: the first names it, the others go on with its arguments."""
    function = piece.get("function") or {}
    known = call.setdefault("function", {"name": "", "arguments": ""})
    known["name"] += function.get("name") or ""
    known["arguments"] += function.get("arguments") or ""
    call.setdefault("type", "function")
    if piece.get("id"):
        call["id"] = piece["id"]


def _decoded(event: str) -> Mapping[str, Any]:
    try:
        told = msgspec.json.decode(event)
    except (msgspec.DecodeError, RecursionError) as error:
        raise AgentFailed(f"its stream holds an event that is no JSON ({error}): {described(event, 200)}") from None
    if not isinstance(told, Mapping):
        raise AgentFailed(f"its stream holds an event that is no object: {described(told, 200)}")
    return told


def _usage(reply: Mapping[str, Any], of_input: str, of_output: str) -> Usage | None:
    """What a reply cost, and whose price it was."""
    told, model = reply.get("usage"), reply.get("model")
    if not isinstance(told, Mapping):
        return None
    counts = [told.get(name) for name in (of_input, of_output)]
    known = [count if isinstance(count, int) and not isinstance(count, bool) else None for count in counts]
    return Usage(input_tokens=known[0], output_tokens=known[1], model=model if isinstance(model, str) else "")


def _strange(what: str, reply: object) -> AgentFailed:
    return AgentFailed(f"its reply is no {what}: {described(reply, 200)}")
