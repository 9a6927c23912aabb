"""HTTP/1.1 is read right however its bytes arrive, and what is none is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.clients.wire import LONGEST_HEAD, Head, Reader, WireError, head_of, message

BODIES = st.binary(max_size=60)
CUTS = st.lists(st.integers(1, 12), max_size=80)


def in_pieces(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """*data* in pieces of these lengths, and the rest."""
    pieces, at = [], 0
    for cut in cuts:
        pieces.append(data[at : at + cut])
        at += cut
    return [piece for piece in (*pieces, data[at:]) if piece]


def read(data: Sequence[bytes], *, of_responses: bool = True, closed: bool = False) -> list[tuple[Head, bytes]]:
    """The messages in *data*, which arrives piece by piece."""
    reader = Reader(of_responses=of_responses)
    found: list[tuple[Head, bytes]] = []
    head: Head | None = None
    body = b""
    for piece in [*data, None] if closed else data:
        if piece is None:
            reader.closed()
        else:
            reader.feed(piece)
        while True:
            if head is None:
                head, body = reader.head(), b""
                if head is None:
                    break
            body += b"".join(reader.pieces())
            if not reader.done:
                break
            found.append((head, body))
            head = None
    return found


def chunked(bodies: Sequence[bytes]) -> bytes:
    """A response whose body comes in these chunks."""
    chunks = b"".join(b"%x;note=1\r\n%s\r\n" % (len(body), body) for body in bodies if body)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nTrailer: x\r\n\r\n"


@given(st.lists(BODIES, min_size=1, max_size=4), CUTS)
def test_counted_messages_are_read_however_they_arrive(bodies: Sequence[bytes], cuts: Sequence[int]) -> None:
    """Messages one after the other are the same ones, wherever the network cuts them."""
    data = b"".join(message("HTTP/1.1 200 OK", {"X-Place": "a: b"}, body) for body in bodies)

    found = read(in_pieces(data, cuts))

    assert [body for _, body in found] == bodies
    assert all(head.status == 200 and head.headers["x-place"] == "a: b" for head, _ in found)


@given(st.lists(BODIES, min_size=1, max_size=4), CUTS)
def test_chunks_are_joined_however_they_arrive(bodies: Sequence[bytes], cuts: Sequence[int]) -> None:
    """A body in chunks is the chunks in a row, and what follows is the next message."""
    data = chunked(bodies) + message("HTTP/1.1 404 Not Found", {}, b"no")

    found = read(in_pieces(data, cuts))

    assert [body for _, body in found] == [b"".join(bodies), b"no"]


@given(BODIES, CUTS)
def test_body_without_a_length_ends_with_the_connection(body: bytes, cuts: Sequence[int]) -> None:
    """As services of HTTP/1.0 answer."""
    data = b"HTTP/1.0 200 OK\r\n\r\n" + body

    ((head, found),) = read(in_pieces(data, cuts), closed=True)

    assert found == body
    assert not head.keeps_alive


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """What arrives may be anything, and raises nothing but `WireError`."""
    for start in (b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"):
        try:
            read([start + data], closed=True)
        except WireError:
            continue


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"SSH-2.0-OpenSSH\r\n\r\n", "first line"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "first line"),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "header line"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "Content-Length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1e9\r\n\r\n", "Content-Length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "chunk of size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "longer than its size"),
        (b"HTTP/1.1 200 OK\r\n" + b"a" * (LONGEST_HEAD + 1), "head of more than"),
    ],
)
def test_what_is_no_http_is_refused(data: bytes, said: str) -> None:
    """The refusal says what was wrong."""
    with pytest.raises(WireError, match=said):
        read([data])


def test_message_that_is_cut_is_refused() -> None:
    """Half a body is not a body."""
    with pytest.raises(WireError, match="in the middle"):
        read([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"], closed=True)


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified", "100 Continue"])
def test_some_replies_have_no_body(status: str) -> None:
    """After such a head the next message follows at once."""
    data = f"HTTP/1.1 {status}\r\n\r\n".encode() + message("HTTP/1.1 200 OK", {}, b"x")

    assert [body for _, body in read([data])] == [b"", b"x"]


@pytest.mark.parametrize(
    ("block", "kept"),
    [
        (b"HTTP/1.1 200 OK", True),
        (b"HTTP/1.1 200", True),
        (b"HTTP/1.1 200 OK\r\nConnection: close", False),
        (b"HTTP/1.0 200 OK", False),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive", True),
    ],
)
def test_who_closes_the_connection_says_so(block: bytes, kept: bool) -> None:  # noqa: FBT001 - pytest's parameter
    """A connection is used again where neither side says otherwise."""
    assert head_of(block, of_response=True).keeps_alive is kept


def test_requests_are_read_too() -> None:
    """A server reads what a client writes; a request without a length has no body."""
    data = b"GET /tools HTTP/1.1\r\nHost: x\r\n\r\n" + message("POST /call HTTP/1.1", {"A": "1"}, b"{}")

    found = read([data], of_responses=False)

    assert [(head.words[:2], body) for head, body in found] == [(("GET", "/tools"), b""), (("POST", "/call"), b"{}")]


def test_headers_that_come_twice_are_one_list() -> None:
    """As the standard has it."""
    assert head_of(b"HTTP/1.1 200 OK\r\nA: 1\r\na: 2", of_response=True).headers == {"a": "1, 2"}
