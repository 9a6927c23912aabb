"""Foreign text made harmless: one function a sink. Names, reasons and answers may hold anything.

A terminal must not obey them, GitHub must not format or notify, and JSON must stay JSON in every reader. What
is replaced stays visible, as an escape that a person can read.
"""

from __future__ import annotations

import re
import unicodedata

from passhat.model.plain import clipped

LONGEST = 2_000
_MARKS_IN_A_ROW = 3
_SLACK = 100  # for the words that say how long a text was
_PRESENTATION = frozenset("\ufe0e\ufe0f")
_NOT_ASCII = re.compile(r"[^\x00-\x7e]")
_FOR_ENTITIES = re.compile(r"[!-/:-@\[-`{-~]")
_NOT_FOR_A_SPAN = re.compile(r"[`|\\]|^ | $|^$")
_PROSE = re.compile(r"(?!.*(?:www\.|\bGH-\d|://))[\w .,;:()\[\]%=^<>+\"'’“”–−×·…&/-]*", re.ASCII | re.IGNORECASE)


def for_terminal(text: str, *, longest: int = LONGEST) -> str:
    """*text* on one line, without control or direction characters, cut where it is endless."""
    text = clipped(text, longest)
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for char in text:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        shown.append(_escaped(char) if marks > _MARKS_IN_A_ROW else _visible(char, kind))
    whole = "".join(shown)
    room = longest + _SLACK
    return whole if len(whole) <= room else f"{whole[:room]}…"


def for_markdown(text: str, *, longest: int = LONGEST) -> str:
    """*text* as inline code: inert in a paragraph, a list and a cell; it mentions nobody, loads nothing."""
    harmless = for_terminal(text, longest=longest)
    return f"<code>{_entities(harmless)}</code>" if _NOT_FOR_A_SPAN.search(harmless) else f"`{harmless}`"


def for_markdown_prose(text: str, *, longest: int = LONGEST) -> str:
    """A sentence as it stands, where it is plainly one; as inline code otherwise."""
    harmless = for_terminal(text, longest=longest)
    if not _PROSE.fullmatch(harmless):
        return for_markdown(text, longest=longest)
    harmless = harmless.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"[\[\]_]", r"\\\g<0>", harmless)


def for_html(text: str, *, longest: int = LONGEST) -> str:
    """*text* within an HTML element."""
    return f"<code>{_entities(for_terminal(text, longest=longest))}</code>"


def for_json(document: str) -> str:
    """A JSON document in ASCII alone, so that no terminal obeys a character in it; its value is the same."""
    return document if document.isascii() and "\x7f" not in document else _NOT_ASCII.sub(json_escape, document)


def _visible(char: str, kind: str) -> str:
    if kind == "Zs":
        return " "
    if char in _PRESENTATION:
        return ""
    return _escaped(char) if kind in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else char


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def _entities(text: str) -> str:
    return _FOR_ENTITIES.sub(lambda match: f"&#{ord(match[0])};", text)


def json_escape(match: re.Match[str]) -> str:
    """A character in a JSON document as JSON's own escape."""
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
