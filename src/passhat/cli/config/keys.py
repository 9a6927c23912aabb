"""What may stand in `passhat.toml`: each table, each key, what it takes and what it says. Nothing is read here.

The reader and the schema for editors are both made from this one list, so that they cannot part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from passhat.model.numbers import typed_number


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: in words, as JSON schema, and what is one."""

    words: str
    schema: Mapping[str, Any]
    fits: Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_share(value: object) -> bool:
    return _is_number(value) or (isinstance(value, str) and typed_number(value) is not None)


def _are_named_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


_TEXT: dict[str, Any] = {"type": "string", "pattern": r"\S"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_SHARE: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"\d"}]}

TEXT = Kind("a text", _TEXT, _is_text)
TEXTS = Kind('a list of texts, such as ["…", "…"]', _TEXTS, _are_texts)
WORDS = Kind(
    'a text, or a list of words such as ["node", "agent.js"]',
    {"anyOf": [_TEXT, {**_TEXTS, "minItems": 1}]},
    lambda value: _is_text(value) or (bool(value) and _are_texts(value)),
)
WHOLE = Kind("a whole number", {"type": "integer"}, _is_whole)
NUMBER = Kind("a number", {"type": "number"}, _is_number)
SHARE = Kind('a number, such as 0.95 or "95%"', _SHARE, _is_share)
FLAG = Kind("true or false", {"type": "boolean"}, lambda value: isinstance(value, bool))
ANY = Kind("any value", {}, lambda _: True)
TABLE = Kind("a table", {"type": "object"}, lambda value: isinstance(value, dict))
NAMED_TEXTS = Kind("a table of texts", {"type": "object", "additionalProperties": {"type": "string"}}, _are_named_texts)
TASKS = Kind("the path of a .jsonl or .csv file, or [[suite.tasks]]", {}, lambda _: True)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table. *choices* are the texts that it takes, where these are few."""

    kind: Kind
    says: str
    choices: tuple[str, ...] = ()

    def problem(self, value: object) -> str:
        """Why *value* cannot stand here; empty where it can."""
        if self.choices and value not in self.choices:
            return f"one of {', '.join(map(repr, self.choices))}, not {value!r:.80}"
        return "" if self.kind.fits(value) else f"{self.kind.words}, not {value!r:.80}"


TASK: Mapping[str, Key] = {
    "id": Key(TEXT, "The name of the task in reports."),
    "input": Key(ANY, "What the agent is asked: a text, or any JSON."),
    "expect": Key(ANY, "What the grader compares with."),
    "tags": Key(TEXTS, "Words of yours."),
    "metadata": Key(TABLE, "Values of yours."),
}
TABLES: Mapping[str, Mapping[str, Key]] = {
    "suite": {
        "name": Key(TEXT, "What the suite is called in reports."),
        "tasks": Key(TASKS, "The tasks: the path of a .jsonl or .csv file, or one [[suite.tasks]] for each."),
        "columns": Key(NAMED_TEXTS, "Where a file of tasks names its fields otherwise: input = 'question'."),
    },
    "agent": {
        "command": Key(WORDS, "The command that the agent is."),
        "url": Key(TEXT, "The URL of the service that the agent is."),
        "python": Key(TEXT, "The agent in Python: file.py:name or module:name."),
        "label": Key(TEXT, "What the agent is called in the run."),
        "version": Key(TEXT, "Which version of the agent this is."),
        "stdin": Key(TEXT, "What a command gets on its standard input.", ("json", "text", "nothing")),
        "answer": Key(TEXT, "How a command's standard output is read.", ("auto", "json", "text")),
        "folder": Key(TEXT, "The folder that a command runs in: that of this file, if not said."),
        "environment": Key(NAMED_TEXTS, "Variables for a command."),
        "shape": Key(TEXT, "What a service takes and gives.", ("auto", "json", "chat", "responses")),
        "headers": Key(NAMED_TEXTS, "Headers for a service."),
        "settings": Key(TABLE, "What goes into the body of each request, such as a model's name."),
        "instructions": Key(TEXT, "What a model is told first."),
    },
    "world": {"python": Key(TEXT, "The world's factory in Python: file.py:name or module:name.")},
    "run": {
        "trials": Key(WHOLE, "How often each task runs under each condition."),
        "seed": Key(WHOLE, "The root of all draws."),
        "same_seed": Key(FLAG, "One seed for all trials of a task."),
        "concurrency": Key(WHOLE, "How many trials run at a time."),
        "timeout": Key(NUMBER, "The seconds for one trial."),
        "time": Key(TEXT, "Virtual time skips what an async agent waits for.", ("real", "virtual")),
        "clean": Key(FLAG, "Whether there is a condition without faults."),
        "under": Key(TEXTS, "The conditions besides the clean one: their text, or a name of [conditions]."),
    },
    "gate": {
        "require": Key(TEXTS, "What must hold, such as 'pass^5 >= 0.80'."),
        "k": Key(WHOLE, "The k of pass^k."),
        "for_tasks": Key(TEXT, "Of which tasks the suite's intervals speak.", ("these", "like-these")),
        "voids": Key(TEXT, "What void trials count as.", ("exclude", "fail")),
        "confidence": Key(SHARE, "The level of the intervals."),
        "interval": Key(TEXT, "Another kind of interval, such as wilson."),
        "metric": Key(TEXTS, "Metrics to be shown too."),
    },
    "store": {"path": Key(TEXT, "The file that keeps the trials, or postgresql://USER@HOST/DATABASE.")},
}
NEEDED = ("suite", "agent", "grader")
OPEN = ("grader", "conditions")
# Which options belong to which way of naming an agent; label and version belong to all.
AGENTS: Mapping[str, tuple[str, ...]] = {
    "command": ("stdin", "answer", "folder", "environment"),
    "url": ("shape", "headers", "settings", "instructions"),
    "python": (),
}
