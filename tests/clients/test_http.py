"""The client talks to a real server on the loopback: connections are kept, and what breaks is said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest

from passhat.clients.http import Address, Client, address
from passhat.clients.wire import WireError, message
from passhat.errors import OutOfReach, UsageError

T = TypeVar("T")
OK = message("HTTP/1.1 200 OK", {}, b"hello")


class Peer:
    """A server that answers each request with the next of its answers, and counts its connections."""

    def __init__(self, answers: list[bytes], *, closes: bool = False) -> None:
        self.answers = answers
        self.closes = closes
        self.connections = 0
        self.heard: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        self.connections += 1
        try:
            while self.answers:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.heard.append(head + await reader.readexactly(length))
                writer.write(self.answers.pop(0))
                await writer.drain()
                if self.closes:
                    break
        except asyncio.IncompleteReadError:
            pass
        writer.close()


@asynccontextmanager
async def listening(peer: Peer) -> AsyncIterator[Address]:
    """The address of *peer*, as long as it listens."""
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
    try:
        yield address(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/agent?key=1")
    finally:
        server.close()


def talk(peer: Peer, what: Callable[[Client, Address], Awaitable[T]]) -> T:
    """What comes of talking to *peer*."""

    async def run() -> T:
        client = Client()
        async with listening(peer) as there:
            try:
                return await what(client, there)
            finally:
                client.close()

    return asyncio.run(run())


async def _read(client: Client, there: Address, *, most: int = 1_000) -> bytes:
    async with client.send(there, body=b"{}", headers={"X-Key": "k"}) as response:
        return await response.read(most)


def test_request_and_reply_are_whole() -> None:
    """The service gets the path, the headers and the body; the caller gets its reply."""
    peer = Peer([OK])

    assert talk(peer, _read) == b"hello"
    assert peer.heard[0].startswith(b"POST /agent?key=1 HTTP/1.1\r\n")
    assert b"X-Key: k" in peer.heard[0]
    assert peer.heard[0].endswith(b"\r\n\r\n{}")


def test_connection_is_used_again() -> None:
    """A second request needs no second connection."""
    peer = Peer([OK, OK, OK])

    async def thrice(client: Client, there: Address) -> list[bytes]:
        return [await _read(client, there) for _ in range(3)]

    assert talk(peer, thrice) == [b"hello"] * 3
    assert peer.connections == 1


def test_connection_that_the_service_closes_is_not_used_again() -> None:
    """Who says 'close' is believed."""
    peer = Peer([message("HTTP/1.1 200 OK", {"Connection": "close"}, b"bye")] * 2, closes=True)

    async def twice(client: Client, there: Address) -> list[bytes]:
        return [await _read(client, there) for _ in range(2)]

    assert talk(peer, twice) == [b"bye"] * 2
    assert peer.connections == 2


def test_body_may_end_with_the_connection() -> None:
    """A service of HTTP/1.0 says no length."""
    assert talk(Peer([b"HTTP/1.0 200 OK\r\n\r\nold"], closes=True), _read) == b"old"


@pytest.mark.parametrize("broken", [b"", OK[:-2], b"HTTP/1.1 200 OK\r\nContent-Le"], ids=["nothing", "half", "head"])
def test_reply_that_breaks_off_is_nobodys_fault(broken: bytes) -> None:
    """A connection that closes in the middle of a reply is the surroundings'."""
    with pytest.raises(OutOfReach, match="closed"):
        talk(Peer([broken], closes=True), _read)


def test_what_is_no_http_is_said() -> None:
    """Something else listens there."""
    with pytest.raises(WireError, match="SSH"):
        talk(Peer([b"SSH-2.0-OpenSSH\r\n\r\n"], closes=True), _read)


def test_reply_that_is_too_long_is_refused() -> None:
    """Nobody has to hold what is larger than it may be."""
    with pytest.raises(WireError, match="more than 4 bytes"):
        talk(Peer([OK]), lambda client, there: _read(client, there, most=4))


def test_nobody_listens() -> None:
    """The sentence says where."""

    async def nobody(client: Client, there: Address) -> None:
        await client.reach(there._replace(port=1))

    with pytest.raises(OutOfReach, match=r"http://127\.0\.0\.1:1/agent cannot be reached"):
        talk(Peer([]), nobody)


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://a/b", "http://", "http://a:b/", "http://u:p@h/"])
def test_what_is_no_url_of_a_service(url: str) -> None:
    """A URL is refused before anything runs where nothing could be sent there."""
    with pytest.raises(UsageError, match="URL"):
        address(url)


def test_address_is_shown_without_its_query() -> None:
    """There may be a key in it."""
    assert address("https://host/path?key=secret").shown == "https://host/path"
