"""The grader of effects: the world is left as it should be, whatever the answer says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passhat.graders._states import canonical, differences, foreign, pattern_of, told
from passhat.graders.base import Grader, names_problems, refuse
from passhat.model.base import Json
from passhat.model.digest import digest
from passhat.model.plain import json_problem
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class EndState(Grader):
    """Pass where the world's snapshot is one of the states in *accept*, or the task's `expect` where none is named.

    *ignore* names what may be anything, such as `orders.*.updated_at`; *unordered* names lists whose order means
    nothing. The order of keys never does, and 5 is 5.0.
    """

    accept: Sequence[Json] = ()
    ignore: Sequence[str] = ()
    unordered: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse states that are no JSON, and paths that are none."""
        listed = isinstance(self.accept, list | tuple)
        wrong = json_problem(list(self.accept)) if listed else ""
        refuse(
            *([] if listed else ["end_state: accept is a list of states; write brackets around one"]),
            *([f"end_state: an accepted state is JSON: {wrong}"] if wrong else []),
            *names_problems("end_state", ignore=self.ignore, unordered=self.unordered),
        )

    @property
    def identity(self) -> str:
        """The paths, and a digest of the accepted states."""
        paths = f"ignore={list(self.ignore)}, unordered={list(self.unordered)}"
        return f"end_state(accept={digest(list(self.accept)) if self.accept else 'expect'}, {paths})"

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        """Without accepted states of its own it needs the task's."""
        if self.accept or expect is not None:
            return ()
        return (f"task {task_id!r}: end_state() compares with the state in 'expect', and the task has none",)

    def grade(self, evidence: Evidence) -> Grade:
        """Compare the end state with each accepted one, and tell the nearest."""
        state = self._canonical(_sound(evidence.state))
        accepted = self.accept or (evidence.expect,)
        nearest = min((differences(self._canonical(one), state) for one in accepted), key=len)
        return Grade("end_state", passed=not nearest, reason=told(nearest))

    def _canonical(self, state: Json) -> Json:
        found: Json = canonical(
            state,
            ignore=[pattern_of(path) for path in self.ignore],
            unordered=[pattern_of(path) for path in self.unordered],
        )
        return found


def _sound(state: Json) -> Json:
    """*state*, where the world has shown one and all of it was JSON."""
    if state is None:
        raise ValueError("end_state() needs a world with a snapshot(), and this one showed no state")
    for place, kind in foreign(state):
        raise ValueError(f"the world's snapshot is no JSON: {place} is a {kind}; give texts, numbers, lists and dicts")
    return state
