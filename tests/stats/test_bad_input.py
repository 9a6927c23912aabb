"""The contract of all public functions: whatever they are given, they answer or say what is wrong with it.

A sound call of each is spoilt, one argument at a time, with a small zoo of wrong values. Whether a value is refused or
has an answer is each function's own business and tested beside it; here no other exception may come out, no warning,
and no NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import permutations
from math import inf, isnan, nan, nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat import stats
from passhat.errors import UsageError
from tests.stats.sound import SOUND

FUNCTIONS = [name for name in stats.__all__ if inspect.isfunction(getattr(stats, name))]
HUGE = 10**400  # larger than any float
ZOO: dict[str, Any] = {
    "none": None,
    "a text": "abc",
    "an empty text": "",
    "a number as text": "0.5",
    "bytes": b"ab",
    "nan": nan,
    "inf": inf,
    "-inf": -inf,
    "-1": -1,
    "-0.5": -0.5,
    "0": 0,
    "0.5": 0.5,
    "true": True,
    "a complex number": 1j,
    "next to nothing": 1e-320,
    "huge": 1e300,
    "huge and whole": 10**18,
    "beyond a float": HUGE,
    "an object": object(),
    "empty": [],
    "an empty row": [[]],
    "an empty array": np.empty((0, 3)),
    "ragged": [[1], [1, 2]],
    "two dimensions": [[1.0, 2.0], [3.0, 4.0]],
    "one number as array": np.array(3.0),
    "too long": [1] * 7,
    "one": [1],
    "a list of nan": [nan] * 3,
    "a list of none": [None] * 3,
    "a list of texts": ["a", "b", "c"],
    "a list beyond floats": [HUGE] * 3,
    "an array of objects": np.array([object()] * 3),
    "a set": {1, 2},
    "a dict": {"a": 1},
}


def call(name: str, arguments: Mapping[str, Any]) -> object:
    """The function's answer to arguments by name; `resource_consistency` takes its resources by position."""
    by_name = dict(arguments)
    by_place = [by_name.pop("resources")] if name == "resource_consistency" else []
    return getattr(stats, name)(*by_place, **by_name)


def complaint(name: str, arguments: Mapping[str, Any]) -> str:
    """What is wrong with how the function takes these arguments; nothing where it answers or refuses them."""
    try:
        answer = call(name, arguments)
    except UsageError as error:
        return "" if str(error) else "it is refused without a word"
    except Exception as error:  # noqa: BLE001 - which one it is, is what is tested
        return f"{type(error).__name__}: {error}"
    return "the answer is NaN" if any(map(isnan, numbers(answer))) else ""


def numbers(answer: object) -> Iterator[float]:
    """All floats in an answer."""
    if isinstance(answer, float):
        yield answer
    elif isinstance(answer, np.ndarray):
        yield from answer.ravel().tolist()
    elif isinstance(answer, tuple | list):
        for each in answer:
            yield from numbers(each)
    elif is_dataclass(answer):
        for field in fields(answer):
            yield from numbers(getattr(answer, field.name))


def test_every_function_has_a_sound_call() -> None:
    """No function is left out, and none is there that is no more; each sound call has an answer."""
    assert SOUND.keys() == set(FUNCTIONS)
    assert [name for name in FUNCTIONS if complaint(name, SOUND[name]) or call(name, SOUND[name]) is None] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_spoilt(name: str) -> None:
    """A sound call names every parameter but flags."""
    parameters = inspect.signature(getattr(stats, name)).parameters.values()

    assert {one.name for one in parameters if not isinstance(one.default, bool)} <= SOUND[name].keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_value_is_refused_or_answered(name: str) -> None:
    """One wrong argument among sound ones raises a usage error, or has an answer that is no NaN."""
    spoilt = [
        (parameter, wrong, complaint(name, {**SOUND[name], parameter: value}))
        for parameter, sound in SOUND[name].items()
        for wrong, value in ZOO.items()
        if not isinstance(sound, bool)
    ]

    assert [one for one in spoilt if one[2]] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_rows_are_refused_or_answered(name: str) -> None:
    """Rows that are all wrong in the same way, and so of one shape, raise a usage error or have an answer."""
    spoilt = [
        (
            wrong,
            complaint(name, {key: value if isinstance(sound, list) else sound for key, sound in SOUND[name].items()}),
        )
        for wrong, value in ZOO.items()
    ]

    assert [one for one in spoilt if one[1]] == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("blocks", {"n": [[1], [1, 2]], "k": 2}),
        ("blocks", {"n": [], "k": 2}),
        ("at_least_of_k", {"n": [10, 10], "c": [8, 8], "k": [4, 4], "at_least": [1, 2, 3]}),
        ("standard_error", {"n": 10, "c": 8, "k": 2}),
        ("suite_interval", {"n": [10, 10], "c": [8, 8], "k": [1]}),
        ("cluster_bootstrap", {"n": [10], "c": [8], "k": []}),
        ("beta_binomial_from_moments", {"m1": [0.7], "m2": 0}),
        ("tool_entropy", {"tools": 3}),
        ("mop_step", {"tools": None}),
        ("surface_mean", {"grid": 3}),
        ("sequence_similarity", {"one": 1, "other": "ab"}),
        ("difference_interval", {"first": 0.5, "second": (0.5, 0.4, 0.6)}),
        ("extrapolate_pass_hat_k", {"fit": (0.7, 0.2), "k": 2}),
        ("paired_tasks", {"drop": 1e-320, "task_variance": 0.1}),
        ("at_least_of_k", {"n": [10, None], "c": 8, "k": 3, "at_least": 1}),
    ],
)
def test_wrong_shape_has_no_answer(name: str, arguments: dict[str, Any]) -> None:
    """What can have no answer is refused in one sentence."""
    with pytest.raises(UsageError):
        call(name, arguments)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_shapes_that_do_not_fit_are_refused_or_answered(name: str) -> None:
    """Two values for one argument and three for another raise a usage error, or have an answer."""
    sound_call = SOUND[name]
    single = [
        key for key, value in sound_call.items() if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    spoilt = [
        (two, three, complaint(name, {**sound_call, two: [sound_call[two]] * 2, three: [sound_call[three]] * 3}))
        for two, three in permutations(single, 2)
    ]

    assert [one for one in spoilt if one[2]] == []


@given(st.floats(1e-300, 1 - 1e-16), st.integers(1, 5), st.sampled_from([0.0, 1.0]))
def test_rates_that_nearly_are_one_are_refused_or_told_apart(p0: float, steps: int, towards: float) -> None:
    """Wald's test of two neighbouring floats is refused, or has bounds and steps: nothing is divided by 0."""
    p1 = p0
    for _ in range(steps):
        p1 = nextafter(p1, towards)

    assert complaint("sprt", {"p0": p0, "p1": p1}) == ""


def test_bounds_of_a_tiny_error_are_finite() -> None:
    """However small an error Wald's test may make, its bounds are numbers."""
    test = stats.sprt(0.9, 0.8, alpha=1e-200, beta=1e-200)

    assert test.upper == pytest.approx(-test.lower) == pytest.approx(460.517, abs=1e-3)


def test_no_task_has_no_variance() -> None:
    """What goes item by item gives nothing for nothing."""
    nothing = np.array([])

    assert stats.exact_variance(nothing, nothing, 1).tolist() == []
    assert stats.pass_hat_k(nothing, nothing, 1).tolist() == []
