"""What the checks read a part's values with: as text, back from text, and for words that give a test away."""

from __future__ import annotations

import re

import msgspec

from passhat.errors import UsageError
from passhat.model.codec import decode, encode

# An agent that reads one of these knows that it is being tested.
TELLTALE = re.compile(r"(?<![a-z])(?:injected|simulated|chaos|faults?)(?![a-z])", re.IGNORECASE)


def as_text(value: object) -> str:
    """*value* as JSON; what is none is shown as it describes itself."""
    return msgspec.json.encode(value, enc_hook=repr).decode()


def comes_back(noun: object, kind: type) -> bool:
    """True where *noun* can be written as JSON and read back as the same."""
    try:
        return bool(decode(encode(noun), kind) == noun)
    except (TypeError, ValueError, RuntimeError, UsageError):
        return False
