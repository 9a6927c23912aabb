"""The one door for secrets: what is stored has been through a `Redactor`.

It knows the values of variables that are named like secrets, passwords in URLs, and keys of well-known shapes.
Graders see the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote

import msgspec

T = TypeVar("T")
MASK = b"[redacted]"
SHORTEST = 6
_NAMED = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)(?:_|$)|PASSWORD|SECRET", re.IGNORECASE
)
_PATHLIKE = re.compile(r"[/~.]|[A-Za-z]:\\")

# Each shape is looked for only where its mark stands: a search for a few marks is cheap, the shapes are not.
_SHAPES: Sequence[tuple[bytes, re.Pattern[bytes]]] = (
    (b"sk-", re.compile(rb"\bsk-[A-Za-z0-9_-]{16,}")),
    (b"AKIA", re.compile(rb"\bAKIA[0-9A-Z]{16}\b")),
    (b"AIza", re.compile(rb"\bAIza[0-9A-Za-z_-]{35}")),
    (b"gh", re.compile(rb"\bgh[pousr]_[A-Za-z0-9]{30,}")),
    (b"github_pat_", re.compile(rb"\bgithub_pat_[A-Za-z0-9_]{30,}")),
    (b"glpat-", re.compile(rb"\bglpat-[A-Za-z0-9_-]{16,}")),
    (b"xox", re.compile(rb"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    (b"hf_", re.compile(rb"\bhf_[A-Za-z0-9]{30,}")),
    (b"eyJ", re.compile(rb"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")),
    (b"earer ", re.compile(rb"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{16,}=*")),
    (b"PRIVATE KEY", re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL)),
    (b"://", re.compile(rb"(?<=://)[^\s/@\"'\\:]*:[^\s/@\"'\\]+(?=@)")),
)


class Redactor:
    """Masks secrets in encoded JSON, many documents at a time."""

    __slots__ = ("_secrets", "_values")

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """A redactor that knows these values besides the well-known shapes."""
        forms = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
        self._secrets = sorted(forms, key=len, reverse=True)
        self._values = re.compile(b"|".join(map(re.escape, self._secrets))) if self._secrets else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Redactor:
        """A redactor that knows the values of the variables named like secrets, but not paths to them."""
        named = (value for name, value in environment.items() if _NAMED.search(name))
        return cls(value for value in named if not _PATHLIKE.match(value))

    def mask(self, documents: Sequence[bytes]) -> Sequence[bytes]:
        """The same JSON documents with every secret masked; *documents* itself where there is none."""
        together = b"\n".join(documents)
        shapes = [shape for mark, shape in _SHAPES if mark in together]
        if self._values is not None and any(secret in together for secret in self._secrets):
            shapes.insert(0, self._values)
        if not any(shape.search(together) for shape in shapes):
            return documents
        return [_masked(document, shapes) for document in documents]

    def mask_one(self, document: bytes) -> bytes:
        """One JSON document with every secret masked."""
        return self.mask((document,))[0]


def masked(noun: T, redactor: Redactor) -> T:
    """*noun* with every secret in its texts masked."""
    document = msgspec.json.encode(noun)
    clean = redactor.mask_one(document)
    return noun if clean == document else msgspec.json.decode(clean, type=type(noun))


def _masked(document: bytes, shapes: Sequence[re.Pattern[bytes]]) -> bytes:
    for shape in shapes:
        document = shape.sub(MASK, document)
    return document


def _forms(secret: str) -> set[bytes]:
    """How *secret* may stand in JSON: as a string, as a string within a string, and in a URL."""
    once = msgspec.json.encode(secret)[1:-1]
    twice = msgspec.json.encode(once.decode())[1:-1]
    return {once, twice, quote(secret, safe="").encode()}
