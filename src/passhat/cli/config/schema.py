"""The JSON schema of `passhat.toml`, for editors. `passhat.schema.json` beside this file is what it gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from passhat.cli.config.keys import AGENTS, NEEDED, TABLES, TASK, Key

NAME = "passhat.schema.json"
_PART = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "python": {"type": "string"}},
    "oneOf": [{"required": ["name"]}, {"required": ["python"]}],
}
_TEXT = {"type": "string", "pattern": r"\S"}


def schema() -> dict[str, Any]:
    """The schema, made from the list of keys that the reader goes by."""
    tables = {name: _table(keys) for name, keys in TABLES.items()}
    tables["suite"]["properties"]["tasks"] |= {
        "anyOf": [_TEXT, {"type": "array", "minItems": 1, "items": {**_table(TASK), "required": ["id", "input"]}}]
    }
    tables["suite"]["properties"]["columns"]["propertyNames"] = {"enum": list(TASK)}
    tables["suite"]["required"] = ["tasks"]
    tables["world"]["required"] = ["python"]
    tables["agent"]["oneOf"] = [_agent(way, options) for way, options in AGENTS.items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "passhat.toml",
        "type": "object",
        "properties": {**tables, "grader": _grader(), "conditions": _conditions()},
        "required": list(NEEDED),
        "additionalProperties": False,
    }


def schema_text() -> str:
    """The schema as it is shipped."""
    return files("passhat.cli.config").joinpath(NAME).read_text(encoding="utf-8")


def written() -> str:
    """The schema as the text that is to be shipped."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _table(keys: Mapping[str, Key]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _key(key) for name, key in keys.items()},
        "additionalProperties": False,
    }


def _key(key: Key) -> dict[str, Any]:
    known = {"enum": list(key.choices)} if key.choices else dict(key.kind.schema)
    return {"description": key.says, **known}


def _agent(way: str, options: tuple[str, ...]) -> dict[str, Any]:
    """An agent that is named in this way has none of the options of the others."""
    others = [name for other in AGENTS.values() for name in other if name not in options]
    return {"required": [way], "properties": dict.fromkeys(others, False)}


def _grader() -> dict[str, Any]:
    one = [_TEXT, _PART]
    return {
        "description": "What says whether a trial passed: its text, a table with its parameters, or a list of both.",
        "anyOf": [*one, {"type": "array", "minItems": 1, "items": {"anyOf": one}}],
    }


def _conditions() -> dict[str, Any]:
    values = {"type": ["string", "number", "boolean"]}
    parts = {"type": "object", "minProperties": 1}
    return {
        "description": "Names for conditions: their text, or a table of faults and perturbations.",
        "type": "object",
        "additionalProperties": {
            "anyOf": [_TEXT, {**parts, "additionalProperties": {"type": "object", "additionalProperties": values}}]
        },
    }
