"""Sizing: from a question about run counts to its answer, in numbers, words and tables. Pure, like the maths below it.

`question.py` says what can be asked and what is wrong with a question; `drops.py`, `widths.py`, `arms.py` and
`claims.py` answer; `text.py` lays an answer out. Formulas stand in `passhat.stats`. Nothing heavy is loaded, so that
`passhat plan` answers at once.
"""

from __future__ import annotations

from importlib import import_module

from passhat.sizing.answer import Answer
from passhat.sizing.question import Kind, Question, kind_of

# Which file answers which kind of question.
_ANSWERS = {
    Kind.WIDTH: "widths",
    Kind.BAND: "widths",
    Kind.DROP: "drops",
    Kind.POWER: "drops",
    Kind.SEE: "drops",
    Kind.PAIRED: "arms",
    Kind.PAIRED_SEE: "arms",
    Kind.MARGIN: "arms",
    Kind.CLAIM: "claims",
}


def answer(question: Question) -> Answer:
    """The answer to *question*; what is wrong with it is one error that says all of it."""
    kind = kind_of(question)
    found = import_module(f"passhat.sizing.{_ANSWERS[kind]}").ANSWERS[kind](question)
    assert isinstance(found, Answer)  # noqa: S101 - a bug of ours if not
    return found


__all__ = ["Answer", "Kind", "Question", "answer", "kind_of"]
