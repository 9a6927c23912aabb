"""Whatever a user can name stands in the README or in a page under docs, between backticks or as a command."""

import dataclasses
import re
from collections.abc import Iterable
from importlib import import_module

import click
import pytest

import passhat
from passhat.cli import COMMANDS
from passhat.importers import IMPORTERS
from passhat.importers._table import COLUMNS
from tests.architecture.tree import parts_folders
from tests.docs.test_readme import PAGES

# Pages that are written for readers of the code: a name that stands there alone is not explained to its users.
NOT_FOR_USERS = ("specs.md", "decisions")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def user_code() -> str:
    """All that stands in code on the pages for users."""
    pages = [page for page in PAGES if not any(name in page.parts for name in NOT_FOR_USERS)]
    return "\n".join(found for page in pages for found in CODE.findall(page.read_text(encoding="utf-8")))


def missing(names: Iterable[str], code: str) -> list[str]:
    """The names that do not stand in *code* as words of their own."""
    return [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code)]


def is_group(command: click.Command) -> bool:
    """True for a command with others below it."""
    return isinstance(command, click.Group)


def options(command: str) -> list[str]:
    """The longest form of every option of a command, and of those below it."""
    known, context = import_module(COMMANDS[command][0]).command, click.Context(click.Command(command))
    below = [known.get_command(context, name) for name in known.list_commands(context)] if is_group(known) else []
    params = [param for one in (known, *below) for param in one.params]
    return [max(param.opts, key=len) for param in params if isinstance(param, click.Option)]


@pytest.mark.parametrize("folder", parts_folders())
def test_every_part_is_documented(folder: str) -> None:
    """Each part of a list, such as each fault of FAULTS, stands in the documentation by its name."""
    parts = getattr(import_module(f"passhat.{folder}"), folder.upper())

    assert parts
    assert missing(parts, user_code()) == []


def test_every_command_is_documented() -> None:
    """Each command stands in the documentation as it is typed."""
    assert missing([f"passhat {command}" for command in COMMANDS], user_code()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command: str) -> None:
    """Each option of a command stands in the documentation."""
    assert missing(options(command), user_code()) == []


@pytest.mark.parametrize("name", IMPORTERS)
def test_every_option_of_a_format_is_documented(name: str) -> None:
    """Each setting of an importer stands in the documentation as the option of `import` that it is."""
    settings = [field.name.replace("_", "-") for field in dataclasses.fields(IMPORTERS[name])]

    assert missing([f"--{setting}" for setting in settings], user_code()) == []


def test_every_column_of_a_table_is_documented() -> None:
    """Each column that a row of jsonl or csv may have stands in the documentation."""
    assert missing(COLUMNS, user_code()) == []


def test_every_public_name_is_documented() -> None:
    """Each name that `passhat` exports stands in the documentation."""
    assert missing(passhat.__all__, user_code()) == []


def test_every_helper_of_testing_is_documented() -> None:
    """Each name that `passhat.testing` gives to users stands in the documentation."""
    assert missing(passhat.testing.__all__, user_code()) == []


def test_checker_sees_a_missing_name() -> None:
    """The check catches a name that stands nowhere, or only within another."""
    code = "`rate_limit(0.2)` `--require` ```x\nschema\n```"

    assert missing(["rate_limit", "--require", "schema"], code) == []
    assert missing(["rate", "--req", "typos"], code) == ["rate", "--req", "typos"]
