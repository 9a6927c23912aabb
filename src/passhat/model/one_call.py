"""Several tool calls that are one call of the agent's: where a layer below the agent tries again by itself.

A client that retries makes three calls where its user made one. Who stands above that layer, a framework's hook or the
author of an agent, says so with `one_call`, and the guard writes down which calls belong together. It is a note on the
way that a call takes, carried in its context; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextvars import ContextVar, Token
from types import TracebackType

from passhat.errors import UsageError

INSIDE: ContextVar[Hashable | None] = ContextVar("passhat_one_call", default=None)


class OneCall:
    """While it is entered, tool calls are one call of the agent's. Within another it changes nothing."""

    __slots__ = ("_call", "_tokens")

    def __init__(self, call: Hashable) -> None:
        """The agent's call with this id."""
        self._call = call
        self._tokens: list[Token[Hashable | None] | None] = []

    def __enter__(self) -> None:
        """Begin; what stands around it all is the agent's call."""
        self._tokens.append(INSIDE.set(self._call) if INSIDE.get() is None else None)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End it; an error passes."""
        token = self._tokens.pop()
        if token is not None:
            INSIDE.reset(token)


def one_call(call_id: str | int | None = None) -> OneCall:
    """A block in which all tool calls are one call of the agent's: put it around a client that retries by itself.

        with one_call():
            reply = client.refund(order=7)  # tries again after a 429, and the agent never hears of it

    *call_id*, such as the id of a model's tool call, joins blocks of one trial: those of one id are one call. Without
    it each block is a call of its own. It goes with the context: tasks that are begun in the block are in it, and so
    is `asyncio.to_thread`; a thread that is started by hand is not.
    """
    if call_id is None:
        return OneCall(object())
    if not isinstance(call_id, str | int):
        raise UsageError(f"one_call: an id is a text or a number, not {call_id!r:.80}")
    return OneCall(call_id)
