"""How an agent reads a request: words to clauses. Pure: no tools, no dice.

A clause is one verb and what stands near it. `read` knows a small vocabulary, and a reader is either hasty
(the first letters of a word must be right) or close (a mistyped word is taken for the most similar one).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from itertools import pairwise

VERBS = {
    "refund": "refund",
    "cancel": "cancel",
    "send": "send",
    "add": "add",
    "put": "add",
    "take": "remove",
    "remove": "remove",
    "check": "checkout",
}
GOODS = {
    "mug": "mug",
    "mugs": "mug",
    "tea": "tea",
    "lamp": "lamp",
    "lamps": "lamp",
    "notebook": "notebook",
    "notebooks": "notebook",
    "kettle": "kettle",
    "scarf": "scarf",
    "scarves": "scarf",
}
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
OTHERWISE = "otherwise"
LATEST = "latest"
STOCK = "stock"
_MARKS = {OTHERWISE: OTHERWISE, LATEST: LATEST, STOCK: STOCK}

_TOKEN = re.compile(r"[\w.+-]+@[\w-]+\.\w+|'[^']*'|[A-Za-z]+|\d+")
_FIRST_ORDER = 1_000
_LETTERS = 4
_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Item:
    """So many of a product."""

    product: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Clause:
    """Something to do, and what it is done with; `otherwise` where it is the way out of the one before."""

    verb: str
    items: tuple[Item, ...] = ()
    otherwise: bool = False
    up_to_stock: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What a text asks for."""

    clauses: tuple[Clause, ...]
    orders: tuple[int, ...] = ()
    latest: bool = False
    email: str = ""
    address: str = ""


def read(text: str, *, closely: bool) -> Request:
    """The request that *text* makes; it has no clauses where the reader finds no verb that it knows."""
    tokens = _TOKEN.findall(text)
    verbs, goods, marks = (_known(tokens, words, closely=closely) for words in (VERBS, GOODS, _MARKS))
    starts = [at for at, verb in enumerate(verbs) if verb]
    clauses = tuple(
        Clause(
            verbs[start],
            items=_items(tokens[start:end], goods[start:end]),
            otherwise=start > 0 and marks[start - 1] == OTHERWISE,
            up_to_stock=STOCK in marks[start:end],
        )
        for start, end in pairwise((*starts, len(tokens)))
    )
    return Request(
        clauses,
        orders=tuple(int(token) for token in tokens if token.isdigit() and int(token) > _FIRST_ORDER),
        latest=LATEST in marks,
        email=next((token for token in tokens if "@" in token), ""),
        address=next((token.strip("'") for token in tokens if token.startswith("'")), ""),
    )


def _known(tokens: list[str], words: dict[str, str], *, closely: bool) -> list[str]:
    """What each token means among *words*; the empty text where it means nothing."""
    return [_meaning(token.lower(), words, closely=closely) for token in tokens]


def _meaning(token: str, words: dict[str, str], *, closely: bool) -> str:
    if token in words:
        return words[token]
    if len(token) < _LETTERS or not token.isalpha():
        return ""
    if closely:
        alike = difflib.get_close_matches(token, words, n=1, cutoff=_ALIKE)
        return words[alike[0]] if alike else ""
    heads = {word[:_LETTERS]: meaning for word, meaning in words.items() if len(word) >= _LETTERS}
    return heads.get(token[:_LETTERS], "")


def _items(tokens: list[str], goods: list[str]) -> tuple[Item, ...]:
    """The products of a clause, each with the number that was named before it."""
    found: list[Item] = []
    quantity = 0
    for token, product in zip(tokens, goods, strict=True):
        if product:
            found.append(Item(product, quantity or 1))
            quantity = 0
        elif token.isdigit() and int(token) < _FIRST_ORDER:
            quantity = int(token)
        else:
            quantity = NUMBERS.get(token.lower(), quantity)
    return tuple(found)
