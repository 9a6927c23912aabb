"""Lines for a terminal: how wide a text is, cutting, wrapping, columns; colour comes last, and rich adds it.

Widths come from the Unicode database and not from rich, which asks the environment for its version. Text that
gets here is already escaped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Span, ...]

NARROWEST = 72
WIDEST_PROSE = 100
CUT = "…"
GLUE = "\u00a0"  # a space at which no line is broken; escaped text holds none


def cells(text: str) -> int:
    """How many columns *text* takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def fit(text: str, room: int) -> str:
    """*text* within *room* columns; a … stands for what is missing."""
    if len(text) <= room and cells(text) <= room:
        return text
    kept, taken = [], 1
    for char in text:
        taken += _cell(char)
        if taken > room:
            break
        kept.append(char)
    return "".join(kept) + CUT


def squeeze(text: str, room: int) -> str:
    """*text* within *room* columns; a … stands in its middle, because names differ at their ends."""
    if len(text) <= room and cells(text) <= room:
        return text
    tail: list[str] = []
    for char in reversed(text):
        if sum(map(_cell, tail)) + _cell(char) > (room - 1) // 2:
            break
        tail.append(char)
    head = fit(text, room - sum(map(_cell, tail)))
    return head + "".join(reversed(tail))


def wrap(text: str, room: int) -> list[str]:
    """*text* on lines of at most *room* columns, broken at spaces where it can be."""
    lines, line, taken = [], "", 0
    for word in text.replace(" · ", f"{GLUE}· ").replace(" %", f"{GLUE}%").split(" "):
        for piece in _pieces(word, room):
            wide = cells(piece)
            if line and taken + 1 + wide > room:
                lines.append(line)
                line, taken = piece, wide
            else:
                line, taken = (f"{line} {piece}", taken + 1 + wide) if line else (piece, wide)
    return [one.replace(GLUE, " ") for one in (*lines, line)]


def prose(text: str, width: int, *, label: Span = ("  ", ""), style: str = "") -> Iterator[Line]:
    """*text* wrapped beside a label, below which it hangs."""
    hang = cells(label[0])
    for i, line in enumerate(wrap(text, max(10, min(width, WIDEST_PROSE) - hang))):
        yield (label if i == 0 else (" " * hang, ""), (line, style))


def columns(
    texts: Sequence[Sequence[Span]], widths: Sequence[int], *, gaps: Sequence[int] | None = None
) -> Iterator[Line]:
    """Cells side by side: of one span they wrap, of several they must fit; below 0 a width aligns right.

    Before each stands a gap, of 2 where *gaps* doesn't say otherwise.
    """
    wrapped = [_stacked(spans, abs(width)) for spans, width in zip(texts, widths, strict=True)]
    for row in range(max(map(len, wrapped))):
        line: list[Span] = []
        for stack, width, gap in zip(wrapped, widths, gaps or [2] * len(widths), strict=True):
            spans = stack[row] if row < len(stack) else ()
            blank = (" " * max(0, abs(width) - sum(cells(text) for text, _ in spans)), "")
            line += [(" " * gap, ""), *([blank, *spans] if width < 0 else [*spans, blank])]
        yield tuple(line)


def paint(lines: Iterable[Line], *, colour: bool) -> str:
    """The lines as text; in colour, with the escapes of the eight standard colours."""
    if not colour:
        return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)
    from rich.color import ColorSystem
    from rich.style import Style

    def painted(span: Span) -> str:
        text, style = span
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD) if style and text else text

    return "".join("".join(map(painted, line)).rstrip(" ") + "\n" for line in lines)


def _stacked(spans: Sequence[Span], room: int) -> list[Line]:
    if len(spans) != 1:
        return [tuple(spans)]
    text, style = spans[0]
    return [((line, style),) for line in wrap(text, room)]


def _pieces(word: str, room: int) -> Iterator[str]:
    """A word, in pieces where it is wider than the room."""
    if len(word) <= room and cells(word) <= room:
        yield word
        return
    piece, taken = "", 0
    for char in word:
        if taken + _cell(char) > room:
            yield piece
            piece, taken = "", 0
        piece, taken = piece + char, taken + _cell(char)
    yield piece


def _cell(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
