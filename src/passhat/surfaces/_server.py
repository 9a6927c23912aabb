"""A small HTTP server on the loopback for agents that run outside of this process. It knows no tool and no trial.

A handler is given each request and answers it with a status and a JSON body. Requests of one connection are answered
in turn, those of different connections at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple

from passhat.clients.wire import Head, Reader, WireError, message

LOOPBACK = "127.0.0.1"
LONGEST_BODY = 16 * 1024 * 1024


class Asked(NamedTuple):
    """One request, whole."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Said(NamedTuple):
    """What is answered: a status, and a body of JSON."""

    status: HTTPStatus
    body: bytes


Handler = Callable[[Asked], Awaitable[Said]]


class Server:
    """Listens on a free port of the loopback, once it is started."""

    def __init__(self, handler: Handler) -> None:
        """A server whose requests *handler* answers."""
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._open: set[_Connection] = set()
        self.url = ""

    async def start(self) -> None:
        """Begin to listen; `url` says where."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self._handler, self._open), LOOPBACK, 0)
        self.url = f"http://{LOOPBACK}:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Listen no more, and close what is open."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in tuple(self._open):
            connection.close()
        await asyncio.sleep(0)  # so that the loop can let go of them


class _Connection(asyncio.Protocol):
    """One connection: requests in, answers out, in turn."""

    def __init__(self, handler: Handler, open_ones: set[_Connection]) -> None:
        self._handler = handler
        self._open = open_ones
        self._reader = Reader(of_responses=False)
        self._transport: asyncio.Transport | None = None
        self._head: Head | None = None
        self._body = bytearray()
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # a stream's, as create_server makes it
        self._open.add(self)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self)
        if self._task is not None:  # nobody waits for the answer any more, as when an agent was killed
            self._task.cancel()

    def close(self) -> None:
        """Close it, whatever it is doing."""
        if self._transport is not None:
            self._transport.abort()

    def _go_on(self) -> None:
        """Take the next request, if it is whole and none is being answered."""
        if self._task is not None:
            return
        try:
            asked = self._next()
        except WireError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        if asked is not None:
            self._task = asyncio.get_running_loop().create_task(self._answer(asked))

    def _next(self) -> Asked | None:
        if self._head is None:
            self._head = self._reader.head()
            if self._head is None:
                return None
            if self._head.headers.get("expect", "").lower() == "100-continue" and self._transport is not None:
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        for piece in self._reader.pieces():
            self._body += piece
            if len(self._body) > LONGEST_BODY:
                raise WireError(f"a request of more than {LONGEST_BODY:,} bytes")
        if not self._reader.done:
            return None
        method, path, _ = self._head.words
        return Asked(method, path, self._head.headers, bytes(self._body))

    async def _answer(self, asked: Asked) -> None:
        try:
            said = await self._handler(asked)
        except asyncio.CancelledError:
            if self._transport is not None:
                self._transport.close()
            raise
        head, self._head, self._task = self._head, None, None
        self._body.clear()
        if self._transport is None or self._transport.is_closing():
            return
        first = f"HTTP/1.1 {said.status.value} {said.status.phrase}"
        self._transport.write(message(first, {"Content-Type": "application/json"}, said.body))
        if head is None or not head.keeps_alive:
            self._transport.close()
        else:
            self._go_on()

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        if self._transport is not None:
            first = f"HTTP/1.1 {status.value} {status.phrase}"
            self._transport.write(message(first, {"Content-Type": "text/plain", "Connection": "close"}, why.encode()))
            self._transport.close()
