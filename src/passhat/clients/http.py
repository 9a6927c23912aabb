"""A client of HTTP services for many at once: connections that are kept, and replies read as they come.

It follows no redirect and asks no proxy: it talks to the address that it was given. It retries nothing; who called it
knows what a second try would mean.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from ssl import SSLContext, create_default_context
from types import TracebackType
from typing import NamedTuple
from urllib.parse import urlsplit

from passhat.clients.wire import Head, Reader, WireError, message
from passhat.errors import OutOfReach, UsageError

_PORTS = {"http": 80, "https": 443}
_MUCH = 256 * 1024  # bytes that wait unread before the other side is asked to wait
_CALM = b""


class Address(NamedTuple):
    """Where a service is: what a URL says, taken apart."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port, as a Host header names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def shown(self) -> str:
        """The address for a person, without its query, which may hold a key."""
        return f"{self.scheme}://{self.authority}{self.path.partition('?')[0]}"


def address(url: str) -> Address:
    """The address that *url* names; refused where it names none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r:.200} is no URL: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise UsageError(f"{url!r:.200} is no URL of a service: write http://HOST:PORT/PATH or https://…")
    if parts.username is not None or parts.password is not None:
        raise UsageError("a URL with a name and a password in it would be shown: put them into a header")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], path)


class Response:
    """A reply whose head is here; the body is read piece by piece, or at once with `read`."""

    def __init__(self, connection: _Connection, head: Head) -> None:
        """The reply that *connection* is receiving."""
        self._connection = connection
        self.status = head.status
        self.headers = head.headers

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it arrives."""
        while (piece := await self._connection.piece()) != _CALM:
            yield piece

    async def read(self, most: int) -> bytes:
        """The whole body; `WireError` where it is more than *most* bytes."""
        found: list[bytes] = []
        size = 0
        async for piece in self.pieces():
            size += len(piece)
            if size > most:
                raise WireError(f"a reply of more than {most:,} bytes")
            found.append(piece)
        return b"".join(found)


class Client:
    """Sends requests, each over a connection of its own as long as it lasts; idle connections are used again."""

    def __init__(self) -> None:
        """A client without a connection. It belongs to the loop that it first sends on."""
        self._idle: defaultdict[tuple[str, str, int], list[_Connection]] = defaultdict(list)
        self._tls: SSLContext | None = None

    def send(self, to: Address, *, body: bytes = b"", headers: Mapping[str, str] | None = None) -> _Sending:
        """POST *body* to this address: a context that gives the `Response`.

        The connection is kept where the reply was read to its end, and closed where it was not.
        """
        host = {"Host": to.authority, **(headers or {})}
        return _Sending(self, to, message(f"POST {to.path} HTTP/1.1", host, body))

    async def reach(self, to: Address) -> None:
        """Open a connection and keep it; `OutOfReach` where nobody listens there."""
        self.keep(to, await self._connect(to))

    def close(self) -> None:
        """Close the connections that nobody uses; the loop lets go of them in its next turn."""
        for kept in self._idle.values():
            for connection in kept:
                connection.close()
        self._idle.clear()

    async def take(self, to: Address) -> _Connection:
        """A connection to this address: one that is idle, or a new one."""
        kept = self._idle[to[:3]]
        while kept:
            connection = kept.pop()
            if connection.fresh:
                return connection
        return await self._connect(to)

    def keep(self, to: Address, connection: _Connection) -> None:
        """Use *connection* again later."""
        self._idle[to[:3]].append(connection)

    async def _connect(self, to: Address) -> _Connection:
        if to.scheme == "https" and self._tls is None:
            self._tls = create_default_context()
        tls = self._tls if to.scheme == "https" else None
        try:
            _, made = await asyncio.get_running_loop().create_connection(_Connection, to.host, to.port, ssl=tls)
        except OSError as error:
            raise OutOfReach(f"{to.shown} cannot be reached: {error.strerror or error}") from error
        return made


class _Sending:
    """One request on its way: holds its connection until the reply has been read, or nobody wants it."""

    def __init__(self, client: Client, to: Address, request: bytes) -> None:
        self._client = client
        self._to = to
        self._request = request
        self._connection: _Connection | None = None

    async def __aenter__(self) -> Response:
        self._connection = connection = await self._client.take(self._to)
        with ExitStack() as undo:
            undo.callback(connection.close)
            response = Response(connection, await connection.ask(self._request))
            undo.pop_all()
        return response

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._connection is not None  # noqa: S101 - for the type checker
        if kind is None and self._connection.reusable:
            self._client.keep(self._to, self._connection)
        else:
            self._connection.close()


class _Connection(asyncio.Protocol):
    """One connection: bytes in, heads and pieces out, to the one who waits."""

    def __init__(self) -> None:
        self._reader = Reader(of_responses=True)
        self._transport: asyncio.Transport | None = None
        self._woken: asyncio.Future[None] | None = None
        self._pieces: list[bytes] = []
        self._lost: BaseException | None = None
        self._keeps = False
        self._paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # a stream's, as create_connection makes it

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        if self._reader.held > _MUCH and self._transport is not None and not self._paused:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc)

    @property
    def fresh(self) -> bool:
        """True where nothing has happened to it since it was last used."""
        return self._lost is None and self._reader.held == 0

    @property
    def reusable(self) -> bool:
        """True where the last reply was read to its end, and another may follow."""
        return self._keeps and self._reader.done and not self._pieces and self.fresh

    def close(self) -> None:
        """Close it, whatever it is doing."""
        if self._transport is not None:
            self._transport.abort()

    async def ask(self, request: bytes) -> Head:
        """Send *request*, and give the head of the reply."""
        assert self._transport is not None  # noqa: S101 - for the type checker
        self._transport.write(request)
        while True:
            head = self._reader.head()
            if head is not None and not head.words[1].startswith("1"):
                self._keeps = head.keeps_alive
                return head
            if head is None:
                await self._more()

    async def piece(self) -> bytes:
        """The next piece of the body, and nothing once it is whole."""
        while not self._pieces:
            self._pieces.extend(self._reader.pieces())
            if self._pieces:
                self._pieces.reverse()
            elif self._reader.done:
                return _CALM
            else:
                await self._more()
        return self._pieces.pop()

    async def _more(self) -> None:
        """Wait until something else has arrived."""
        if self._lost is not None:
            unbegun = self._reader.done
            try:
                self._reader.closed()
            except WireError as error:
                raise OutOfReach(str(error)) from self._lost
            if unbegun:
                raise OutOfReach("the connection was closed before a reply came") from self._lost
            return
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        self._woken = asyncio.get_running_loop().create_future()
        await self._woken

    def _end(self, error: Exception | None) -> None:
        if self._lost is None:
            self._lost = error or EOFError()
        self._wake()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)
