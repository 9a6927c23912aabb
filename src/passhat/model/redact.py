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
MASK = "[redacted]"
SHORTEST = 6
_NAMED = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)(?:_|$)|PASSWORD|SECRET", re.IGNORECASE
)
_PATHLIKE = re.compile(r"(?:~|\.{1,2})?/|[A-Za-z]:\\")

# A key begins where a word does; within JSON that stands in a text, that is also after an escape such as \n.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrt]))"
# Each shape is looked for only where its mark stands: a search for a few marks is cheap, the shapes are not.
_SHAPES: Sequence[tuple[str, str]] = (
    ("sk-", _START + r"sk-[A-Za-z0-9_-]{16,}"),
    ("AKIA", _START + r"AKIA[0-9A-Z]{16}(?![A-Za-z0-9_])"),
    ("AIza", _START + r"AIza[0-9A-Za-z_-]{35}"),
    ("gh", _START + r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github_pat_", _START + r"github_pat_[A-Za-z0-9_]{30,}"),
    ("glpat-", _START + r"glpat-[A-Za-z0-9_-]{16,}"),
    ("xox", _START + r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("hf_", _START + r"hf_[A-Za-z0-9]{30,}"),
    ("eyJ", _START + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("earer ", r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{16,}=*"),
    ("PRIVATE KEY", r"(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----)"),
    ("://", r"(?<=://)[^\s/@\"'\\:]*:[^\s/@\"'\\]+(?=@)"),
)
_TEXT = [(mark, re.compile(shape)) for mark, shape in _SHAPES]
# What may be a hit in the bytes of many documents, looser than the shape itself.
_MAYBE = [(mark.encode(), re.compile(shape.removeprefix(_START).encode())) for mark, shape in _SHAPES]
_STRING = re.compile(rb'("(?:[^"\\]|\\.)*")(:?)', re.DOTALL)
_FIELD = re.compile(r"[a-z_]+")


class Redactor:
    """Masks secrets in the texts of encoded JSON, many documents at a time; what is JSON stays JSON."""

    __slots__ = ("_forms", "_values")

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """A redactor that knows these values besides the well-known shapes."""
        texts = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
        longest_first = sorted(texts, key=len, reverse=True)
        self._forms = [msgspec.json.encode(text)[1:-1] for text in longest_first]
        self._values = re.compile("|".join(map(re.escape, longest_first))) if texts else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Redactor:
        """A redactor that knows the values of the variables named like secrets, but not paths to them."""
        named = (value for name, value in environment.items() if _NAMED.search(name))
        return cls(value for value in named if not _PATHLIKE.match(value))

    def mask(self, documents: Sequence[bytes]) -> Sequence[bytes]:
        """The same JSON documents with every secret masked; *documents* itself where there is none."""
        if not self._may_hold(b"\n".join(documents)):
            return documents
        return [_STRING.sub(self._string, document) if self._may_hold(document) else document for document in documents]

    def mask_one(self, document: bytes) -> bytes:
        """One JSON document with every secret masked."""
        return self.mask((document,))[0]

    def _may_hold(self, document: bytes) -> bool:
        """False where there is surely no secret."""
        if any(form in document for form in self._forms):
            return True
        return any(mark in document and shape.search(document) is not None for mark, shape in _MAYBE)

    def _string(self, found: re.Match[bytes]) -> bytes:
        """One string of a document, masked. A name in lower case before a colon is a field, and stays."""
        text = msgspec.json.decode(found[1], type=str)
        if found[2] and _FIELD.fullmatch(text):
            return found[0]
        clean = text if self._values is None else self._values.sub(MASK, text)
        for mark, shape in _TEXT:
            if mark in clean:
                clean = shape.sub(MASK, clean)
        return found[0] if clean == text else msgspec.json.encode(clean) + found[2]


def masked(noun: T, redactor: Redactor) -> T:
    """*noun* with every secret in its texts masked."""
    document = msgspec.json.encode(noun)
    clean = redactor.mask_one(document)
    return noun if clean == document else msgspec.json.decode(clean, type=type(noun))


def _forms(secret: str) -> set[str]:
    """How *secret* may stand in a text: as it is, within JSON, within JSON within JSON, and in a URL."""
    once = msgspec.json.encode(secret)[1:-1].decode()
    twice = msgspec.json.encode(once)[1:-1].decode()
    return {secret, once, twice, quote(secret, safe="")}
