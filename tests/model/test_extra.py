"""What a trial took beyond its clean one: a number where both say it, and none where they don't."""

from __future__ import annotations

import pytest

from passhat.model.answer import Answer, Usage
from passhat.model.extra import Extra, extra
from tests.recovery.hand import call, refused, trial


def tokens(one: Usage | None, other: Usage | None) -> int | None:
    """The tokens that a trial took beyond its clean one."""
    struck, clean = (trial(call(1), answer=Answer("Done.", usage=usage)) for usage in (one, other))
    return extra(struck, clean).tokens


def test_calls_seconds_and_tokens_are_differences() -> None:
    """One call, two seconds and 30 tokens more."""
    clean = trial(call(1), seconds=1.0, answer=Answer("Done.", usage=Usage(input_tokens=100, output_tokens=5)))
    answer = Answer("Done.", usage=Usage(input_tokens=120, output_tokens=15))

    assert extra(trial(refused(1), call(2), seconds=3.0, answer=answer), clean) == Extra(
        calls=1, seconds=2.0, tokens=30
    )


def test_trial_may_take_less() -> None:
    """Who gives up early takes fewer, and the number says so."""
    assert tokens(Usage(output_tokens=5), Usage(output_tokens=25)) == -20


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, Usage(input_tokens=1)),
        (Usage(input_tokens=1), None),
        (None, None),
        (Usage(cost=1.0), Usage(cost=2.0)),
        (Usage(input_tokens=1), Usage(input_tokens=1, output_tokens=1)),
    ],
)
def test_tokens_that_one_of_them_does_not_say_are_not_guessed(one: Usage | None, other: Usage | None) -> None:
    """Neither is a missing number 0, nor is half of a sum the sum."""
    assert tokens(one, other) is None


def test_crashed_trial_says_nothing_of_tokens() -> None:
    """Without an answer there is no usage."""
    assert extra(trial(call(1), answer=None), trial(call(1))).tokens is None


def test_calls_that_were_left_out_cannot_be_counted() -> None:
    """A very long trial keeps its first calls alone."""
    assert extra(trial(call(1), calls_left_out=3), trial(call(1))).calls is None
