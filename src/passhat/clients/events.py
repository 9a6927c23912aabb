"""Server-sent events: what a service streams, taken apart as it arrives. No I/O lives here."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator

from passhat.clients.wire import WireError

LONGEST_EVENT = 16 * 1024 * 1024


async def events(pieces: AsyncIterable[bytes], *, most: int = LONGEST_EVENT) -> AsyncIterator[str]:
    """The data of each event; `WireError` where all of them are more than *most* bytes. The last may lack its end."""
    buffer = b""
    data: list[str] = []
    size = 0
    async for piece in pieces:
        size += len(piece)
        if size > most:
            raise WireError(f"a stream of more than {most:,} bytes")
        *lines, buffer = (buffer + piece).split(b"\n")
        for line in lines:
            if (event := _took(line.rstrip(b"\r"), data)) is not None:
                yield event
    _took(buffer.rstrip(b"\r"), data)
    if data:
        yield "\n".join(data)


def _took(line: bytes, data: list[str]) -> str | None:
    """Take one line into *data*; an empty one ends an event, and gives it."""
    if not line:
        event = "\n".join(data) if data else None
        data.clear()
        return event
    field, _, value = line.partition(b":")
    if field == b"data":
        data.append(value.removeprefix(b" ").decode(errors="replace"))
    return None
