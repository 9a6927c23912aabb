"""A service on the loopback that answers as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from passhat.clients.wire import message

Answering = Callable[[dict[str, Any]], bytes]


class Service(BaseHTTPRequestHandler):
    """Answers each POST with the bytes that `answer` makes of it, and closes."""

    answer: ClassVar[Answering]
    asked: ClassVar[list[dict[str, Any]]]

    def do_POST(self) -> None:
        """Answer."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append({"body": body, "headers": dict(self.headers), "path": self.path})
        self.wfile.write(type(self).answer(body))

    def log_message(self, *said: object) -> None:
        """Say nothing."""


@contextmanager
def serving(answer: Answering) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The URL of a service, and what it was asked."""
    asked: list[dict[str, Any]] = []
    kind = type("Service", (Service,), {"answer": staticmethod(answer), "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def http(body: object, *, status: str = "200 OK", kind: str = "application/json", **headers: str) -> bytes:
    """A reply."""
    text = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return message(f"HTTP/1.1 {status}", {"Content-Type": kind, "Connection": "close", **named}, text)
