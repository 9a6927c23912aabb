"""The schema of `passhat.toml` that is shipped: made from the reader's own list, and of one mind with the reader."""

import json
import os
import tomllib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from passhat.cli.config import read
from passhat.cli.config.keys import TABLES
from passhat.cli.config.schema import NAME, schema, schema_text, written
from tests.architecture.tree import PACKAGE, ROOT
from tests.cli.said import Passhat
from tests.docs.pages import blocks

EXAMPLE = files("passhat.demo").joinpath("start", "command", "passhat.toml").read_text(encoding="utf-8")
HEAD = 'grader = "contains()"\n[suite]\ntasks = "tasks.jsonl"\n[agent]\ncommand = "cat"\n'


def examples() -> list[str]:
    """Every `passhat.toml` that is shipped or shown."""
    page = (ROOT / "docs" / "toml.md").read_text(encoding="utf-8")
    return [EXAMPLE, *(block.content for block in blocks(page) if block.title and block.title.endswith("passhat.toml"))]


def fits(text: str) -> bool:
    """What another implementation says of a file."""
    return bool(jsonschema.Draft202012Validator(schema()).is_valid(tomllib.loads(text)))


def test_schema_is_shipped() -> None:
    """The file beside the code is what the reader's list makes; PASSHAT_WRITE_GOLDEN=1 writes it anew."""
    path = PACKAGE / "cli" / "config" / NAME
    if os.environ.get("PASSHAT_WRITE_GOLDEN") == "1":
        path.write_text(written(), encoding="utf-8")

    assert schema_text() == written()


def test_schema_is_sound() -> None:
    """It is a JSON schema."""
    jsonschema.Draft202012Validator.check_schema(schema())


def test_schema_is_written_for_editors(passhat: Passhat) -> None:
    """`passhat init --schema` writes it, and no files."""
    said = passhat("init", "--schema", "try")

    assert json.loads(said.out) == schema()
    assert not Path("try").exists()


@pytest.mark.parametrize("text", examples())
def test_examples_fit(text: str) -> None:
    """Every example fits the schema."""
    assert fits(text)


def test_there_are_examples() -> None:
    """The test above has something to prove it with."""
    assert len(examples()) > 1


@pytest.mark.parametrize(("table", "key"), [(table, key) for table, keys in TABLES.items() for key in keys])
def test_reader_and_schema_refuse_the_same_values(table: str, key: str, folder: Path) -> None:
    """A value of a kind that a key does not take is refused by both, and so is a key that there is not."""
    (folder / "tasks.jsonl").write_text('{"id": "a", "input": "x", "expect": "x"}')
    for name in (key, f"{key}s_"):
        tables = {"suite": {"tasks": '"tasks.jsonl"'}, "agent": {"command": '"cat"'}}
        tables[table] = {**tables.get(table, {}), name: "[1]"}
        text = 'grader = "contains()"\n' + "".join(
            f"[{each}]\n{''.join(f'{one} = {value}{chr(10)}' for one, value in keys.items())}"
            for each, keys in tables.items()
        )
        (folder / "passhat.toml").write_text(text)

        assert any(f"{table}.{name}" in problem for problem in read(folder / "passhat.toml").problems)
        assert not fits(text)


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD + "shape = 'chat'",
        HEAD + "url = 'http://x'",
        HEAD.replace("contains()", ""),
        HEAD.replace('"contains()"', "[]"),
        HEAD.replace('"contains()"', "['contains()', {name = 'never', tool = 'x'}]"),
        HEAD.replace('"contains()"', "{nam = 'never', tool = 'x'}"),
        HEAD.replace("tasks = ", "name = "),
        HEAD + "[conditions]\na = 'typos(0.1)'\nb = {typos = {intensity = 0.1}}\n",
        HEAD + "[conditions]\na = 4\n",
        HEAD + "[conditions]\na = {}\n",
        HEAD + "[world]\n",
        HEAD + "[run]\ntrials = 1.5\n",
        HEAD + "[gate]\nconfidence = '95%'\n",
        HEAD + "[gate]\nvoids = 'no'\n",
        HEAD.replace('"tasks.jsonl"', "[{id = 'a', input = 'x'}]"),
        HEAD.replace('"tasks.jsonl"', "[{id = 'a'}]"),
        HEAD.replace('"tasks.jsonl"', "[]"),
    ],
)
def test_reader_and_schema_are_of_one_mind(text: str, folder: Path) -> None:
    """What one takes the other takes."""
    (folder / "tasks.jsonl").write_text('{"id": "a", "input": "x", "expect": "x"}')
    (folder / "passhat.toml").write_text(text)

    assert fits(text) == (not read(folder / "passhat.toml").problems)
