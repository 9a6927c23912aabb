"""What is said to fit a schema does fit it, by the word of another implementation."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.shapes.schema import fits
from tests.shapes.jsons import JSONS, NAMES

TYPES = st.sampled_from(["null", "boolean", "string", "number", "integer", "array", "object"])
SIZES = st.integers(0, 4)
ALONE = st.one_of(
    st.fixed_dictionaries({"type": TYPES | st.lists(TYPES, min_size=1, unique=True)}),
    st.fixed_dictionaries({"enum": st.lists(JSONS, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"const": JSONS}),
    st.fixed_dictionaries({"minimum": st.integers(-5, 5), "maximum": st.integers(0, 50)}),
    st.fixed_dictionaries({"exclusiveMinimum": st.integers(-5, 5), "exclusiveMaximum": st.integers(0, 50)}),
    st.fixed_dictionaries({"minLength": SIZES, "maxLength": SIZES, "pattern": st.sampled_from(["^a", "[0-9]", "x?"])}),
    st.fixed_dictionaries({"minItems": SIZES, "maxItems": SIZES, "uniqueItems": st.booleans()}),
    st.fixed_dictionaries({"required": st.lists(NAMES, max_size=2, unique=True), "minProperties": SIZES}),
    st.fixed_dictionaries({"maxProperties": SIZES, "title": st.text(max_size=3), "format": st.just("date")}),
)
SCHEMAS: st.SearchStrategy[Json] = st.recursive(
    st.booleans() | ALONE,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"properties": st.dictionaries(NAMES, inner, max_size=3), "additionalProperties": inner}),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=3)}),
    ),
    max_leaves=6,
)
# A reference stands at the root alone: one that leads to itself has no end, which is a test of its own.
ROOTED = SCHEMAS | SCHEMAS.map(lambda inner: {"$defs": {"a/b": inner}, "$ref": "#/$defs/a~1b"})


def valid(value: Json, schema: Json) -> bool:
    """The word of the other implementation."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@given(JSONS, ROOTED)
def test_fits_is_what_another_implementation_says(value: Json, schema: Json) -> None:
    """Over the keywords that are known here the answers are the same."""
    assert fits(value, schema) == valid(value, schema)


UNKNOWN: list[Json] = [
    {"if": True, "then": True},
    {"oneOf": [True]},
    {"not": False},
    {"dependentRequired": {}},
    {"patternProperties": {}, "additionalProperties": True},
    {"prefixItems": [], "items": True},
    {"multipleOf": 1},
    {"$ref": "https://example.com/schema.json"},
    {"$ref": "#/$defs/gone"},
    {"$ref": "#"},
    {"enum": ["text"], "pattern": "("},
    "no schema",
    None,
]

VALUES: list[Json] = [{}, [], "text", 12]


@pytest.mark.parametrize("schema", UNKNOWN, ids=repr)
def test_unknown_schema_is_kept_by_nothing(schema: Json) -> None:
    """A schema that says what is not known here is one that no value is claimed to keep to."""
    assert not any(fits(value, schema) for value in VALUES)


def test_depth_has_an_end() -> None:
    """A schema that refers to itself without end is kept by nothing."""
    assert not fits({}, {"allOf": [{"$ref": "#"}]})
