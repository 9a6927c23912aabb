"""The end states of a clean run as accepted ones: taken from its trials, written to a file, read from it.

A file is JSON: the id of each task, and below it the states that it may end in, in canonical form. It is made once,
read by a person, and kept beside the suite: no trial is judged by another one of its own run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from passhat.errors import UsageError
from passhat.graders._places import encoded
from passhat.graders._states import reader
from passhat.model.base import Json
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial

States = Mapping[str, Sequence[Json]]


def accepted_states(
    trials: Iterable[Trial],
    *,
    ignore: Sequence[str] = (),
    unordered: Sequence[str] = (),
    ids: Sequence[str] = (),
) -> dict[str, list[Json]]:
    """The states that the clean trials which passed ended in, by task, each once; the settings are the grader's."""
    read = reader(ignore=ignore, unordered=unordered, ids=ids)
    found: dict[str, dict[bytes, Json]] = {}
    for trial in trials:
        if trial.condition == CLEAN and trial.outcome is Outcome.PASS and trial.state is not None:
            state = read(trial.state)
            found.setdefault(trial.task_id, {})[encoded(state)] = state
    return {task: [states[key] for key in sorted(states)] for task, states in sorted(found.items())}


def states_text(states: States) -> str:
    """A file of these states: by task, with keys in order, so that two of them can be compared line by line."""
    return json.dumps(states, indent=2, sort_keys=True) + "\n"


def read_states(path: str | Path) -> States:
    """The states in the file at *path*, for `end_state(like=…)`."""
    try:
        found: Any = msgspec.json.decode(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except msgspec.DecodeError as error:
        raise UsageError(f"{path}: no JSON: {error}") from None
    problem = states_problem(found)
    if problem:
        raise UsageError(f"{path}: {problem}")
    states: States = found
    return states


def states_problem(states: object) -> str:
    """What is wrong with accepted states by task; empty where nothing is."""
    if not isinstance(states, Mapping) or not states:
        return "accepted states are a mapping of a task's id to a list of states, and not empty"
    for task, listed in states.items():
        if not isinstance(listed, list | tuple) or not listed:
            return f"task {task!r}: its accepted states are a list with one or more, such as [{{}}]"
    return ""
