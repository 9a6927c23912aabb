"""Every noun is JSON and back, and says which schema it was written in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.model.answer import Answer
from passhat.model.codec import KINDS, MAJOR, MINOR, decode, encode
from passhat.model.task import Task
from tests.model.nouns import BY_KIND


def test_every_kind_is_tried() -> None:
    """There is a strategy for each kind that the codec lists."""
    assert set(BY_KIND) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=30)
def test_value_round_trips(kind: str, data: st.DataObject) -> None:
    """What was written is read back as the same value."""
    noun = data.draw(BY_KIND[kind])

    assert decode(encode(noun), KINDS[kind]) == noun


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=5)
def test_document_says_what_it_is(kind: str, data: st.DataObject) -> None:
    """A document carries its schema and its kind, and is JSON for everybody."""
    document = json.loads(encode(data.draw(BY_KIND[kind])))

    assert document["schema"] == f"{MAJOR}.{MINOR}"
    assert document["kind"] == kind
    assert set(document) == {"schema", "kind", "value"}


def _document(value: Any, *, schema: str = "1.0", kind: str = "task") -> str:  # noqa: ANN401 - any JSON
    return json.dumps({"schema": schema, "kind": kind, "value": value})


def test_newer_major_is_refused_with_one_sentence() -> None:
    """What a newer passhat wrote is refused, and the sentence says what to do."""
    with pytest.raises(UsageError) as caught:
        decode(_document({"id": "a", "input": 1}, schema="2.0"), Task)

    assert len(caught.value.problems) == 1
    assert str(caught.value) == (
        "this task was written by a newer passhat (schema 2.0, this one reads up to 1.x): upgrade passhat"
    )


def test_newer_minor_is_read() -> None:
    """A newer minor schema only added fields, which are skipped."""
    document = _document({"id": "a", "input": 1, "colour": "red"}, schema="1.7")

    assert decode(document, Task) == Task("a", 1)


def test_missing_fields_take_their_defaults() -> None:
    """An older document lacks newer fields."""
    assert decode(_document({}, kind="answer"), Answer) == Answer()


@pytest.mark.parametrize("schema", ["", "one", "-1.0", "v1", "1", "1."])
def test_odd_schema_is_refused_or_read(schema: str) -> None:
    """A schema that passhat never wrote is refused in a sentence; its own major is read."""
    document = _document({"id": "a", "input": 1}, schema=schema)
    if schema.startswith("1"):
        assert decode(document, Task) == Task("a", 1)
    else:
        with pytest.raises(UsageError, match="never wrote"):
            decode(document, Task)


def test_wrong_kind_is_refused() -> None:
    """A verdict is not read as a task."""
    with pytest.raises(UsageError, match="expected a task"):
        decode(encode(Answer("x")), Task)


@pytest.mark.parametrize(
    "document",
    ["", "nonsense", "[]", "{}", "null", '{"schema": 1}', _document(7), _document({"id": 7, "input": 1}), "\x00"],
)
def test_what_is_no_document_is_refused(document: str) -> None:
    """Whatever passhat did not write is refused in a sentence that says what was expected."""
    with pytest.raises(UsageError, match="task"):
        decode(document, Task)


def test_bytes_that_are_no_text_are_refused() -> None:
    """Bytes that are no UTF-8 are refused like anything else."""
    with pytest.raises(UsageError, match="task"):
        decode(b'{"schema": "1.0", "kind": "task", "value": {"id": "\xff", "input": 1}}', Task)
