"""A tool's reply for somebody who takes it whole: a model, or an agent at the other end of a connection."""

from __future__ import annotations

from typing import Any


async def replied(asked: Any) -> Any:  # noqa: ANN401 - tools return what they like
    """The reply of a call, awaited where it is to be; one that comes in pieces is whole."""
    reply = await asked if hasattr(asked, "__await__") else asked
    return _whole([piece async for piece in reply]) if hasattr(reply, "__aiter__") else gathered(reply)


def gathered(reply: Any) -> Any:  # noqa: ANN401 - as above
    """The same where nothing is to be awaited."""
    return _whole(list(reply)) if hasattr(reply, "__next__") else reply


def _whole(pieces: list[Any]) -> Any:  # noqa: ANN401 - as above
    """One reply of its *pieces*: a text of texts, and else a list."""
    return "".join(pieces) if pieces and all(isinstance(piece, str) for piece in pieces) else pieces
