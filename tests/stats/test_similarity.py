"""Similarity of trajectories: laws, and independent calculations."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    action_similarity,
    mean_action_similarity,
    mean_sequence_similarity,
    sequence_similarity,
)

WORDS = st.text("abc", max_size=8)


@given(WORDS, WORDS)
def test_order_law(one: str, other: str) -> None:
    """Both similarities are from 0 to 1 and the same in both directions."""
    for similarity in (action_similarity, sequence_similarity):
        assert 0 <= similarity(one, other) <= 1
        assert similarity(one, other) == pytest.approx(similarity(other, one), abs=1e-12)


@given(WORDS)
def test_identity_law(one: str) -> None:
    """A trajectory is like itself, an empty one too."""
    assert action_similarity(one, one) == pytest.approx(1)
    assert sequence_similarity(one, one) == 1


@given(WORDS)
def test_actions_know_no_order(one: str) -> None:
    """Reversed, a trajectory has the same shares of actions."""
    assert action_similarity(one, one[::-1]) == pytest.approx(1)


@pytest.mark.parametrize(("one", "other"), [("aab", "cdd"), ("a", ""), ("", "ab")])
def test_nothing_in_common_is_zero(one: str, other: str) -> None:
    """Disjoint actions, or none against some, have similarity 0 in both senses."""
    assert action_similarity(one, other) == pytest.approx(0, abs=1e-12)
    assert sequence_similarity(one, other) == 0


@given(WORDS, WORDS)
def test_edits_follow_the_recursion(one: str, other: str) -> None:
    """The distance behind the similarity is that of the textbook recursion."""

    @cache
    def edits(i: int, j: int) -> int:
        if 0 in {i, j}:
            return i + j
        replaced = edits(i - 1, j - 1) + (one[i - 1] != other[j - 1])
        return min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, replaced)

    longest = max(len(one), len(other), 1)

    assert sequence_similarity(one, other) == pytest.approx(1 - edits(len(one), len(other)) / longest)


@given(st.lists(WORDS, min_size=2, max_size=6))
def test_mean_is_over_all_pairs(words: list[str]) -> None:
    """The mean over pairs is what a loop over all pairs gives, repeated trajectories included."""
    pairs = [(one, other) for i, one in enumerate(words) for other in words[:i]]

    actions = sum(action_similarity(*pair) for pair in pairs) / len(pairs)
    order = sum(sequence_similarity(*pair) for pair in pairs) / len(pairs)

    assert mean_action_similarity(words) == pytest.approx(actions)
    assert mean_sequence_similarity(words) == pytest.approx(order)


@pytest.mark.parametrize("words", [[], ["abc"]])
def test_one_trajectory_has_no_pair(words: list[str]) -> None:
    """There is nothing to compare, and no number is made up."""
    for mean in (mean_action_similarity, mean_sequence_similarity):
        with pytest.raises(UsageError, match="2 trajectories or more"):
            mean(words)


def test_calls_with_dicts_are_refused_with_advice() -> None:
    """What can't be counted is said."""
    with pytest.raises(UsageError, match="as text, not as a dict"):
        mean_action_similarity([[("search", {"q": 1})], [("search", {"q": 1})]])
