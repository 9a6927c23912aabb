"""Any Python value as JSON, without ever raising."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.answer import Answer
from passhat.model.body import decode_trial, encode_body
from passhat.model.outcome import Outcome
from passhat.model.plain import LONGEST, clipped, described, encoded_alike, json_problem, mended, plain, words
from passhat.model.protocols import TrialRow
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.model.trial import ToolCall, Trial
from tests.model.nouns import json, trials


class Raises:
    """An object that raises whenever it is looked at."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        return 7


class OddMapping(Mapping[Any, Any]):
    """A mapping that raises when it is read."""

    def __getitem__(self, key: object) -> object:
        raise KeyError(key)

    def __iter__(self) -> Iterator[object]:
        return iter(("a", Raises()))

    def __len__(self) -> int:
        return 2


class Colour(enum.Enum):
    """An enumeration."""

    RED = "red"


@dataclasses.dataclass
class Point:
    """A data class."""

    x: int
    tags: set[str]


def _cycle() -> dict[str, Any]:
    cycle: dict[str, Any] = {}
    cycle["self"] = [cycle]
    return cycle


def _deep(levels: int) -> object:
    value: object = 1
    for level in range(levels):
        value = [value] if level % 2 else {"k": value}
    return value


class Evil(str):
    """A text that raises at whatever it is asked."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


class EvilNumber(int):
    """A number that does."""

    def __int__(self) -> int:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = int.__hash__


ODD: dict[str, Callable[[], object]] = {
    "object": object,
    "raises": Raises,
    "list of raising": lambda: [Raises()],
    "odd mapping": OddMapping,
    "set of mixed": lambda: {1, "a", None, (1, 2)},
    "bytes": lambda: b"\xff",
    "nan": lambda: [float("nan"), float("inf")],
    "huge": lambda: 2**4_000,
    "beyond 64 bits": lambda: {"n": 2**64},
    "cycle": _cycle,
    "deep": lambda: _deep(5_000),
    "rather deep": lambda: _deep(900),
    "surrogates": lambda: {"\ud800": ["\udfff"]},
    "enum": lambda: Colour.RED,
    "data class": lambda: Point(1, {"b", "a"}),
    "time": lambda: [dt.datetime(2026, 1, 1, tzinfo=dt.UTC), decimal.Decimal("1.5")],
    "megabytes": lambda: {"text": "é" * 3_000_000},
    "odd keys": lambda: {(1, 2): 1, None: 2, Raises(): 3, 1.5: 4, True: 5},
    "generator": lambda: (number for number in (1, 2)),
    "type": lambda: int,
    "text of its own kind": lambda: [Evil("a")],
    "number of its own kind": lambda: EvilNumber(3),
}


def _kept(value: object) -> object:
    """What is read back of a trial whose answer, arguments, reply and state are *value*."""
    trial = Trial(
        task_id="a",
        task_digest="",
        condition="clean",
        index=0,
        outcome=Outcome.PASS,
        answer=Answer(plain(value)),
        trace=(ToolCall(step=1, tool="t", arguments={"x": plain(value)}, reply=plain(value), upstream=plain(value)),),
        state=plain(value),
    )
    header = Header(id="r", suite="", agent="", tasks=(Task("a", 1),), conditions=("clean",), grader="", trials=1)
    read = decode_trial(header, TrialRow(0, 0, "PASS", False, 0.0, 0.0, encode_body(trial)))  # noqa: FBT003
    assert read.answer is not None
    assert read.answer.output == read.trace[0].reply == read.trace[0].arguments["x"] == read.state
    return read.state


@pytest.mark.parametrize("name", ODD)
def test_nothing_raises_and_all_can_be_stored(name: str) -> None:
    """Whatever an agent or a tool hands over can be stored and read back, and something of it is left."""
    assert _kept(ODD[name]()) is not None


@given(json)
def test_json_is_kept_as_it_is(value: object) -> None:
    """A JSON value is copied unchanged."""
    assert plain(value) == value
    assert mended(value) == value
    assert _kept(value) == value


def test_copy_is_a_copy() -> None:
    """What happens to the original later does not change the copy."""
    value = {"list": [1, {"x": 2}]}
    copy = plain(value)

    value["list"].append(3)

    assert copy == {"list": [1, {"x": 2}]}


def test_what_was_lost_is_named() -> None:
    """An object is kept as its type and its text."""
    assert mended([float("nan")]) == [{"$type": "builtins.float", "$repr": "nan"}]
    assert plain([2**70, object]) == [
        {"$type": "builtins.int", "$repr": str(2**70)},
        {"$type": "builtins.type", "$repr": "<class 'object'>"},
    ]


def test_sets_have_one_order() -> None:
    """A set is a list in one order, wherever it stands."""
    expected = sorted(f"word-{number}" for number in range(30))

    assert plain(set(expected)) == plain([*[frozenset(expected)]])[0] == expected
    assert plain(Point(1, set(expected))) == {"x": 1, "tags": expected}


def test_long_text_is_cut_and_says_so() -> None:
    """A text that is too long is cut, with its length."""
    assert clipped("x" * 20, 5) == "xxxxx … (cut: 20 characters)"
    assert len(str(mended("x" * (LONGEST * 2)))) < LONGEST + 100


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), (0, False), ([1], [True]), ({"a": 1}, {"a": 1.0}), (None, 0), ("1", 1)]
)
def test_json_types_differ(one: object, other: object) -> None:
    """Values that Python calls equal are told apart where JSON does."""
    assert not encoded_alike(one, other)
    assert encoded_alike(one, one)


def test_key_order_does_not_differ() -> None:
    """An object's keys have no order."""
    assert encoded_alike({"a": 1, "b": [2]}, {"b": [2], "a": 1})


