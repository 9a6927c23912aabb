"""An agent that is a service: one POST a trial, or a model behind an OpenAI-compatible endpoint with our tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any, Literal

import msgspec

from passhat.agents._model import Asked, Chat, Conversation, Responses
from passhat.agents._post import MOST, kind_of, posted
from passhat.agents._said import as_said, from_json
from passhat.clients.events import events
from passhat.clients.http import Client, Response, address
from passhat.clients.replies import replied
from passhat.errors import AgentFailed, OutOfReach, ToolError, UsageError
from passhat.model.answer import Answer, Usage, added
from passhat.model.plain import as_json, described, plain, words
from passhat.model.protocols import Request
from passhat.model.talk import as_told, text_of

MOST_TURNS = 30
_STREAM = "text/event-stream"
_TALK = "conversation"  # where a trial's memory keeps it
_MODELS: Mapping[str, tuple[str, type[Chat | Responses]]] = {
    "chat": ("/chat/completions", Chat),
    "responses": ("/responses", Responses),
}


class HttpAgent:
    """Sends each task to a service, and reads its answer, streamed or whole.

    The shape *json* posts `{"input", "task", "trial", "seed", "tools": {"url", "token"}}`, with the `turns` of a
    talk, and reads an answer: JSON, a text, or server-sent events. The shapes *chat* and *responses* take the service
    for a model: the input is what the user says, and the tools that it asks for are called until it answers. Where
    nobody says it, the shape follows from the path of the URL. A connection that fails and a service that is overloaded
    make the trial void.
    """

    blocking = False
    takes_tools = True

    def __init__(
        self,
        url: str,
        *,
        shape: Literal["auto", "json", "chat", "responses"] = "auto",
        headers: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        instructions: str = "",
        label: str = "",
        version: str = "",
    ) -> None:
        """The agent at *url*. *settings* go into the body of each request, such as a model's name or `stream`."""
        self._to = address(url)
        self._shape = _shape_of(self._to.path) if shape == "auto" else shape
        if self._shape != "json" and self._shape not in _MODELS:
            raise UsageError(f"agent {self._to.shown}: shape is auto, json, chat or responses, not {shape!r}")
        self._headers = {
            "Content-Type": "application/json",
            "Accept": f"application/json, {_STREAM}, text/plain",
            **(headers or {}),
        }
        self._settings = dict(settings or {})
        self._instructions = instructions
        self._client = Client()
        self.surface = "tool_server" if self._shape == "json" else "python_tools"
        self.label = label or self._to.shown
        self.version = version

    async def begin(self) -> None:
        """See whether somebody listens there; nothing is sent yet."""
        self._client = Client()
        try:
            await self._client.reach(self._to)
        except OutOfReach as error:
            raise UsageError(f"agent {self.label}: {error}; is it running?") from error

    async def end(self) -> None:
        """Close the connections."""
        self._client.close()
        await asyncio.sleep(0)

    def start(self, request: Request) -> Awaitable[Answer]:
        return self._asked(request) if self._shape == "json" else self._talked(request)

    async def _asked(self, request: Request) -> Answer:
        said = {"input": plain(request.input), "task": request.task, "trial": request.trial, "seed": request.seed}
        if request.turns:
            said["turns"] = as_told(request.turns)
        if request.tools is not None:
            said["tools"] = {"url": request.tools.url, "token": request.tools.token}
        return await posted(self._client, self._to, {**self._settings, **said}, self._headers, _answer)

    async def _talked(self, request: Request) -> Answer:
        """Let a model work: call the tools that it asks for, until it asks for none."""
        talk = self._going_on(request)
        spent: list[Usage] = []
        for _ in range(MOST_TURNS):
            shown = talk.history if request.tools is None else request.tools.__shown__(talk.history)
            reply = await posted(self._client, self._to, talk.body(shown), self._headers, _whole(talk))
            turn = talk.heard(reply)
            spent += [turn.usage] if turn.usage is not None else []
            if not turn.calls:
                return Answer(turn.text, usage=added(spent))
            for call in turn.calls:
                talk.told(call, await _called(request.tools, call))
        raise AgentFailed(f"it still asked for tools after {MOST_TURNS} turns")

    def _going_on(self, request: Request) -> Conversation:
        """The conversation of this trial, with what the user says now as the last of it."""
        talk: Conversation | None = request.memory.get(_TALK)
        if talk is None:
            talk = request.memory[_TALK] = self._conversation(request)
        else:
            talk.history.append(_said(request))
        return talk

    def _conversation(self, request: Request) -> Conversation:
        said = [_said(request)]
        if self._instructions:
            said.insert(0, {"role": "system", "content": self._instructions})
        specs = request.tools.__specs__() if request.tools is not None else ()
        return _MODELS[self._shape][1](self._settings, specs, said)


