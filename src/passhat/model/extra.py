"""What a trial took beyond its clean one: calls, seconds and tokens, trial against trial of the same task and index.

A number that cannot be had is None; nothing is guessed.
"""

from __future__ import annotations

from passhat.model.answer import Usage
from passhat.model.base import Noun
from passhat.model.trial import Trial


class Extra(Noun, kw_only=True):
    """How much more a trial took than its clean one; below 0 where it took less.

    tokens: in and out together; None where not both trials say how many, and of the same kinds. seconds: those of the
    agent, waiting included. calls: None where a very long trial left some out.
    """

    calls: int | None = None
    seconds: float = 0.0
    tokens: int | None = None


def extra(trial: Trial, clean: Trial) -> Extra:
    """What *trial* took beyond *clean*."""
    kept = not trial.calls_left_out and not clean.calls_left_out
    return Extra(
        calls=len(trial.trace) - len(clean.trace) if kept else None,
        seconds=trial.seconds - clean.seconds,
        tokens=_more(_usage(trial), _usage(clean)),
    )


def _usage(trial: Trial) -> Usage:
    return (trial.answer.usage if trial.answer is not None else None) or Usage()


def _more(one: Usage, other: Usage) -> int | None:
    """The tokens that *one* holds beyond *other*; those of a kind that neither names are left out."""
    pairs = ((one.input_tokens, other.input_tokens), (one.output_tokens, other.output_tokens))
    differences = []
    for first, second in pairs:
        if first is not None and second is not None:
            differences.append(first - second)
        elif first is not second:  # one names a kind that the other does not
            return None
    return sum(differences) if differences else None
