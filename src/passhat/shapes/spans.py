"""Protected spans: the pieces of a text that carry its meaning, and that no change of wording may touch.

Numbers, ids, money, dates, addresses, quoted text, names in the middle of a sentence, negations and comparators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PROTECTED = re.compile(
    r"""
    "[^"]*" | “[^”]*” | `[^`]*` | (?<!\w)'[^']+'(?!\w)           # quoted
    | \b[\w.+-]+@[\w-]+\.[\w.-]+\b | \bhttps?://\S+             # addresses
    | [$€£¥]\s?\d[\d.,]* | [#@]?\w*\d[\w./:,%-]*                # money, numbers, ids, dates, times
    | \b\w+(?:_\w+)+\b | \b[A-Z]{2,}\b                          # identifiers, acronyms
    | \b(?:not?|never|none|nothing|without|except|unless|only|cannot|\w+n['’]t)\b
    | \b(?:than|least|most|more|less|fewer|before|after|until|under|over|above|below|between|within|exactly|and|or)\b
    | (?<=[a-z,;]\ )[A-Z][a-z]+(?:\ [A-Z][a-z]+)*               # names within a sentence
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[A-Za-z]+")


def protected(text: str) -> tuple[str, ...]:
    """The protected spans of *text*, in order."""
    return tuple(match[0] for match in _PROTECTED.finditer(text))


def free_words(text: str, *, shortest: int) -> Iterator[tuple[int, int]]:
    """Where the words stand that may be changed: of at least *shortest* letters, outside every protected span."""
    taken = [match.span() for match in _PROTECTED.finditer(text)]
    for word in _WORD.finditer(text):
        start, end = word.span()
        if end - start >= shortest and not any(start < last and first < end for first, last in taken):
            yield start, end
