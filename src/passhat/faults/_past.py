"""What a fault can know of the trial so far: what upstream has said to the calls before this one."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.model.base import Json
from passhat.model.plain import encoded_alike
from passhat.model.trial import Call, ToolCall


def answered(call: Call) -> Iterator[tuple[ToolCall, Json]]:
    """The earlier calls that upstream has answered, the oldest first, each with upstream's own reply."""
    for past in sorted(call.history, key=lambda one: one.step):
        if past.executed and (past.ok or past.upstream is not None):
            yield past, past.reply if past.upstream is None else past.upstream


def versions(call: Call) -> list[Json]:
    """What upstream has said to this very call before, the oldest first; a reply that repeats counts once."""
    found: list[Json] = []
    for past, reply in answered(call):
        if same_call(past, call) and not (found and encoded_alike(found[-1], reply)):
            found.append(reply)
    return found


def same_call(past: ToolCall, call: Call) -> bool:
    """True where *past* asked the same tool for the same."""
    return past.tool == call.tool and encoded_alike(dict(past.arguments), dict(call.arguments))