def test_describing_never_raises() -> None:
    """An object or an error that cannot be shown is shown as that."""

    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert described(Raises()) == "<its repr raises RuntimeError>"
    assert words(Unspeakable()) == "<its text raises RuntimeError>"


@given(trials)
def test_body_round_trips(trial: Trial) -> None:
    """A trial is read back from its row as it was."""
    header = Header(
        id="r", suite="", agent="", tasks=(Task("a", 1), Task("b", 2)), conditions=("x", "y"), grader="", trials=1
    )
    given = 2 if trial.input is None else trial.input
    placed = msgspec.structs.replace(trial, task_id="b", task_digest=header.tasks[1].digest, condition="y", input=given)
    row = TrialRow(3, trial.index, trial.outcome, trial.exposed, trial.started_at, trial.seconds, encode_body(placed))

    assert decode_trial(header, row) == placed


@given(trials, st.floats(0, 9), st.floats(0, 9))
def test_content_knows_no_time(trial: Trial, started_at: float, seconds: float) -> None:
    """Two trials are the same where all but times and attempts is."""
    slower = tuple(msgspec.structs.replace(call, at=call.at + 1, seconds=seconds) for call in trial.trace)
    again = msgspec.structs.replace(trial, started_at=started_at, seconds=seconds, attempts=(), trace=slower)

    assert again.content() == trial.content()
    assert msgspec.structs.replace(trial, index=trial.index + 1).content() != trial.content()


class Level(enum.IntEnum):
    """A number with a name."""

    HIGH = 3


anything = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.floats(),
        st.text(),
        st.binary(),
        st.dates(),
        st.sampled_from([Level.HIGH, Colour.RED, Raises]),
        st.sets(st.integers(), max_size=3),
        st.frozensets(st.text(), max_size=3),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(), st.integers()), inner, max_size=3),
    ),
    max_leaves=6,
)


@given(anything)
def test_json_has_a_problem_or_comes_back(value: object) -> None:
    """A value that JSON has no problem with comes back as it was, but for tuples, which are lists then."""
    if not json_problem(value):
        assert msgspec.json.decode(msgspec.json.encode(value)) == _with_lists(value)


@given(json)
def test_json_has_no_problem_with_json(value: object) -> None:
    """What was read from JSON may be written as JSON."""
    assert json_problem(value) == ""


def _with_lists(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_with_lists(item) for item in value]
    return {key: _with_lists(item) for key, item in value.items()} if isinstance(value, dict) else value
