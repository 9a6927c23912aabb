"""What a task's user is called: equal names for equal users, in every process, and nothing but JSON in a store."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from passhat import Task
from passhat.model.codec import decode, encode
from passhat.model.talk import Turn, as_told, stored_user, text_of


def customer(turns: Sequence[Turn], mood: object = "calm") -> object:
    """A user."""
    return mood if len(turns) < 3 else None


class Persona:
    """A user with a version and a description of its own."""

    def __init__(self, mood: str, version: str = "") -> None:
        self.mood = mood
        self.version = version

    def __repr__(self) -> str:
        return f"Persona({self.mood!r})"

    def __call__(self, turns: Sequence[Turn]) -> str | None:
        """Say the mood."""
        return self.mood


class Quiet:
    """A user that says nothing of itself."""

    def __call__(self, turns: Sequence[Turn]) -> None:
        """Say nothing."""


NAME = f"{__name__}.customer"


@pytest.mark.parametrize(
    ("user", "stored"),
    [
        (None, None),
        (["one", "two"], ["one", "two"]),
        (("one", "two"), ["one", "two"]),
        (customer, NAME),
        (functools.partial(customer, mood="angry"), f'{NAME}(mood="angry")'),
        (functools.partial(functools.partial(customer, mood="angry"), mood="sad"), f'{NAME}(mood="sad")'),
        (functools.partial(customer, mood=Quiet()), f"{NAME}(mood={__name__}.Quiet)"),
        (Persona("angry"), "Persona('angry')"),
        (Persona("angry", "2"), "Persona('angry') 2"),
        (functools.partial(Persona("angry", "2")), "Persona('angry')() 2"),
        (Quiet(), f"{__name__}.Quiet"),
    ],
)
def test_user_is_stored_as_what_it_is_called(user: object, stored: object) -> None:
    """A script as its texts, a callable as its name, what it was given, and its version."""
    assert stored_user(user) == stored


@pytest.mark.parametrize("user", [None, ["one"], customer, Persona("calm", "3")])
def test_stored_task_has_the_digest_of_the_live_one(user: object) -> None:
    """A run that is read again belongs to the same tasks; nothing but JSON is stored."""
    task = Task("task", "input", user=user)
    read = decode(encode(task.stored), Task)

    assert read == task.stored
    assert read.digest == task.digest
    assert read.stored == read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, []),
        (["one"], ["one", "two"]),
        (["one"], "one"),
        (customer, None),
        (Persona("calm"), Persona("angry")),
        (Persona("calm"), Persona("calm", "2")),
    ],
)
def test_another_user_makes_another_task(one: object, other: object) -> None:
    """What the user says decides what is tested."""
    assert Task("task", "input", user=one).digest != Task("task", "input", user=other).digest


def test_task_without_a_user_has_the_digest_that_it_always_had() -> None:
    """Runs that were stored before there were users stay comparable."""
    assert Task("late-parcel", "Order 7 is late.", expect={"refunded": 7}).digest == "6cdf442012f12f3219cd"
    assert msgspec.json.encode(Task("a", "b")) == b'{"id":"a","input":"b"}'


@pytest.mark.parametrize(
    ("value", "text"), [("as it is", "as it is"), (None, ""), ({"order": 7}, '{"order":7}'), (7, "7"), (False, "false")]
)
def test_whatever_is_said_is_a_text(value: Any, text: str) -> None:  # noqa: ANN401 - any output of an agent
    """A turn holds a text."""
    assert text_of(value) == text


def test_agents_elsewhere_are_told_who_said_what() -> None:
    """As JSON; how many calls there were is for graders."""
    assert as_told([Turn("user", "hello"), Turn("agent", "yes?", 2)]) == [
        {"who": "user", "text": "hello"},
        {"who": "agent", "text": "yes?"},
    ]
