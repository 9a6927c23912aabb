"""A wire between a client and the PostgreSQL server that can be cut just where it hurts: around a commit."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

_COMMIT = b"COMMIT"
_BYTES = 1 << 16
LIMIT = 60.0


class Wire:
    """Passes on what client and server say. Armed, it cuts the next commit: `before` it, or `after`, its answer lost.

    Only that one connection is cut; whoever connects anew is served.
    """

    def __init__(self, port: int) -> None:
        """A wire to the server on this port of the loopback."""
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._cut = ""
        self._meanwhile: Callable[[], object] = int
        self._open: list[socket.socket] = []
        self.cuts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        """Where clients connect."""
        return int(self._listener.getsockname()[1])

    def cut(self, when: str, *, meanwhile: Callable[[], object] = int) -> None:
        """Cut the next commit, `before` it reaches the server or `after` the server has carried it out.

        *meanwhile* is done before the client is connected again.
        """
        self._cut, self._meanwhile = when, meanwhile

    def close(self) -> None:
        """End every connection, and take no more."""
        for each in [self._listener, *self._open]:
            each.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.cuts:
                    self._meanwhile()
                server = socket.create_connection(("127.0.0.1", self._port), timeout=LIMIT)
                self._open += [client, server]
                threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
                threading.Thread(target=self._back, args=(server, client), daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        """What the client says, until it or the wire ends; a commit may be the end."""
        with suppress(OSError):
            while said := client.recv(_BYTES):
                when = self._cut if _COMMIT in said else ""
                if when:
                    self._cut, self.cuts = "", self.cuts + 1
                    client.shutdown(socket.SHUT_RDWR)  # first, so that no answer comes through
                if when != "before":
                    server.sendall(said)
                if when:
                    break
        with suppress(OSError):
            server.shutdown(socket.SHUT_WR)  # the server reads to the end: it carries out what it was sent

    def _back(self, server: socket.socket, client: socket.socket) -> None:
        """What the server says."""
        with suppress(OSError):
            while said := server.recv(_BYTES):
                client.sendall(said)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
