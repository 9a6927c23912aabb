"""JSON in a text is edited as JSON, and the text keeps its style."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.shapes.written import held, in_json
from tests.shapes.jsons import JSONS

STYLES: list[dict[str, Any]] = [{}, {"indent": 2}, {"indent": 4}, {"separators": (",", ":")}, {"ensure_ascii": False}]


@given(JSONS.filter(lambda value: isinstance(value, dict | list)), st.sampled_from(STYLES))
def test_text_keeps_its_style(value: Json, style: dict[str, Any]) -> None:
    """What is written again is what would have been written in the same style."""
    text = json.dumps(value, **style)

    edited = in_json(text, lambda found: [found, "one more"])

    alike = {json.dumps([value, "one more"], **one) for one in STYLES if json.dumps(value, **one) == text}
    assert json.loads(str(edited)) == [value, "one more"]
    assert edited in alike or len(alike) > 1


@given(JSONS, st.sampled_from(STYLES))
def test_unchanged_text_stays_byte_for_byte(value: Json, style: dict[str, Any]) -> None:
    """An edit that has nothing to do leaves the text alone, whatever its style."""
    text = f"  {json.dumps(value, **style)}\n"

    assert in_json(text, lambda found: found) == text


@pytest.mark.parametrize(
    "value", ["", "{", "[1,", "12", '"text"', "see [1]", "null", 12, None, {"a": 1}, "[" * 100_000]
)
def test_other_values_hold_no_json(value: Json) -> None:
    """A plain text, a number or a value that is JSON already is edited as it is."""
    assert held(value) is None
    assert in_json(value, lambda found: [found]) == [value]
