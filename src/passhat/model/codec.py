"""Nouns to JSON and back, with the schema that they were written in.

A document is `{"schema": "1.0", "kind": "trial", "value": …}`. A reader takes every document of its own major
schema, skips fields that it doesn't know, and refuses a newer major.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import msgspec

from passhat.errors import UsageError
from passhat.model import dose, effect, grammar
from passhat.model.answer import Answer, Usage
from passhat.model.comparison import Comparison, Difference
from passhat.model.condition import Condition
from passhat.model.pace import Pace
from passhat.model.reliability import ReliabilitySummary
from passhat.model.run import Cell, Header, Listing, Tally
from passhat.model.summary import Estimate, Row, Summary
from passhat.model.task import Task
from passhat.model.trial import Attempt, Call, Evidence, FaultEvent, Grade, ToolCall, Trial
from passhat.model.verdict import Finding, Verdict

MAJOR, MINOR = 1, 0
T = TypeVar("T")

KINDS: dict[str, Any] = {
    "answer": Answer,
    "attempt": Attempt,
    "call": Call,
    "cell": Cell,
    "comparison": Comparison,
    "condition": Condition,
    "difference": Difference,
    "dose": dose.Dose,
    "effect": effect.Effect,
    "estimate": Estimate,
    "evidence": Evidence,
    "fault_event": FaultEvent,
    "finding": Finding,
    "grade": Grade,
    "header": Header,
    "listing": Listing,
    "pace": Pace,
    "reliability_summary": ReliabilitySummary,
    "row": Row,
    "summary": Summary,
    "tally": Tally,
    "task": Task,
    "term": grammar.Term,
    "tool_call": ToolCall,
    "trial": Trial,
    "usage": Usage,
    "verdict": Verdict,
}
_NAMES: dict[type, str] = {kind: name for name, kind in KINDS.items() if isinstance(kind, type)}
_NAMES |= dict.fromkeys((dose.Rate, dose.Burst, dose.PermanentFrom), "dose")
_NAMES |= dict.fromkeys(get_args(effect.Effect), "effect")


class _Document(msgspec.Struct, frozen=True):
    schema: str
    kind: str
    value: msgspec.Raw


def _written(value: object) -> object:
    if isinstance(value, Condition):
        return value.name
    raise NotImplementedError


def _read(kind: type, value: Any) -> object:  # noqa: ANN401 - msgspec hands over whatever JSON held
    if kind is Condition:
        return Condition.parse(value)
    raise NotImplementedError


def encode(noun: object) -> bytes:
    """*noun* as a JSON document that carries its schema."""
    value = msgspec.Raw(msgspec.json.encode(noun, enc_hook=_written))
    return msgspec.json.encode(_Document(f"{MAJOR}.{MINOR}", _NAMES[type(noun)], value))


def decode(document: bytes | str, kind: type[T]) -> T:
    """The noun of this kind that *document* holds."""
    name = _NAMES.get(kind) or next(name for name, listed in KINDS.items() if listed == kind)
    try:
        read = msgspec.json.decode(document, type=_Document)
        check_schema(read.schema, f"this {name}")
        if read.kind != name:
            raise UsageError(f"expected a {name}, and this is a {read.kind}")
        return msgspec.json.decode(read.value, type=kind, dec_hook=_read)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"this is not a {name} as passhat writes it: {error}") from error


def check_schema(schema: str, what: str) -> None:
    """Refuse what a newer major version wrote."""
    major = schema.partition(".")[0]
    if not major.isdigit():
        raise UsageError(f"{what} carries the schema {schema!r}, which passhat never wrote")
    if int(major) > MAJOR:
        raise UsageError(
            f"{what} was written by a newer passhat (schema {schema}, this one reads up to {MAJOR}.x): upgrade passhat"
        )
