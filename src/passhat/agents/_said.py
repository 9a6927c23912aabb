"""What an agent outside of this process gives back, read as an answer.

A JSON object with an `output` is an answer with all its fields; anything else is the output itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from passhat.errors import AgentFailed
from passhat.model.answer import Answer, Usage
from passhat.model.plain import clipped, described

_SHOWN = 200
_FIELDS = ("output", "claims_success", "handoff", "usage")


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    output: Any
    claims_success: bool | None = None
    handoff: bool = False
    usage: Usage | None = None


def from_json(document: bytes, *, who: str) -> Answer:
    """The answer that a JSON document is; *who* names where it came from."""
    try:
        said = msgspec.json.decode(document)
    except (msgspec.DecodeError, RecursionError) as error:
        shown = clipped(document[:_SHOWN].decode(errors="replace").strip(), _SHOWN)
        raise AgentFailed(f"{who} is no JSON ({error}): {shown!r}" if shown else f"{who} is empty") from None
    return as_said(said, who=who)


def as_said(said: object, *, who: str) -> Answer:
    """The answer that a value is."""
    if not isinstance(said, Mapping) or "output" not in said:
        return Answer(said)
    try:
        told = msgspec.convert(said, _Said)
    except msgspec.ValidationError as error:
        raise AgentFailed(f"{who} has an output beside what is no answer ({error}); it may have {_named()}") from None
    return Answer(told.output, claims_success=told.claims_success, handoff=told.handoff, usage=told.usage)


def _named() -> str:
    return f"{', '.join(_FIELDS[:-1])} and {_FIELDS[-1]}"


def shown(value: object) -> str:
    """*value* for an error's sentence."""
    return described(value, _SHOWN)
