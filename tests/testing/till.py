"""A till: a world with one tool that writes and one that reads, whose writes fail as a test wants them to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.testing import Scripted


class Till:
    """Takes payments. `pre` names the calls of `pay` that are refused, `post` those whose reply is lost."""

    def __init__(self, *, pre: Sequence[int] = (), post: Sequence[int] = (), reads_fail: int = 0) -> None:
        """An empty till; its first *reads_fail* reads fail."""
        self.paid: list[int] = []
        self.trace: list[str] = []
        self.keys: list[object] = []
        self._pre = pre
        self._post = post
        self._reads_fail = reads_fail

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """One tool, as an attribute."""
        return partial(self.call, name)

    async def call(self, name: str, /, **arguments: Any) -> Any:  # noqa: ANN401 - tools return what they like
        """Call one tool."""
        self.trace.append(name)
        ordinal = self.trace.count(name)
        if "idempotency_key" in arguments:
            self.keys.append(arguments["idempotency_key"])
        if name == "payments":
            if ordinal <= self._reads_fail:
                raise ToolError("server_error", "503 Service Unavailable")
            return list(self.paid)
        if ordinal in self._pre:
            raise ToolError("rate_limit", "429 Too Many Requests. Retry-After: 0", retry_after=0)
        self.paid.append(arguments["amount"])
        if ordinal in self._post:
            raise ToolError("timeout", "504 Gateway Timeout")
        return {"paid": arguments["amount"]}


def ask(agent: Scripted, till: Till) -> Answer:
    """Ask *agent* to pay at *till*."""
    return asyncio.run(agent("Please pay 5.", till))
