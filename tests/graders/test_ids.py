"""Ids that are made up anew: states that differ in nothing else come to one form, and no other ones do."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passhat.graders._places import encoded
from passhat.graders._states import reader

ORDERS = {"ids": ["orders.*.id", "refunds.*.order", "refunds.*.id"], "unordered": ["orders", "refunds"]}
BY_KEY = {"ids": ["orders.*~", "refunds.*.order", "refunds.*.id"], "unordered": ["refunds"]}
form: Callable[[Any], Any] = reader(**ORDERS)
by_key: Callable[[Any], Any] = reader(**BY_KEY)

State = dict[str, list[dict[str, Any]]]


@st.composite
def shops(draw: st.DrawFn) -> State:
    """Orders, and refunds that name an order, a lost one or none; ids are texts or numbers."""
    ids = draw(st.lists(st.sampled_from(["a", "b", "c", 7]), max_size=3, unique=True))
    totals = draw(st.lists(st.integers(1, 2), min_size=len(ids), max_size=len(ids)))
    about = draw(st.lists(st.sampled_from([*ids, "lost", None]), max_size=3))
    return {
        "orders": [{"id": one, "total": total} for one, total in zip(ids, totals, strict=True)],
        "refunds": [{"id": f"r{place}", "order": one} for place, one in enumerate(about)],
    }


def renamed(state: State, names: dict[Any, Any]) -> State:
    """The same shop with other ids."""
    return {
        kind: [
            {key: names.get(item, item) if key in {"id", "order"} else item for key, item in record.items()}
            for record in records
        ]
        for kind, records in state.items()
    }


def ids_of(state: State) -> list[Any]:
    """Every id, once."""
    records = [record for kind in state.values() for record in kind]
    found = [record.get(key) for record in records for key in ("id", "order")]
    return [one for one in dict.fromkeys(found) if one is not None]


def loose(state: State) -> bytes:
    """The state with its ids as texts, without the order of its lists."""
    texts = renamed(state, {7: "7"})
    return encoded({kind: sorted(records, key=encoded) for kind, records in texts.items()})


def alike(one: State, other: State) -> bool:
    """By trying every way to give the ids of the one to the other."""
    mine, theirs = ids_of(one), ids_of(other)
    if len(mine) != len(theirs):
        return False
    return any(loose(renamed(one, dict(zip(mine, way, strict=True)))) == loose(other) for way in permutations(theirs))


@given(shops(), st.randoms(use_true_random=False))
def test_other_ids_in_another_order_are_the_same_state(state: State, random: Any) -> None:  # noqa: ANN401 - no type
    """Ids made up anew, and lists without an order shuffled: the form is the same."""
    old = ids_of(state)
    new = [f"x{number}" for number in range(len(old))]
    random.shuffle(new)
    anew = renamed(state, dict(zip(old, new, strict=True)))
    other = {kind: random.sample(records, len(records)) for kind, records in anew.items()}

    assert form(other) == form(state)


@given(shops(), shops())
@settings(max_examples=300)
def test_forms_are_equal_where_ids_can_be_matched_and_nowhere_else(one: State, other: State) -> None:
    """The form says just what trying every renaming says: it hides no difference, and makes up none."""
    assert (form(one) == form(other)) == alike(one, other)


@given(shops())
def test_form_of_a_form_is_itself(state: State) -> None:
    """So a form can be written to a file and compared with what it was made from."""
    assert form(form(state)) == form(state)


@given(shops())
def test_ids_may_be_keys(state: State) -> None:
    """A mapping by id says the same as a list of records."""
    keyed = {"orders": {str(one["id"]): one["total"] for one in state["orders"]}, "refunds": state["refunds"]}
    orders = {f"new-{one['id']}": one["total"] for one in state["orders"]}
    names = {one: f"new-{one}" for one in ids_of(state)}
    anew = {"orders": orders, "refunds": renamed({"refunds": state["refunds"]}, names)["refunds"]}

    assert by_key(anew) == by_key(keyed)
    assert by_key(by_key(keyed)) == by_key(keyed)


def test_names_follow_the_places() -> None:
    """An id that stands alone in its place is named first; the reader sees which are the same."""
    state: State = {
        "orders": [{"id": "z9", "total": 2}, {"id": "a1", "total": 1}],
        "refunds": [{"id": "q", "order": "z9"}],
    }
    found = form(state)
    names = {one["total"]: one["id"] for one in found["orders"]}

    assert set(names.values()) | {found["refunds"][0]["id"]} == {"#1", "#2", "#3"}
    assert found["refunds"][0]["order"] == names[2]


def test_chain_is_named_from_its_ends() -> None:
    """Records that are alike but for what they point at are told apart by what is named already."""
    follow: Callable[[Any], Any] = reader(ids=["*.id", "*.next"], unordered=["."])
    chain = [{"id": one, "next": other} for one, other in zip("abcdef", ["b", "c", "d", "e", "f", None], strict=True)]
    anew = [{"id": one, "next": other} for one, other in zip("fdbeca", ["d", "b", "e", "c", "a", None], strict=True)]

    assert follow(chain) == follow(anew[::-1])
    assert follow(chain) != follow([*chain[:-1], {"id": "f", "next": "a"}])


def test_tangled_ids_hide_no_difference() -> None:
    """A ring of five is no ring of two and one of three, though each of its records looks the same."""
    follow: Callable[[Any], Any] = reader(ids=["*.id", "*.next"], unordered=["."])

    def rings(nexts: str) -> list[dict[str, str]]:
        return [{"id": one, "next": other} for one, other in zip("abcde", nexts, strict=True)]

    assert follow(rings("bcdea")) != follow(rings("badec"))
    assert follow(rings("bcdea")) == follow(rings("cdeab"))  # a to c to e to b to d to a: a ring of five as well


def test_many_that_are_alike_are_named_at_once() -> None:
    """A hundred like orders can change places in any way, so that nobody has to try them one after the other."""
    state: State = {"orders": [{"id": f"o{number}", "total": 1} for number in range(100)], "refunds": []}

    assert len({one["id"] for one in form(state)["orders"]}) == 100


def test_what_is_no_text_or_number_is_no_id() -> None:
    """Nothing, a truth and a record stay as they are."""
    state: State = {"orders": [{"id": None}, {"id": True}, {"id": {"id": 5}}]}

    assert sorted(form(state)["orders"], key=encoded) == sorted(state["orders"], key=encoded)


def test_key_that_looks_like_a_name_is_no_state_that_can_be_judged() -> None:
    """Two keys must not become one: then a difference would be hidden."""
    with pytest.raises(ValueError, match="looks like a name that is given to an id"):
        reader(ids=["o*~"])({"o7": 1, "#1": 2})
