"""Whether what went wrong was the surroundings': a real service that was busy or out of reach, and not the agent.

Agents meet real services on their own: a model's API, say, whose client raises an error with a status. Such an error is
recognised by its status alone. One that goes back to a fault of ours is the agent's, whatever it looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from passhat.engine.where import where
from passhat.errors import OutOfReach, ToolError

_BUSY = frozenset({429, 503, 529})
_BEYOND = frozenset({502, 504})
_DEEPEST = 20


def outage(error: BaseException) -> OutOfReach | None:
    """What *error* tells of the surroundings; None where it is the agent's own."""
    causes = list(_causes(error))
    if any(isinstance(cause, ToolError) for cause in causes):
        return None
    for cause in causes:
        if isinstance(cause, OutOfReach):
            return cause
        status = _status(cause)
        if status in _BUSY or status in _BEYOND:
            told = f"a service that the agent asked answered {status}: {where(cause)}"
            return OutOfReach(told, busy=status in _BUSY, retry_after=_retry_after(cause))
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """*error* and what it came from."""
    found: BaseException | None = error
    for _ in range(_DEEPEST):
        if found is None:
            return
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def _status(error: BaseException) -> int | None:
    """The status that a client's error carries: its own, or that of the response that it holds."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    return None


def _retry_after(error: BaseException) -> float | None:
    """The seconds that a service asked for, where its error still holds the headers."""
    for holder in (getattr(error, "response", None), error):
        headers: Any = getattr(holder, "headers", None)
        if isinstance(headers, Mapping):
            said = headers.get("retry-after") or headers.get("Retry-After")
            if isinstance(said, str) and said.isascii() and said.isdecimal():
                return float(said)
    return None
