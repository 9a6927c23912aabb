"""What is asked of the agent: tasks, and the suite that holds them. No counts, no seeds, no conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from passhat.model.base import Json, Noun
from passhat.model.digest import digest
from passhat.model.operations import NOTHING_DECLARED, Declared
from passhat.model.talk import stored_user


class _Asked(Noun):
    id: str
    input: Json


class Task(_Asked, kw_only=True):
    """One job for the agent: an id, the input it gets, and what the grader expects.

    Its identity is its id *and* its digest: a task whose text changed is another task. Input, `expect` and `metadata`
    are JSON; a tuple is read back as a list. Sets, bytes and keys that are no texts are refused before anything runs.

    `user` makes a talk of it, which begins with the input: a list of what the user says next, whatever the agent
    answers, or a callable, sync or async, that gets the turns so far and gives the user's next words, or None where it
    is done.
    """

    expect: Json = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = {}
    user: Any = None

    @property
    def digest(self) -> str:
        """The name of this task's content; tags do not belong to it."""
        user = () if self.user is None else (stored_user(self.user),)
        return digest((self.input, self.expect, self.metadata, *user))

    @property
    def stored(self) -> Task:
        """This task as a store keeps it: JSON alone, under the same digest. A callable user is its name there."""
        return replace(self, user=stored_user(self.user)) if callable(self.user) else self


class Suite(Noun, kw_only=True):
    """Tasks, the world that they happen in, and the grader that judges them: *what* is tested.

    `world` is a factory that is called once a trial and gives a fresh world, or a (async) context manager of one.
    `declared` says of its tools what no trace can show; a run keeps it, and whoever reads the run goes by it.
    """

    tasks: Sequence[Task]
    grader: Any
    world: Callable[[], Any] | None = None
    name: str = "suite"
    declared: Declared = NOTHING_DECLARED
