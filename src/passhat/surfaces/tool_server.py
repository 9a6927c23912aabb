"""The tool server: a world's tools over loopback HTTP, for an agent in any language.

`GET /tools` lists them, `POST /call` with `{"tool": NAME, "arguments": {…}}` calls one, and `POST /messages` takes a
list of messages and gives what the agent's model is to see of them. Each trial has a token of its
own (`Authorization: Bearer …`), which ends with the trial. A call answers 200 with `{"reply": …}`, or with `{"error":
{"kind", "message", "retry_after"}}` where the tool failed, by itself or by a fault: an agent sees no difference.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from passhat.clients.replies import replied
from passhat.errors import ToolError, TrialClosed
from passhat.model.plain import as_json, described, words
from passhat.model.protocols import Guard
from passhat.model.tools import tool_spec
from passhat.surfaces._server import Asked, Said, Server
from passhat.surfaces.base import MESSAGES, Toolbox

_PATHS = "GET /tools for the list, POST /call to call one, and POST /messages for what a model gets to see"
_ENDED = "this trial is over, or the token is not one of this run"


class ServedTools:
    """What an agent outside of this process is told: where its tools are, and the token that opens them."""

    __slots__ = ("closed", "guard", "running", "token", "toolbox", "url")

    def __init__(self, guard: Guard, toolbox: Toolbox, url: str) -> None:
        """The tools of one trial."""
        self.guard = guard
        self.toolbox = toolbox
        self.url = url
        self.token = secrets.token_urlsafe(24)
        self.running: set[asyncio.Task[Any]] = set()

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which a command finds its tools."""
        return {"PASSHAT_TOOLS_URL": self.url, "PASSHAT_TOOLS_TOKEN": self.token}


class ToolServer:
    """Serves the tools of all running trials at one address."""

    name = "tool_server"
    carries = frozenset({name, MESSAGES})

    def __init__(self) -> None:
        """Nothing is served before `start`."""
        self._server = Server(self._handle)
        self._trials: dict[str, ServedTools] = {}

    async def begin(self) -> None:
        """Begin to listen."""
        await self._server.start()

    async def end(self) -> None:
        """Listen no more."""
        await self._server.stop()

    def open(self, guard: Guard, tools: Toolbox, *, blocking: bool) -> ServedTools:
        """The tools for one agent, behind *guard*."""
        del blocking  # the calls come over the network, and the loop answers them
        served = ServedTools(guard, tools, self._server.url)
        self._trials[served.token] = served
        return served

    def close(self, tools: ServedTools | None) -> None:
        """The trial is over: its token opens nothing any more, and nobody waits for the calls that still run."""
        if tools is not None:
            self._trials.pop(tools.token, None)
            for task in tools.running:
                task.cancel()

    async def _handle(self, asked: Asked) -> Said:
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        served = self._trials.get(token.strip()) if scheme.lower() == "bearer" else None
        if served is None:
            return _refusal(HTTPStatus.UNAUTHORIZED, _ENDED)
        match asked.method, asked.path:
            case "GET", "/tools":
                return Said(HTTPStatus.OK, _tools(served.toolbox))
            case "POST", "/call":
                return await self._called(served, asked.body)
            case "POST", "/messages":
                return _shown(served, asked.body)
            case _, "/tools" | "/call" | "/messages":
                return _refusal(HTTPStatus.METHOD_NOT_ALLOWED, _PATHS)
        return _refusal(HTTPStatus.NOT_FOUND, f"there is {_PATHS}")

    async def _called(self, served: ServedTools, body: bytes) -> Said:
        try:
            name, arguments = _call_of(body)
        except ToolError as error:
            return _refusal(HTTPStatus.BAD_REQUEST, error.message)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - for the type checker
        served.running.add(task)
        try:
            reply = await replied(served.guard.bind(name, served.toolbox.get(name))(**arguments))
        except TrialClosed as error:
            return _refusal(HTTPStatus.GONE, str(error))
        except Exception as error:  # noqa: BLE001 - a fence: what a tool raises is the agent's to see
            return _said({"error": _error(error)})
        finally:
            served.running.discard(task)
        return _said({"reply": reply})


def _shown(served: ServedTools, body: bytes) -> Said:
    """The messages as a model is to see them."""
    try:
        history = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        return _refusal(HTTPStatus.BAD_REQUEST, f"the body is no JSON: {error}")
    if not isinstance(history, list):
        return _refusal(HTTPStatus.BAD_REQUEST, f"the body is a list of messages, not {described(history)}")
    try:
        return _said(served.guard.messages(history))
    except TrialClosed as error:
        return _refusal(HTTPStatus.GONE, str(error))


def _call_of(body: bytes) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments that a request names."""
    try:
        asked = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ToolError("bad_request", f"the body is no JSON: {error}") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("tool"), str):
        raise ToolError("bad_request", f'the body is {{"tool": NAME, "arguments": {{…}}}}, not {described(asked)}')
    arguments = asked.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise ToolError("bad_request", f"arguments: an object, not {described(arguments)}")
    return asked["tool"], arguments


def _tools(toolbox: Toolbox) -> bytes:
    return msgspec.json.encode([tool_spec(name, tool) for name, tool in toolbox.items()])


def _error(error: Exception) -> Mapping[str, Any]:
    if isinstance(error, ToolError):
        told: dict[str, Any] = {"kind": error.kind, "message": error.message}
        return told if error.retry_after is None else {**told, "retry_after": error.retry_after}
    return {"kind": type(error).__name__, "message": words(error)}


def _said(value: object) -> Said:
    return Said(HTTPStatus.OK, as_json(value))


def _refusal(status: HTTPStatus, message: str) -> Said:
    return Said(status, msgspec.json.encode({"error": {"kind": status.phrase, "message": message}}))
