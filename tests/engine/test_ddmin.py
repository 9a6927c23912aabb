"""Delta debugging: what it gives fails, nothing of it can be left out, and it asks no more often than it says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from passhat.engine.ddmin import ddmin

Part = tuple[int, ...]
sizes = st.integers(1, 8)


class Asked:
    """A predicate that remembers what it was asked."""

    def __init__(self, fails: Callable[[Part], bool]) -> None:
        self._fails = fails
        self.parts: list[Part] = []

    def __call__(self, part: Part) -> bool:
        """Ask."""
        self.parts.append(part)
        return self._fails(part)


def parts(whole: Part) -> list[Part]:
    """Every part of *whole*, the small ones first."""
    return [part for size in range(len(whole) + 1) for part in combinations(whole, size)]


@st.composite
def predicates(draw: st.DrawFn) -> tuple[Part, Asked]:
    """Some items, and any predicate at all under which they all fail together and none of them does not."""
    whole = tuple(range(draw(sizes)))
    failing = draw(st.sets(st.sampled_from(parts(whole)[1:]))) | {whole}
    return whole, Asked(lambda part: part in failing)


@st.composite
def monotone(draw: st.DrawFn) -> tuple[Part, Asked]:
    """Some items, and causes: a part fails where it holds all of one cause."""
    whole = tuple(range(draw(sizes)))
    causes = draw(st.sets(st.sampled_from(parts(whole)[1:]), min_size=1, max_size=3))
    return whole, Asked(lambda part: any(set(cause) <= set(part) for cause in causes))


@given(predicates())
def test_what_it_gives_was_seen_to_fail(case: tuple[Part, Asked]) -> None:
    """The part is one that was asked and failed, or the whole."""
    whole, fails = case
    kept = ddmin(whole, fails)

    assert kept == whole or (kept in fails.parts and fails(kept))


@given(predicates())
def test_no_single_item_can_be_left_out(case: tuple[Part, Asked]) -> None:
    """Without any one of its items the part was seen not to fail, whatever the predicate."""
    whole, fails = case
    kept = ddmin(whole, fails)
    asked = set(fails.parts)

    for item in kept:
        rest = tuple(other for other in kept if other != item)
        assert rest == () or (rest in asked and not fails(rest))


@given(monotone())
def test_nothing_smaller_within_fails(case: tuple[Part, Asked]) -> None:
    """Where more items never make it pass, no smaller part of the result fails: brute force finds none."""
    whole, fails = case
    kept = ddmin(whole, fails)

    assert fails(kept)
    assert [part for part in parts(kept) if fails(part)] == [kept]


@given(st.data())
def test_one_cause_is_found(data: st.DataObject) -> None:
    """Where one cause alone fails, it is found to the letter, which is the smallest part of all that fails."""
    whole = tuple(range(data.draw(st.integers(1, 30))))
    cause = tuple(sorted(data.draw(st.sets(st.sampled_from(whole), min_size=1))))

    assert ddmin(whole, lambda part: set(cause) <= set(part)) == cause


@given(predicates())
def test_it_asks_about_each_part_once_and_not_too_often(case: tuple[Part, Asked]) -> None:
    """At most n² + 3n questions, none of them twice, none about nothing or about everything."""
    whole, fails = case
    ddmin(whole, fails)

    assert len(fails.parts) <= len(whole) ** 2 + 3 * len(whole)
    assert len(set(fails.parts)) == len(fails.parts)
    assert not {(), whole} & set(fails.parts)


def test_one_of_many_is_found_quickly() -> None:
    """One item of 1,024 takes two questions a halving, not one an item."""
    fails = Asked(lambda part: 700 in part)

    assert ddmin(tuple(range(1024)), fails) == (700,)
    assert len(fails.parts) <= 20


def test_order_is_kept() -> None:
    """The items stand in the part as they stood in the whole."""
    assert ddmin("xqabc", lambda part: {"x", "b"} <= set(part)) == ("x", "b")
