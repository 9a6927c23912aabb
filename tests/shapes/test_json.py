"""Edits of whole replies: each does what it says, in every record alike, and leaves the rest byte for byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.model.dice import Dice, dice
from passhat.shapes.json import (
    cursor_of,
    cut_array,
    drop_cursor,
    emptied,
    extra_field,
    nest_field,
    records_without,
    remove_field,
    rename_field,
    repeat_cursor,
    retype_field,
)
from passhat.shapes.places import counts, look, name_at, places, put
from passhat.shapes.schema import fits
from tests.shapes.jsons import DICE, JSONS, differences, only_at, written

ORDERS: Json = {"orders": [{"id": 1, "total": 2.5}, {"id": 2, "total": 4}], "count": 2, "next": "p2", "has_more": True}
DRIFTS: list[Callable[..., Json]] = [rename_field, remove_field, retype_field, nest_field, extra_field]


def members(value: Json) -> list[tuple[str, bytes]]:
    """Every member of every object, by name, with what it holds where that is no object or array."""
    leaves = [(name_at(place), found) for place, found in places(value) if not isinstance(found, dict | list)]
    return [(name, written(found)) for name, found in leaves]


@pytest.mark.parametrize("drift", DRIFTS)
@given(value=JSONS, throw=DICE)
def test_drift_is_the_same_for_the_same_dice(drift: Callable[..., Json], value: Json, throw: Dice) -> None:
    """An edit changes nothing that it is given, and does the same twice."""
    before = written(value)

    assert written(drift(value, throw)) == written(drift(value, throw))
    assert written(value) == before


@given(JSONS, DICE)
def test_renamed_field_keeps_what_it_holds_and_its_place(value: Json, throw: Dice) -> None:
    """Names apart, the JSON is the same, member by member in the same order; the new name is new."""
    renamed = rename_field(value, throw)
    old, new = {name_at(place) for place, _ in places(value)}, {name_at(place) for place, _ in places(renamed)}

    assert [written(found) for _, found in places(value) if not isinstance(found, dict | list)] == [
        written(found) for _, found in places(renamed) if not isinstance(found, dict | list)
    ]
    assert len(new - old) == (1 if renamed != value else 0)


@given(JSONS, DICE)
def test_removed_field_leaves_all_others(value: Json, throw: Dice) -> None:
    """What is left was there before, in the same order."""
    left = iter(members(value))

    assert all(one in left for one in members(remove_field(value, throw)))


@given(JSONS, DICE)
def test_retyped_field_is_of_another_type(value: Json, throw: Dice) -> None:
    """The places that differ have the same name, and hold another type."""
    retyped = retype_field(value, throw)
    found = differences(value, retyped)

    assert len({name_at(place) for place in found}) <= 1
    assert all(type(look(retyped, place)) is not type(look(value, place)) for place in found)
    rest = retyped
    for place in found:
        rest = put(rest, place, look(value, place))
    assert written(rest) == written(value)


@given(JSONS, DICE)
def test_nested_field_holds_the_value_one_level_deeper(value: Json, throw: Dice) -> None:
    """What stood there stands under `value` now."""
    nested = nest_field(value, throw)
    rest = nested
    for place in differences(value, nested):
        rest = put(rest, place, look(nested, (*place, "value")))

    assert written(rest) == written(value)


@given(JSONS, DICE)
def test_extra_field_takes_nothing_away(value: Json, throw: Dice) -> None:
    """Every member is there as before, and one new name stands last in its records."""
    more = extra_field(value, throw)
    old, new = {name_at(place) for place, _ in places(value)}, {name_at(place) for place, _ in places(more)}

    assert len(new - old) == (1 if more != value else 0)
    added = new - old
    assert [one for one in members(more) if one[0] not in added] == members(value)
    assert all(list(found)[-1] in added for _, found in places(more) if isinstance(found, dict) and added & set(found))


@pytest.mark.parametrize(
    ("drift", "drifted"),
    [
        (rename_field, [{"id": 1, "amount": 2.5}, {"id": 2, "amount": 4}]),
        (remove_field, [{"id": 1}, {"id": 2}]),
        (retype_field, [{"id": 1, "total": "2.5"}, {"id": 2, "total": "4"}]),
        (nest_field, [{"id": 1, "total": {"value": 2.5}}, {"id": 2, "total": {"value": 4}}]),
    ],
)
def test_drift_is_in_every_record(drift: Callable[..., Json], drifted: Json) -> None:
    """A service whose schema has moved on says so in all records alike."""
    told = drift(ORDERS, dice(1), field="total")

    assert told == {**ORDERS, "orders": drifted}  # type: ignore[dict-item]


@pytest.mark.parametrize("drift", DRIFTS[:4])
def test_drift_of_a_field_that_is_not_there_is_none(drift: Callable[..., Json]) -> None:
    """A named field that the reply does not have is not found elsewhere."""
    assert drift(ORDERS, dice(1), field="colour") == ORDERS


def test_name_that_is_taken_is_not_taken_again() -> None:
    """A renamed or a new field never falls on one that is there."""
    assert rename_field({"total": 1, "amount": 2}, dice(1), field="total") == {"total_value": 1, "amount": 2}
    assert rename_field({"orderId": 1}, dice(1)) == {"order_id": 1}
    assert extra_field({"api_version": 1}, dice(1)) == {"api_version": 1, "api_version_2": "2.1"}


@given(JSONS, st.floats(0, 1, exclude_max=True))
def test_cut_array_is_a_beginning(value: Json, keep: float) -> None:
    """One array, the longest, is shorter; what is left of it is its beginning, and all else is as it was."""
    cut = cut_array(value, keep=keep)
    found = differences(value, cut)

    assert len(found) <= 1
    for place in found:
        whole, left = look(value, place), look(cut, place)
        assert isinstance(whole, list)
        assert isinstance(left, list)
        assert len(left) == min(len(whole) - 1, round(keep * len(whole)))
        assert written(whole[: len(left)]) == written(left)
        assert only_at(value, cut, place)


@given(JSONS)
def test_emptied_reply_says_that_there_is_nothing(value: Json) -> None:
    """The first array is empty, the counts beside it are 0 of their type, and all else is as it was."""
    empty = emptied(value)
    found = differences(value, empty)
    rest = empty
    for place in found:
        assert look(empty, place) in ([], 0)
        assert isinstance(look(value, place), list) or counts(name_at(place))
        rest = put(rest, place, look(value, place))

    assert written(rest) == written(value)
    assert (empty == value) or any(isinstance(found, list) for _, found in places(value))


def test_known_empty_replies() -> None:
    """A list is empty, a page has a count of 0, and a reply without a list is left alone."""
    assert emptied([1, 2]) == []
    assert emptied({"total_count": 3, "hits": [1, 2, 3], "took": 3}) == {"total_count": 0, "hits": [], "took": 3}
    assert emptied({"count": 3}) == {"count": 3}


@given(JSONS)
def test_dropped_cursor_is_the_only_loss(value: Json) -> None:
    """The cursor is null, what promised more is false, and all else is as it was."""
    last = drop_cursor(value)
    rest = last
    for place in differences(value, last):
        assert look(last, place) in (None, False)
        rest = put(rest, place, look(value, place))

    assert written(rest) == written(value)


def test_cursor_goes_where_null_is_not_allowed() -> None:
    """Where the schema wants a text or nothing, the cursor's field is gone."""
    schema: Json = {"properties": {"next": {"type": "string"}}}

    assert drop_cursor(ORDERS, schema=schema) == {"orders": ORDERS["orders"], "count": 2, "has_more": False}  # type: ignore[index, call-overload]
    assert drop_cursor(ORDERS) == {**ORDERS, "next": None, "has_more": False}  # type: ignore[dict-item]


