"""The grader of effects: the world is left as it should be, whatever the answer says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from passhat.graders._accepted import states_problem
from passhat.graders._states import differences, foreign, reader, told
from passhat.graders.base import Grader, names_problems, refuse
from passhat.model.base import Json
from passhat.model.digest import digest
from passhat.model.plain import json_problem
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class EndState(Grader):
    """Pass where the world's snapshot is an accepted state: the task's `expect`, or one of those that are named.

    *accept* names them for every task alike; *like* for each task by its id, as a clean run left them
    (`passhat states`, `graders.read_states`). *ignore* names what may be anything, such as
    `orders.*.updated_at`; *unordered* lists whose order means nothing; *ids* what is made up anew in each trial, such
    as `orders.*.id`, or `orders.*~` for keys: there it only counts which are the same. The order of keys never means
    anything, and 5 is 5.0.
    """

    accept: Sequence[Json] = ()
    like: Mapping[str, Sequence[Json]] | None = None
    ignore: Sequence[str] = ()
    unordered: Sequence[str] = ()
    ids: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse states that are no JSON, and paths that are none."""
        listed = isinstance(self.accept, list | tuple)
        wrong = json_problem(list(self.accept)) if listed else ""
        by_task = "" if self.like is None else states_problem(self.like) or json_problem(self.like)
        refuse(
            *([] if listed else ["end_state: accept is a list of states; write brackets around one"]),
            *([f"end_state: an accepted state is JSON: {wrong}"] if wrong else []),
            *([f"end_state: like: {by_task}"] if by_task else []),
            *(
                ["end_state: accept and like both name the states; give one of them"]
                if self.accept and self.like
                else []
            ),
            *names_problems("end_state", ignore=self.ignore, unordered=self.unordered, ids=self.ids),
        )

    @property
    def identity(self) -> str:
        """The paths, and a digest of the accepted states."""
        named = digest(list(self.accept)) if self.accept else "expect"
        states = f"accept={named}" if self.like is None else f"like={digest(self.like)}"
        ids = f", ids={list(self.ids)}" if self.ids else ""
        return f"end_state({states}, ignore={list(self.ignore)}, unordered={list(self.unordered)}{ids})"

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """Each task needs a state: of its own, or one that is named."""
        if self.like is not None:
            known = task_id in self.like
            return () if known else (f"task {task_id!r}: end_state(like=…) holds no state of it: export them anew",)
        if self.accept or expect is not None:
            return ()
        return (f"task {task_id!r}: end_state() compares with the state in 'expect', and the task has none",)

    def grade(self, evidence: Evidence) -> Grade:
        """Compare the end state with each accepted one, and tell the nearest."""
        read = self._reader()
        state = read(_sound(evidence.state))
        nearest = min((differences(read(one), state) for one in self._accepted(evidence)), key=len)
        return Grade("end_state", passed=not nearest, reason=told(nearest), of_state=True)

    def _accepted(self, evidence: Evidence) -> Sequence[Json]:
        if self.like is None:
            return self.accept or (evidence.expect,)
        return self.like[evidence.task_id]

    def _reader(self) -> Callable[[Json], Any]:
        return reader(ignore=self.ignore, unordered=self.unordered, ids=self.ids)


def _sound(state: Json) -> Json:
    """*state*, where the world has shown one and all of it was JSON."""
    if state is None:
        raise ValueError("end_state() needs a world with a snapshot(), and this one showed no state")
    for place, kind in foreign(state):
        raise ValueError(f"the world's snapshot is no JSON: {place} is a {kind}; give texts, numbers, lists and dicts")
    return state
