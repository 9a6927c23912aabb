"""One child process and all that it starts: fed, listened to, and ended whole. It knows nothing of agents.

The process leads a group of its own. Whatever of that group still runs when the process has ended, or when nobody
wants it any more, is killed with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from passhat.model.plain import CUT

_STDIN, _STDOUT, _STDERR = range(3)
_GRACE = 1.0
_FIRST, _LAST = 3_000, 6_500  # the characters kept of what it says on the side: why it broke down stands at the end


class TooMuch(Exception):
    """The process wrote more than it may."""


class Ended(NamedTuple):
    """What came of a process. A code below zero is the signal that killed it."""

    code: int
    out: bytes
    err: str


async def carried_out(
    argv: Sequence[str], *, stdin: bytes, environment: Mapping[str, str], folder: str | None, most: int
) -> Ended:
    """Run *argv* to its end. `TooMuch` where it writes more than *most* bytes; cancelling kills it and all its own."""
    loop = asyncio.get_running_loop()
    transport, process = await loop.subprocess_exec(
        lambda: _Process(most), *argv, env=dict(environment), cwd=folder, start_new_session=True
    )
    process.feed(stdin)
    try:
        await process.ended
    except asyncio.CancelledError:
        process.kill()
        await process.gone
        raise
    finally:
        transport.close()
    if process.overfull:
        raise TooMuch
    return Ended(transport.get_returncode() or 0, bytes(process.out), str(process.err))


class _Process(asyncio.SubprocessProtocol):
    """Collects what one process writes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._transport: asyncio.SubprocessTransport | None = None
        self._loop = asyncio.get_running_loop()
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self.out = bytearray()
        self.err = _Aside()
        self.overfull = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # a process's, as subprocess_exec makes it

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDERR:
            self.err.write(data)
        elif not self.overfull:
            self.out += data
            self.overfull = len(self.out) > self._most
            if self.overfull:
                self.kill()

    def process_exited(self) -> None:
        self.kill()  # what it left behind would keep its pipes open
        self.gone.set_result(None)
        self._loop.call_later(_GRACE, self._end)  # and so does a child that left the group

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()

    def _end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def feed(self, data: bytes) -> None:
        """Give it its input, as far as it wants to read it."""
        pipe = self._transport.get_pipe_transport(_STDIN) if self._transport is not None else None
        if isinstance(pipe, asyncio.WriteTransport):
            if data:
                pipe.write(data)
            pipe.close()

    def kill(self) -> None:
        """Kill it, and all that it started."""
        if self._transport is not None:
            with suppress(ProcessLookupError, PermissionError):  # the group is gone, or only zombies are left of it
                os.killpg(self._transport.get_pid(), signal.SIGKILL)


class _Aside:
    """What a process says on the side: the beginning and the end of it."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._length = 0

    def write(self, data: bytes) -> None:
        self._length += len(data)
        room = max(0, _FIRST - len(self._first))
        self._first += data[:room]
        self._last += data[room:]
        if len(self._last) > 2 * _LAST:
            del self._last[:-_LAST]

    def __str__(self) -> str:
        first, last = self._first.decode(errors="replace"), self._last[-_LAST:].decode(errors="replace")
        left_out = self._length - len(self._first) - min(len(self._last), _LAST)
        return f"{first}{CUT}{left_out:,} bytes left out)\n{last}" if left_out else first + last
