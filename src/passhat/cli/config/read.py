"""Reading `passhat.toml`: what it says as the options of `passhat run`, its suite, and all that is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from passhat import api
from passhat.cli.config import parts, tasks
from passhat.cli.config.keys import AGENTS, NEEDED, OPEN, TABLES, TASK
from passhat.cli.config.notes import Notes
from passhat.cli.load import load
from passhat.engine.settings import Settings
from passhat.errors import UsageError
from passhat.model.numbers import typed_number
from passhat.model.parts import nearest
from passhat.model.task import Suite

_LARGEST = 16 * 1024 * 1024
_READING: api.How = {"k": None, "confidence": 0.95, "tasks": "these", "voids": "exclude", "interval": None, "asked": ()}
Tables = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Config:
    """What a file says: *given* under the names of the options of `run`, *agent* those that name one."""

    suite: Suite | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    agent: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    at_agent: str = ""


def read(path: Path) -> Config:
    """What the file at *path* says, and every problem in it."""
    try:
        text = _text(path)
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Config(problems=(f"{path}: this is not TOML: {error}",))
    except UsageError as error:
        return Config(problems=tuple(error.problems))
    notes = Notes(str(path), text)
    tables = _checked(data, notes)
    conditions = parts.conditions_of(data.get("conditions", {}), notes)
    return Config(
        suite=_suite(tables, data, path.parent, notes),
        given={
            **_running(tables["run"], conditions, notes),
            **_judging(tables["gate"], conditions, notes),
            **_store(tables["store"], path.parent),
        },
        agent=_agent(tables["agent"], path.parent, notes) if "agent" in data else {},
        conditions=conditions,
        problems=tuple(notes.problems),
        at_agent=notes.place(("agent",)) if "agent" in data else "",
    )


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path} is larger than {_LARGEST // 2**20} MB: keep the tasks in a file of their own")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}: name a suite, or let 'passhat init --command' write one") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8: save it as UTF-8") from None


def _checked(data: Mapping[str, Any], notes: Notes) -> Tables:
    """The tables with the keys that they may have and values that these take; all else is noted."""
    known = (*TABLES, *OPEN)
    for name in data:
        if name not in known:
            notes.add((name,), f"there is no table {name!r}{nearest(name, known)}")
    for name in NEEDED:
        if name not in data:
            notes.add((), f"there is no [{name}]: it needs {', '.join(f'[{each}]' for each in NEEDED)}")
    found: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    for name, keys in TABLES.items():
        table = data.get(name, {})
        if not isinstance(table, dict):
            notes.add((name,), f"a table, [{name}], not {table!r:.80}")
            continue
        for key, value in table.items():
            problem = keys[key].problem(value) if key in keys else f"there is no such key{nearest(key, keys)}"
            if problem:
                notes.add((name, key), problem)
            else:
                found[name][key] = value
    return found


def _suite(tables: Tables, data: Mapping[str, Any], folder: Path, notes: Notes) -> Suite | None:
    found = _tasks(tables["suite"], folder, notes) if "suite" in data else None
    grader = parts.grader_of(data["grader"], folder, notes) if "grader" in data else None
    world, spec = None, tables["world"].get("python")
    if spec is not None:
        world = notes.tried(
            ("world", "python"), lambda: load(parts.beside(folder, spec), what="world", default="World")
        )
    elif "world" in data:
        notes.add(("world",), "it needs python = 'file.py:name'")
    if not found or grader is None or (world is None and spec is not None):
        return None
    return Suite(name=tables["suite"].get("name", "suite"), tasks=found, world=world, grader=grader)


def _tasks(table: Mapping[str, Any], folder: Path, notes: Notes) -> list[Any] | None:
    """The tasks; None where there is a problem."""
    given, columns = table.get("tasks"), table.get("columns", {})
    path = ("suite", "tasks")
    for name in columns:
        if name not in TASK:
            notes.add(("suite", "columns", name), f"a task has no {name!r}{nearest(name, TASK)}")
    if isinstance(given, list) and given:
        return tasks.inline(given, notes)
    if isinstance(given, str) and given.strip():
        found = notes.tried(path, lambda: tasks.from_file(folder / given, str(folder / given), columns))
        if found == []:
            notes.add(path, f"{folder / given} holds no task")
        return found
    notes.add(path, "the path of a .jsonl or .csv file, or one [[suite.tasks]] for each task")
    return None


def _agent(table: Mapping[str, Any], folder: Path, notes: Notes) -> dict[str, Any]:
    """The options that name the agent; those of a command, a service and Python go by their own."""
    ways = [way for way in AGENTS if way in table]
    if len(ways) != 1:
        notes.add(("agent",), f"one of {', '.join(AGENTS)}, not {' and '.join(ways) or 'none of them'}")
        return {}
    way = ways[0]
    usual = (way, *AGENTS[way], "label", "version")
    for key in table:
        if key not in usual:
            notes.add(("agent", key), f"an agent that is a {way} has no {key!r}{nearest(key, usual)}")
    options = {key: table[key] for key in AGENTS[way] if key in table}
    if way == "command":
        options["folder"] = str(folder / options.get("folder", "."))
        named: dict[str, Any] = {"command": table[way]}
    else:
        named = {"agent": parts.beside(folder, table[way]) if way == "python" else table[way]}
    return {
        **named,
        "agent_options": options,
        "label": table.get("label", ""),
        "agent_version": table.get("version", ""),
    }


def _running(table: Mapping[str, Any], conditions: Mapping[str, str], notes: Notes) -> dict[str, Any]:
    """[run] as options."""
    given = {key: value for key, value in table.items() if key not in {"under", "clean"}}
    for problem in Settings(**given).problems():
        key, _, why = problem.partition(": ")
        notes.add(("run", key), why)
        given.pop(key, None)
    if "clean" in table:
        given["no_clean"] = not table["clean"]
    if "under" in table:
        named = [conditions.get(text, text) for text in table["under"]]
        sound = (notes.tried(("run", "under", at), partial(parts.sound, text)) for at, text in enumerate(named))
        given["under"] = tuple(text for text in sound if text is not None)
    return given


def _judging(table: Mapping[str, Any], conditions: Mapping[str, str], notes: Notes) -> dict[str, Any]:
    """[gate] as options."""
    given = dict(table)
    rules = [
        notes.tried(("gate", "require", at), partial(parts.rule, text, conditions))
        for at, text in enumerate(given.get("require", ()))
    ]
    if "require" in given:
        given["require"] = tuple(text for text in rules if text is not None)
    if isinstance(given.get("confidence"), str):
        given["confidence"] = typed_number(given["confidence"])
    for key, wrong in _unreadable(given).items():
        notes.add(("gate", key), *wrong)
        given.pop(key)
    return given


def _unreadable(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is wrong with how the trials are to be read, by key."""
    found: dict[str, list[str]] = {}
    if "k" in given and given["k"] < 1:
        found["k"] = [f"a whole number from 1 on, not {given['k']}"]
    if "confidence" in given and not 0 < given["confidence"] < 1:
        found["confidence"] = [f"a number above 0 and below 1, not {given['confidence']}"]
    for key, name in (("interval", "interval"), ("metric", "asked")):
        how: Any = {**_READING, name: given.get(key, _READING[name])}  # type: ignore[literal-required]  # its names
        if key in given and (problems := api.reading_problems(**how)):
            found[key] = problems
    return found


def _store(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """[store] as an option: a path lies beside the file."""
    if "path" not in table:
        return {}
    path = table["path"]
    return {"store": path if "://" in path else str(folder / path)}
