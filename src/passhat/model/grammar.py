"""The text of a condition, `rate_limit(rate=0.2, match=refund*) & typos(0.05)`, to terms and back.

Syntax alone: which names exist, and what they may be given, is known above this layer. Every term that can be
written can be read back to the same value.

    condition := "clean" | term ("&" term)*
    term      := name [ "(" [ argument ("," argument)* ] ")" ]        in a name, "-" is read as "_"
    argument  := [ name "=" ] value
    value     := number | number% | true | false | null | "string" | term with parentheses | word
"""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec

from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.numbers import typed_number

CLEAN = "clean"
PLACEBO = "placebo"  # the one fault that does nothing: it is planned, and nobody waits for it to fire
_OF_DOSE = frozenset({"rate", "dose"})
Scalar: TypeAlias = bool | int | float | str | None
_TOKEN = re.compile(r'\s*(?:(?P<punct>[&(),=])|(?P<string>"(?:[^"\\]|\\.)*")|(?P<word>[^\s&(),="]+)|(?P<end>$))')
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?")
_LITERALS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_WRITTEN: dict[Scalar, str] = {value: word for word, value in _LITERALS.items()}


class Argument(Noun):
    """A value given to a part; a bare one, such as the 0.05 of `typos(0.05)`, has no name."""

    name: str
    value: Scalar | Term


class Term(Noun):
    """A part's name and what it is given."""

    name: str
    arguments: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        """The term as text, which `parse` reads back."""
        written = ", ".join(_written_argument(argument) for argument in self.arguments)
        return f"{self.name}({written})"


def parse(text: str) -> tuple[Term, ...]:
    """The terms of *text*; the clean condition has none."""
    if text.strip() in ("", CLEAN):
        return ()
    return _Reader(text).condition()


def plans_a_fault(condition: str) -> bool:
    """True where a part of *condition* has a dose, which faults have and perturbations don't; a placebo is no fault."""
    return any(term.name != PLACEBO and _has_dose(term) for term in _terms(condition))


def placebo_of(condition: str) -> str | None:
    """What *condition* is to be held against: the same without its placebo; None where there is none, or a fault."""
    terms = _terms(condition)
    others = [term for term in terms if not (term.name == PLACEBO and _has_dose(term))]
    if len(others) == len(terms) or any(map(_has_dose, others)):
        return None
    return " & ".join(map(str, others)) or CLEAN


def _terms(condition: str) -> tuple[Term, ...]:
    """The terms of a stored name; none where another tool gave it."""
    try:
        return parse(condition)
    except UsageError:
        return ()


def _has_dose(term: Term) -> bool:
    return any(argument.name in _OF_DOSE for argument in term.arguments)


def _written_argument(argument: Argument) -> str:
    value = _written(argument.value)
    return f"{argument.name}={value}" if argument.name else value


def _written(value: Scalar | Term) -> str:
    if isinstance(value, Term):
        return str(value)
    if value is None or isinstance(value, bool):
        return _WRITTEN[value]
    if isinstance(value, str):
        return value if _is_plain(value) else msgspec.json.encode(value).decode()
    return repr(value)


def _is_plain(text: str) -> bool:
    """True where *text*, written without quotes, is read back as the same string."""
    token = _TOKEN.fullmatch(text)
    return bool(token and token["word"] == text and text not in _LITERALS and not _NUMBER.fullmatch(text))


class _Reader:
    """Reads one condition from left to right; every complaint points at its place in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._split()
        self._next = 0

    def condition(self) -> tuple[Term, ...]:
        terms = [self._term()]
        while self._take("&"):
            terms.append(self._term())
        if self._kind() != "end":
            raise self._complaint("expected '&' or the end")
        return tuple(terms)

    def _term(self) -> Term:
        name = self._word("the name of a fault or a perturbation")
        if not _NAME.fullmatch(name):
            self._next -= 1
            raise self._complaint("expected the name of a fault or a perturbation")
        return Term(name.replace("-", "_"), self._arguments() if self._take("(") else ())

    def _arguments(self) -> tuple[Argument, ...]:
        found: list[Argument] = []
        while not self._take(")"):
            if found and not self._take(","):
                raise self._complaint("expected ',' or ')'")
            found.append(self._argument())
        return tuple(found)

    def _argument(self) -> Argument:
        if self._kind() == "word" and self._peek(1) == "=":
            name = self._word("a name")
            self._next += 1
            return Argument(name, self._value())
        return Argument("", self._value())

    def _value(self) -> Scalar | Term:
        if self._kind() == "string":
            quoted = self._advance()
            try:
                return msgspec.json.decode(quoted, type=str)
            except msgspec.DecodeError:
                self._next -= 1
                raise self._complaint("expected a string as JSON writes it") from None
        if self._peek(1) == "(" and self._kind() == "word":
            return self._term()
        word = self._word("a value")
        if word in _LITERALS:
            return _LITERALS[word]
        if _NUMBER.fullmatch(word):
            return int(word) if re.fullmatch(r"[+-]?\d+", word) else typed_number(word)
        return word

    def _split(self) -> list[tuple[str, str, int]]:
        tokens: list[tuple[str, str, int]] = []
        at = 0
        while not tokens or tokens[-1][0] != "end":
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise UsageError(f"condition {self._text!r}: the quote at character {at + 1} is not closed")
            kind = str(match.lastgroup)
            tokens.append((kind, match[kind], match.start(kind)))
            at = match.end()
        return tokens

    def _kind(self) -> str:
        return self._tokens[self._next][0]

    def _peek(self, ahead: int) -> str:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)][1]

    def _advance(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1][1]

    def _take(self, punctuation: str) -> bool:
        if self._kind() == "punct" and self._peek(0) == punctuation:
            self._next += 1
            return True
        return False

    def _word(self, expected: str) -> str:
        if self._kind() != "word":
            raise self._complaint(f"expected {expected}")
        return self._advance()

    def _complaint(self, expected: str) -> UsageError:
        kind, found, at = self._tokens[self._next]
        what = "the text ends" if kind == "end" else f"found {found!r}"
        return UsageError(f"condition {self._text!r}: {expected} at character {at + 1}, where {what}")
