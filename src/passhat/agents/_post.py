"""One request to a service, and what its reply means: a body, the agent's own failure, or that nobody is to blame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import TypeVar

from passhat.clients.http import Address, Client, Response
from passhat.clients.wire import WireError
from passhat.errors import AgentFailed, OutOfReach
from passhat.model.plain import as_json, clipped

MOST = 16 * 1024 * 1024
_GOOD = range(200, 300)
_BUSY = frozenset({429, 503, 529})
_BEYOND = frozenset({502, 504})  # what stands before the agent did not reach it
_SHOWN = 200
T = TypeVar("T")


def kind_of(response: Response) -> str:
    """The kind of content, without its parameters."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


async def posted(
    client: Client, to: Address, body: object, headers: Mapping[str, str], read: Callable[[Response], Awaitable[T]]
) -> T:
    """What *read* makes of the reply to *body*; a reply that is none is the agent's failure, or the surroundings'."""
    try:
        async with client.send(to, body=as_json(body), headers=headers) as response:
            if response.status not in _GOOD:
                raise _refused(response, await response.read(MOST))
            return await read(response)
    except WireError as error:
        raise AgentFailed(f"its reply cannot be read: {error}") from error


def _refused(response: Response, body: bytes) -> AgentFailed | OutOfReach:
    """What a status that is no success says."""
    said = clipped(" ".join(body.decode(errors="replace").split()), _SHOWN)
    told = f"it answered {response.status} {_phrase(response.status)}".rstrip() + (f": {said}" if said else "")
    if response.status in _BUSY:
        return OutOfReach(told, busy=True, retry_after=_seconds(response.headers.get("retry-after", "")))
    return OutOfReach(told) if response.status in _BEYOND else AgentFailed(told)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _seconds(text: str) -> float | None:
    """A Retry-After in seconds; one that names a date is not followed."""
    return float(text) if text.isascii() and text.isdecimal() else None
