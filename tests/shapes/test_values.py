"""Single values made wrong: the type stays, the rest stays, and where nothing can be done nothing is."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.model.dice import Dice, dice
from passhat.shapes.places import is_number, places
from passhat.shapes.schema import fits
from passhat.shapes.values import (
    EDITS,
    corrupted,
    day_off,
    drifted,
    negated,
    number_as_text,
    other_identity,
    other_unit,
    swapped_digits,
    ten_times,
)
from tests.shapes.jsons import DICE, JSONS, differences, only_at, written

NUMBERS = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)


@given(NUMBERS)
def test_swapped_number_keeps_its_type_and_sign(number: float) -> None:
    """A whole number stays whole, and a negative one negative."""
    swapped = swapped_digits(number)

    assert type(swapped) is type(number)
    assert is_number(swapped)
    assert (repr(swapped)[0] == "-") == (repr(number)[0] == "-")


@given(st.integers(-(10**9), 10**9))
def test_swapped_digits_are_the_same_digits(number: int) -> None:
    """Two neighbouring digits have changed places, in a whole number and in one with a point."""
    whole, cents = repr(swapped_digits(number)), f"{swapped_digits(number / 100):.2f}"

    assert sorted(whole) == sorted(repr(number))
    assert sum(one != other for one, other in zip(whole, repr(number), strict=True)) in (0, 2)
    assert sorted(cents) == sorted(f"{number / 100:.2f}")


@pytest.mark.parametrize(
    ("number", "swapped"),
    [
        (61.5, 16.5),
        (1234, 2134),
        (-75, -57),
        (10, 10),
        (100, 100),
        (102, 120),
        (7, 7),
        (0.5, 0.5),
        (11, 11),
        (1.05, 1.5),
        (1.7796931348623159e308, 1.7796931348623159e308),
    ],
)
def test_known_swaps(number: float, swapped: float) -> None:
    """No digit moves over the point, and no number begins with a 0 that did not."""
    assert swapped_digits(number) == swapped
    assert type(swapped_digits(number)) is type(number)


@given(NUMBERS)
def test_ten_times_is_ten_times(number: float) -> None:
    """The point is one place off, as long as the number can still be told from its neighbours."""
    times = ten_times(number)

    assert type(times) is type(number)
    assert times == (number * 10 if abs(number) <= 2**53 else number)


@given(NUMBERS)
def test_sign_is_the_only_difference(number: float) -> None:
    """The number is its own opposite's opposite; 0 has no other sign."""
    assert negated(negated(number)) == number
    assert (negated(number) == number) == (number == 0)


@given(st.dates(date(1900, 1, 1), date(2200, 1, 1)), st.sampled_from(["", "T10:00:00Z", " 10:00"]))
def test_date_is_one_day_off(day: date, time: str) -> None:
    """An ISO date moves by a day, and its time stays."""
    assert day_off(f"{day}{time}") == f"{day + timedelta(days=1)}{time}"


@pytest.mark.parametrize("text", ["2026-13-01", "9999-12-31", "2026-3-1", "in 2026-03-01", "2026-03-011", ""])
def test_what_is_no_date_is_left_alone(text: str) -> None:
    """A text that is no date, or has no day after it, is given back."""
    assert day_off(text) == text


@pytest.mark.parametrize("unit", ["USD", "EUR", "kg", "lb", "°C", "min"])
def test_unit_has_another_and_comes_back(unit: str) -> None:
    """A unit becomes another of its kind, and that one becomes it again."""
    assert other_unit(unit) != unit
    assert other_unit(other_unit(unit)) == unit


@given(NUMBERS)
def test_number_as_text_reads_as_the_number(number: float) -> None:
    """The text holds the number."""
    assert json.loads(str(number_as_text(number))) == number


@given(JSONS, DICE, st.sampled_from(["any", *EDITS]))
def test_one_value_is_wrong_and_all_else_is_as_it_was(value: Json, throw: Dice, how: str) -> None:
    """A corrupted value differs from the true one in one leaf, whose type is the same."""
    wrong = corrupted(value, throw, how=how)
    places_hit = differences(value, wrong)

    assert len(places_hit) <= 1
    assert all(only_at(value, wrong, place) for place in places_hit)
    assert all(type(dict(places(value))[place]) is type(dict(places(wrong))[place]) for place in places_hit)
    assert written(wrong) == written(corrupted(value, throw, how=how))


@given(JSONS, DICE)
def test_corrupted_value_keeps_to_its_schema(value: Json, throw: Dice) -> None:
    """Where a schema allows no other value, the value stays."""
    exactly: Json = {"enum": [value]}

    assert written(corrupted(value, throw, schema=exactly)) == written(value)
    assert fits(corrupted(value, throw, schema={"type": "object"}), {"type": "object"}) == isinstance(value, dict)


def test_ids_and_counts_are_left_alone() -> None:
    """What says which thing this is, or how many there are, is another fault's business, unless it is named."""
    value: Json = {"id": 12, "order_id": 34, "orderId": 56, "count": 2}

    assert all(corrupted(value, dice(throw)) == value for throw in range(20))
    assert corrupted(value, dice(1), field="order_id", how="digits") == {**value, "order_id": 43}  # type: ignore[dict-item]


def test_unit_changes_only_where_the_field_is_one() -> None:
    """A text that happens to be EUR is no currency, unless its field says so."""
    assert corrupted({"name": "EUR"}, dice(1), how="unit") == {"name": "EUR"}
    assert corrupted({"currency": "EUR"}, dice(1), how="unit") != {"currency": "EUR"}


@given(JSONS)
def test_other_identity_changes_one_id(value: Json) -> None:
    """The reply is about the neighbour: one id is another of its type, and all else as it was."""
    other = other_identity(value)

    for place in differences(value, other):
        assert only_at(value, other, place)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ({"lines": [{"id": 1}], "id": 7}, {"lines": [{"id": 1}], "id": 8}),
        ({"sku": "A-19"}, {"sku": "A-20"}),
        ({"ref": "R099"}, {"ref": "R100"}),
        ({"id": "ana"}, {"id": "ana"}),
        ({"total": 3}, {"total": 3}),
        ("A-19", "A-19"),
    ],
)
def test_known_identities(value: Json, other: Json) -> None:
    """The outermost id is the next one; a value without an id, or with one that has no number, stays."""
    assert other_identity(value) == other


@given(JSONS, st.lists(JSONS, max_size=3))
def test_drift_is_the_same_at_every_reading(value: Json, older: list[Json]) -> None:
    """What is remembered wrong is wrong in one value, of its type, and always in the same way."""
    wrong = drifted(value, older)
    found = differences(value, wrong)

    assert len(found) <= 1
    assert all(only_at(value, wrong, place) for place in found)
    assert written(wrong) == written(drifted(value, older))


def test_drift_goes_back_to_what_was_true_once() -> None:
    """Where an earlier reading was another, it is that one that is remembered."""
    older: list[Json] = [{"size": 0, "colour": "red"}, {"size": 0, "colour": "green"}]

    assert drifted({"size": 0, "colour": "blue"}, older) == {"size": 0, "colour": "green"}
    assert drifted({"express": True}, []) == {"express": False}
    assert drifted({"note": "no nuts please"}, []) == {"note": "no nuts"}


@given(JSONS)
def test_numbers_are_json_numbers(value: Json) -> None:
    """A bool is no number."""
    assert is_number(value) == bool(re.fullmatch(rb"-?\d.*", written(value)))
