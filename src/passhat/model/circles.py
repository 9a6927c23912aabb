"""Going round: calls that are made again and again and bring nothing new, and how far into a trial that goes.

A call brings news where it succeeds with a reply that it did not bring before. A reply that a fault has changed is no
news: upstream said the same as always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from passhat.model.base import Noun

_ROUNDS = 3  # calls that succeed with one result, made so often, are a loop
_ATTEMPTS = 6  # and calls that bring nothing new, so often: a first one and four tries more are none


class Turn(Noun, kw_only=True):
    """A call as it counts here: its place in the trial, what it asked for, whether it was told the truth, and what."""

    place: int
    operation: str
    true: bool
    result: str


def loop_end(turns: Sequence[Turn]) -> int:
    """The place after the last call of the last loop; 0 where the agent never went round."""
    return max(_one_again(turns), _two_in_turn(turns))


def _one_again(turns: Sequence[Turn]) -> int:
    """One call, with nothing between."""
    end = 0
    for _, group in groupby(turns, key=lambda turn: turn.operation):
        row = list(group)
        good = Counter(turn.result for turn in row if turn.true)
        if max(good.values(), default=0) >= _ROUNDS or len(row) - len(good) >= _ATTEMPTS:
            end = row[-1].place + 1
    return end


def _two_in_turn(turns: Sequence[Turn]) -> int:
    """Two calls in turn, each with the same result every time."""
    end, alike = 0, 0
    for at in range(2, len(turns)):
        one, before = turns[at], turns[at - 2]
        same = (one.operation, one.result, one.true) == (before.operation, before.result, before.true)
        alike = alike + 1 if same else 0
        rounds = _ROUNDS if one.true and turns[at - 1].true else _ATTEMPTS
        if alike >= 2 * (rounds - 1):
            end = one.place + 1
    return end
