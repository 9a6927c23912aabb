"""HTTP/1.1 as bytes: heads and bodies, read as they arrive, and written. No I/O lives here, and no address.

The client of agents that are services and the servers that give agents their tools share it. It is written here and
not taken from a library, because a client of a thousand agents pays for every microsecond, and because a server that
is to break off in the middle of a reply must hold the bytes itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

LONGEST_HEAD = 64 * 1024
_END_OF_HEAD = b"\r\n\r\n"
_BODILESS = frozenset({"204", "304"})
_MOST_DIGITS = 15
_WORDS = 3


class WireError(Exception):
    """What arrived is no HTTP/1.1, or more than anybody should send."""


class Head(NamedTuple):
    """The three words of a message's first line, and its headers by lower-case name."""

    words: tuple[str, str, str]
    headers: Mapping[str, str]

    @property
    def status(self) -> int:
        """The status of a response."""
        return int(self.words[1])

    @property
    def keeps_alive(self) -> bool:
        """True where the connection may be used again after this message."""
        said = self.headers.get("connection", "").lower()
        return "keep-alive" in said if "HTTP/1.0" in self.words else "close" not in said


class _In(Enum):
    """Where in a message the reader is."""

    HEAD = "head"
    COUNTED = "counted"  # a body of known length
    OPEN = "open"  # a body that ends with the connection
    SIZE = "size"  # the line with a chunk's size
    CHUNK = "chunk"
    BREAK = "break"  # the line break behind a chunk
    TRAILER = "trailer"


class Reader:
    """Reads the messages of one connection from bytes as they come: first `head`, then the `pieces` of its body."""

    __slots__ = ("_buffer", "_in", "_left", "_of_responses")

    def __init__(self, *, of_responses: bool) -> None:
        """A reader of responses, as a client has one, or of requests."""
        self._of_responses = of_responses
        self._buffer = bytearray()
        self._left = 0
        self._in = _In.HEAD

    @property
    def done(self) -> bool:
        """True between two messages."""
        return self._in is _In.HEAD

    @property
    def held(self) -> int:
        """How many bytes wait to be read."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take what has arrived."""
        self._buffer += data

    def head(self) -> Head | None:
        """The head of the next message once it is there. Its body follows, where it is not `done` at once."""
        end = self._buffer.find(_END_OF_HEAD)
        if end < 0:
            self._check_length("a head")
            return None
        found = head_of(bytes(self._take(end + len(_END_OF_HEAD))[:end]), of_response=self._of_responses)
        self._in, self._left = self._framing(found)
        return found

    def pieces(self) -> Iterator[bytes]:
        """As much of the body as is there."""
        while True:
            match self._in:
                case _In.HEAD:
                    return
                case _In.OPEN:
                    if self._buffer:
                        yield bytes(self._take(len(self._buffer)))
                    return
                case _In.COUNTED | _In.CHUNK:
                    piece = bytes(self._take(min(self._left, len(self._buffer))))
                    self._left -= len(piece)
                    if piece:
                        yield piece
                    if self._left:
                        return
                    self._in = _In.HEAD if self._in is _In.COUNTED else _In.BREAK
                case _:
                    line = self._line()
                    if line is None:
                        return
                    self._between(line)

    def closed(self) -> None:
        """The other side has closed the connection; raises where it did so in the middle of a message."""
        if self._in is _In.OPEN:
            self._in = _In.HEAD
        elif self._in is not _In.HEAD or self._buffer:
            raise WireError("the connection was closed in the middle of a message")

    def _framing(self, head: Head) -> tuple[_In, int]:
        """How the end of the body behind *head* is found, and its length where that is known."""
        headers = head.headers
        if self._of_responses and (head.words[1] in _BODILESS or head.words[1].startswith("1")):
            return _In.HEAD, 0
        if headers.get("transfer-encoding", "").lower().endswith("chunked"):
            return _In.SIZE, 0
        length = headers.get("content-length")
        if length is None:
            return (_In.OPEN if self._of_responses else _In.HEAD), 0
        if not (length.isascii() and length.isdecimal()) or len(length) > _MOST_DIGITS:
            raise WireError(f"a Content-Length of {length[:40]!r}")
        return (_In.COUNTED if int(length) else _In.HEAD), int(length)

    def _between(self, line: bytes) -> None:
        """A line around chunks."""
        match self._in:
            case _In.BREAK if not line:
                self._in = _In.SIZE
            case _In.SIZE:
                self._left = _size(line)
                self._in = _In.CHUNK if self._left else _In.TRAILER
            case _In.TRAILER:
                self._in = _In.TRAILER if line else _In.HEAD
            case _:
                raise WireError("a chunk that is longer than its size")

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            self._check_length("a line between chunks")
            return None
        return bytes(self._take(end + 2)[:end])

    def _take(self, length: int) -> bytearray:
        taken = self._buffer[:length]
        del self._buffer[:length]
        return taken

    def _check_length(self, what: str) -> None:
        if len(self._buffer) > LONGEST_HEAD:
            raise WireError(f"{what} of more than {LONGEST_HEAD:,} bytes")


def head_of(block: bytes, *, of_response: bool) -> Head:
    """The head that *block* holds, without the empty line behind it."""
    first, *lines = block.decode("latin-1").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < _WORDS:
        words += [""] * (_WORDS - len(words))  # a status line may leave out its reason
    version = words[0] if of_response else words[2]
    if not version.startswith("HTTP/1.") or (of_response and not (words[1].isascii() and words[1].isdecimal())):
        raise WireError(f"a first line of {first[:80]!r}")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise WireError(f"a header line of {line[:80]!r}")
        name, value = name.lower(), value.strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Head((words[0], words[1], words[2]), headers)


def message(first: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """A whole message with this first line; its length is added."""
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    return f"{first}\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def _size(line: bytes) -> int:
    """The size that a chunk's line names, before its extensions."""
    digits = line.split(b";", 1)[0].strip()
    if not digits or len(digits) > _MOST_DIGITS or digits.translate(None, b"0123456789abcdefABCDEF"):
        raise WireError(f"a chunk of size {line[:40].decode('latin-1')!r}")
    return int(digits, 16)