def test_repeated_cursor_leads_back() -> None:
    """The next page is the one that was just asked for; a cursor of another type is left alone."""
    assert cursor_of({"customer": "ana", "cursor": "p1"}) == "p1"
    assert repeat_cursor(ORDERS, cursor_of({"next_token": "p1"})) == {**ORDERS, "next": "p1"}  # type: ignore[dict-item]
    assert repeat_cursor(ORDERS, cursor_of({"customer": "ana"})) == ORDERS
    assert repeat_cursor(ORDERS, 3) == ORDERS


@given(JSONS, DICE)
def test_edits_with_a_schema_keep_to_it(value: Json, throw: Dice) -> None:
    """What an edit gives under a schema that the reply keeps to keeps to it as well."""
    schemas: list[Json] = [{"enum": [value]}, {"type": ["object", "array"]}, {"minItems": 1}, {"required": ["id"]}]
    for schema in (one for one in schemas if fits(value, one)):
        edited = [cut_array(value, keep=0.5, schema=schema), emptied(value, schema=schema)]
        edited += [drop_cursor(value, schema=schema), repeat_cursor(value, "p1", schema=schema)]
        assert all(fits(one, schema) for one in edited)


@given(JSONS)
def test_hidden_records_are_gone_and_the_others_stay(value: Json) -> None:
    """No record in an array is one of the hidden, and hiding none changes nothing."""
    left = records_without(value, lambda record: "id" in record)

    items = [found for place, found in places(left) if place and isinstance(place[-1], int)]
    assert not [found for found in items if isinstance(found, dict) and "id" in found]
    assert written(records_without(value, lambda _: False)) == written(value)


def test_count_is_lower_by_the_hidden_records() -> None:
    """A list that lacks a record counts one less."""
    left = records_without(ORDERS, lambda record: record.get("id") == 2)

    assert left == {**ORDERS, "orders": [{"id": 1, "total": 2.5}], "count": 1}  # type: ignore[dict-item]