def _said(request: Request) -> Mapping[str, Any]:
    """What the user says, as a message."""
    return {"role": "user", "content": text_of(request.input)}


def _shape_of(path: str) -> str:
    """The shape that a URL's path tells of."""
    plain_path = path.partition("?")[0].rstrip("/")
    return next((shape for shape, (end, _) in _MODELS.items() if plain_path.endswith(end)), "json")


async def _answer(response: Response) -> Answer:
    """The answer of a service that is no model."""
    kind = kind_of(response)
    if kind == _STREAM:
        return await _streamed(response)
    body = await response.read(MOST)
    if kind == "text/plain":
        return Answer(body.decode(errors="replace"))
    return from_json(body, who=f"its answer ({kind})" if kind and kind != "application/json" else "its answer")


async def _streamed(response: Response) -> Answer:
    """The answer in a stream: the event that is an object with an output, else the text of all events."""
    texts: list[str] = []
    async for event in events(response.pieces(), most=MOST):
        told = _event(event)
        if isinstance(told, Mapping) and "output" in told:
            return as_said(told, who="an event of its stream")
        texts.append(told if isinstance(told, str) else event)
    return Answer("".join(texts))


def _event(event: str) -> object:
    """What an event holds: JSON, or a text as it is."""
    try:
        return msgspec.json.decode(event)
    except (msgspec.DecodeError, RecursionError):
        return event


def _whole(talk: Conversation) -> Any:  # noqa: ANN401 - a function that reads a reply
    """How a model's reply is read: at once, or gathered from its stream."""

    async def read(response: Response) -> Mapping[str, Any]:
        if kind_of(response) == _STREAM:
            return await talk.gathered(events(response.pieces(), most=MOST))
        body = await response.read(MOST)
        try:
            told = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError) as error:
            shown = described(body[:200].decode(errors="replace"), 200)
            raise AgentFailed(f"its reply is no JSON ({error}): {shown}") from None
        if not isinstance(told, dict):
            raise AgentFailed(f"its reply is no object: {described(told, 200)}")
        return told

    return read


async def _called(tools: Any, call: Asked) -> str:  # noqa: ANN401 - what a surface gives
    """What a tool replies to a model, as JSON; a call that cannot be read is told to the model like an error."""
    try:
        arguments = msgspec.json.decode(call.arguments)
    except (msgspec.DecodeError, RecursionError) as error:
        return _error("invalid_arguments", f"the arguments are no JSON: {error}")
    if not isinstance(arguments, dict):
        return _error("invalid_arguments", f"the arguments are an object, not {described(arguments)}")
    try:
        reply = await replied(tools.call(call.name, **arguments))
    except ToolError as error:
        return _error(error.kind, error.message)
    except Exception as error:  # noqa: BLE001 - a fence: what a tool raises is the model's to see
        return _error(type(error).__name__, words(error))
    return reply if isinstance(reply, str) else as_json(reply).decode()


def _error(kind: str, message: str) -> str:
    return as_json({"error": {"kind": kind, "message": message}}).decode()
