"""Digests: a short name for content, so that two runs can be compared only where they are the same thing."""

from __future__ import annotations

from hashlib import blake2b

import msgspec


def digest(value: object) -> str:
    """Twenty hexadecimal digits that name *value*: equal for equal JSON content, whatever its key order."""
    return blake2b(msgspec.json.encode(value, order="sorted"), digest_size=10).hexdigest()
