"""The one door for secrets: what is stored has been through a `Redactor`.

It knows the values of variables that are named like secrets, passwords in URLs, and keys of well-known shapes; also
escaped as JSON, Python or a URL does it, and also half of one where a text was cut. Graders see the original.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote, quote_plus

import msgspec

from passhat.model.plain import CUT

T = TypeVar("T")
MASK = "[redacted]"
SHORTEST = 6
PIECE = 8  # so much of a secret's beginning is taken for it where a text was cut
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
# What of a key is left where a text was cut.
_HALF = re.compile(
    "(?:"
    + _START
    + r"(?:sk-|AKIA|AIza|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|eyJ)[A-Za-z0-9_.-]*"
    + r"|(?<=[Bb]earer )[A-Za-z0-9._~+/-]+=*"
    + r"|(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END ).)*)"
    + r"|(?<=://)[^\s/@\"'\\:]*:[^\s/@\"'\\]+"
    + f")(?={re.escape(CUT)})"
)
# Where a text may have been cut: at its end, quotes and brackets aside, or before a mark that says so.
_END = re.compile(rf"…|\.\.\.|\W{{0,8}}(?:\Z|{re.escape(CUT)})")
_TEXT = [(mark, re.compile(shape)) for mark, shape in _SHAPES]
# What may be a hit in the bytes of many documents, looser than the shape itself.
_MAYBE = [(mark.encode(), re.compile(shape.removeprefix(_START).encode())) for mark, shape in _SHAPES]
_STRING = re.compile(rb'("(?:[^"\\]|\\.)*")(:?)', re.DOTALL)
_FIELD = re.compile(r"[a-z_]+")


def named_like_a_secret(name: str) -> bool:
    """True for a variable whose value is taken for a secret."""
    return _NAMED.search(name) is not None


class Redactor:
    """Masks secrets in the texts of encoded JSON, many documents at a time; what is JSON stays JSON."""

    __slots__ = ("_forms", "_heads", "_values")

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """A redactor that knows these values besides the well-known shapes."""
        texts = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
        self._forms = sorted(texts, key=len, reverse=True)
        self._heads = [msgspec.json.encode(head)[1:-1] for head in {form[:PIECE] for form in texts}]
        self._values = re.compile("|".join(map(re.escape, self._forms))) if texts else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], is_there: Callable[[str], bool]) -> Redactor:
        """A redactor that knows the values of the variables named like secrets, but not paths to them.

        A key may look like a path, as base64 does that begins with a slash: a path is what *is_there* finds.
        """
        named = (value for name, value in environment.items() if named_like_a_secret(name))
        return cls(value for value in named if not (_PATHLIKE.match(value) and is_there(value)))

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
        if any(head in document for head in self._heads) or _MARK in document:
            return True
        return any(mark in document and shape.search(document) is not None for mark, shape in _MAYBE)

    def _string(self, found: re.Match[bytes]) -> bytes:
        """One string of a document, masked. A name in lower case before a colon is a field, and stays."""
        text = msgspec.json.decode(found[1], type=str)
        if found[2] and _FIELD.fullmatch(text):
            return found[0]
        clean = text if self._values is None else self._without_pieces(self._values.sub(MASK, text))
        for mark, shape in _TEXT:
            if mark in clean:
                clean = shape.sub(MASK, clean)
        if CUT in clean:
            clean = _HALF.sub(MASK, clean)
        return found[0] if clean == text else msgspec.json.encode(clean) + found[2]

    def _without_pieces(self, text: str) -> str:
        """*text* without the beginnings of secrets that a cut has left in it."""
        spans = sorted(span for form in self._forms for span in _pieces(form, text))
        clean, done = "", 0
        for begin, end in spans:
            if begin >= done:  # else it is within one that began before
                clean += text[done:begin] + MASK
            done = max(done, end)
        return clean + text[done:]


def masked(noun: T, redactor: Redactor) -> T:
    """*noun* with every secret in its texts masked."""
    document = msgspec.json.encode(noun)
    clean = redactor.mask_one(document)
    return noun if clean == document else msgspec.json.decode(clean, type=type(noun))


def _pieces(form: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the beginning of *form* stands in *text*, from and to, and was cut off."""
    at = text.find(form[:PIECE])
    while at >= 0:
        end = at
        for one, other in zip(form, text[at : at + len(form)], strict=False):
            if one != other:
                break
            end += 1
        # The whole of it was masked before. Of the dots that mark a cut, some may be taken for the secret's own.
        stops = (stop for stop in (end, end - 1, end - 2) if at + PIECE <= stop < at + len(form))
        if any(_END.match(text, stop) for stop in stops):
            yield at, end
        at = text.find(form[:PIECE], at + 1)


def _forms(secret: str) -> set[str]:
    """How *secret* may stand in a text: as it is, escaped once or twice, and in a URL."""
    known = secret.encode("utf-8", "backslashreplace").decode()  # what UTF-8 has no bytes for is stored like this
    once = {escaped(known) for escaped in _ESCAPES}
    twice = {escaped(form) for form in once for escaped in _ESCAPES}
    return {known, *once, *twice, quote(known), quote(known, safe=""), quote_plus(known)}


def _as_json(text: str) -> str:
    return msgspec.json.encode(text)[1:-1].decode()


def _as_ascii_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _as_python(text: str) -> str:
    """As `repr` shows it, where the whole stands in the other quotes."""
    return "".join(repr(char)[1:-1] for char in text)


def _as_quoted_python(text: str) -> str:
    """As `repr` shows it, where both quotes stand in the whole."""
    return _as_python(text).replace("'", "\\'")


_ESCAPES = (_as_json, _as_ascii_json, _as_python, _as_quoted_python)
_MARK = CUT.encode()
