"""JSON from strangers: read strictly, and where it cannot be read, one sentence that says what and where.

A key that stands twice in one object, and nesting without end, are refused: either would let a part of the log be
lost in silence. What the values mean is the formats' business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NoReturn

import msgspec

from passhat.errors import UsageError
from passhat.model.plain import mended

MOST_LEVELS = 100
_CONTAINERS = (dict, list)
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_STRINGS_AND_BRACES = re.compile(r'(?P<string>"(?:[^"\\]++|\\.)*+")(?P<colon>\s*+:)?|[{}]', re.DOTALL)
_HALF_A_PAIR = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
_SPACE = re.compile(r"[ \t\r\n]*+")
_TOO_DEEP = f"this is not JSON that can be kept: it is nested more than {MOST_LEVELS} levels deep"


class NotReadable(Exception):
    """A text that is not the JSON that is wanted: a sentence, and the line that it is about."""

    def __init__(self, sentence: str, line: int = 1) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.line = line


class _Repeated(ValueError):
    """A key that stands twice in one object."""


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return made


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


# Python's own tools write NaN into their files. A document keeps it as data, and refuses it where a number is needed.
_DOCUMENT = json.JSONDecoder(object_pairs_hook=_object)
_LINE = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def document(text: str, source: str) -> object:
    """The one JSON value that *text* is, or an error that says where it is not."""
    try:
        return _whole(text.removeprefix("\ufeff"), _DOCUMENT)
    except NotReadable as error:
        raise UsageError(f"{source}:{error.line}: {error.sentence}") from None


def is_list(text: str) -> bool:
    """True where *text* begins as a JSON list does."""
    text = text.removeprefix("\ufeff")
    return text.startswith("[", _after_space(text, 0))


def rows(text: str, source: str) -> Iterator[object]:
    """The values of the JSON list that *text* is, one after the other: a long list is never in memory as a whole."""
    try:
        yield from _rows(text.removeprefix("\ufeff"))
    except NotReadable as error:
        raise UsageError(f"{source}:{error.line}: {error.sentence}") from None


def one_line(text: str) -> object:
    """The JSON value that one line of a log is."""
    value = _whole(text, _LINE)
    if "\\u" in text and not _encodes(json.dumps(value, ensure_ascii=False)):
        raise NotReadable("this is not JSON: half of a surrogate pair, as \\ud83d alone, is no character")
    return value


def _whole(text: str, decoder: json.JSONDecoder) -> object:
    value, end = _value(text, _after_space(text, 0), decoder)
    _refuse_more(text, end)
    return value


def _rows(text: str) -> Iterator[object]:
    at = _after_space(text, 0) + 1
    more = not text.startswith("]", _after_space(text, at))
    while more:
        value, at = _value(text, _after_space(text, at), _DOCUMENT)
        yield value
        at = _after_space(text, at)
        more = text.startswith(",", at)
        if not (more or text.startswith("]", at)):
            error = json.JSONDecodeError("Expecting ',' or ']'", text, at)
            raise NotReadable(_why(text, error), error.lineno)
        at += more
    _refuse_more(text, _after_space(text, at) + 1)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _refuse_more(text: str, end: int) -> None:
    """Refuse what stands behind the end of the value."""
    rest = _after_space(text, end)
    if rest < len(text):
        line = text.count("\n", 0, rest) + 1
        raise NotReadable("this is not one JSON value: another begins here; a value a line is the format jsonl", line)


def _value(text: str, at: int, decoder: json.JSONDecoder) -> tuple[object, int]:
    """The value that begins at *at*, and where it ends."""
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise NotReadable(_why(text, error), error.lineno) from None
    except _Repeated as error:
        line = _line_of_repeated(text, at)
        raise NotReadable(f"the key {str(error)!r:.80} stands twice in one object", line) from None
    except (ValueError, RecursionError) as error:
        sentence = _TOO_DEEP if isinstance(error, RecursionError) else f"this is not JSON: {error}"
        raise NotReadable(sentence, text.count("\n", 0, at) + 1) from None
    if is_deeper(value, MOST_LEVELS):
        raise NotReadable(_TOO_DEEP, text.count("\n", 0, at) + 1)
    if decoder is _DOCUMENT and _may_hold_half_a_pair(text[at:end]):
        value = mended(value)  # a model may well have said half a pair: it is written out, so that it can be kept
    return value, end


def _why(text: str, error: json.JSONDecodeError) -> str:
    """What keeps *text* from being JSON."""
    start = text[:1_000].lstrip()
    if not start and not text.strip():
        return "it is empty"
    if start.startswith("<"):
        return "this is not JSON but HTML or XML: was a page saved instead of the file?"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"this is not JSON to its end: it breaks off, in column {error.colno:,}; was it cut?"
    return f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]} in column {error.colno:,}"


def is_deeper(value: object, levels: int) -> bool:
    """True where containers stand in each other more than *levels* deep; level by level, so that no depth harms."""
    level: list[Any] = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(levels):
        values = (each.values() if isinstance(each, dict) else each for each in level)
        level = [item for item in chain.from_iterable(values) if isinstance(item, _CONTAINERS)]
        if not level:
            return False
    return bool(level)


def _may_hold_half_a_pair(text: str) -> bool:
    """False where there is surely none; the whole value need not be looked at to know it."""
    if not text.isascii() and not _encodes(text):
        return True
    return ("\\ud" in text or "\\uD" in text) and _HALF_A_PAIR.search(text) is not None


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _line_of_repeated(text: str, at: int) -> int:
    """The line of the first key that its object had already. Slow, and only walked where there is one."""
    open_objects: list[set[str]] = []
    for token in _STRINGS_AND_BRACES.finditer(text, at):
        if token["string"] is None:
            if token[0] == "{":
                open_objects.append(set())
            else:
                open_objects.pop()
        elif token["colon"]:
            key = json.loads(token["string"], strict=False)
            if key in open_objects[-1]:
                return text.count("\n", 0, token.start()) + 1
            open_objects[-1].add(key)
    return 1


def said(error: msgspec.ValidationError) -> str:
    """What msgspec complains of in the words of JSON, the field first."""
    what, _, field = str(error).partition(" - at `$")
    if missing := re.search(r"missing required field `(\w+)`", what):
        where = field.rstrip("`").removeprefix(".")
        return f"{where!r} has no {missing[1]!r}" if where else f"it has no {missing[1]!r}"
    words = re.sub(r"`([\w |]+)`", lambda kinds: _kinds(kinds[1]), what)
    where = field.rstrip("`").removeprefix(".")
    return f"{where!r}: {words[:1].lower()}{words[1:]}" if where else f"{words[:1].lower()}{words[1:]}"


def _kinds(written: str) -> str:
    """`int | null` in words; that null is as good as nothing need not be said."""
    kinds = written.split(" | ")
    return " or ".join(_WORDS.get(kind, kind) for kind in kinds if kind != "null" or len(kinds) == 1)
