"""The file that shows the whole interface to the type checker shows the whole interface."""

import ast
from pathlib import Path

import passhat

SHOWN = Path(__file__).with_name("whole_api.py")


def used(source: str) -> set[str]:
    """The names that *source* imports from passhat or takes as `passhat.NAME`, and then uses."""
    tree = ast.parse(source)
    loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "passhat"
        for alias in node.names
    }
    taken = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "passhat"
    }
    return (imported & loaded) | taken


def test_every_public_name_is_type_checked() -> None:
    """Each name of `passhat.__all__` is used in the file that mypy reads."""
    assert set(passhat.__all__) - used(SHOWN.read_text(encoding="utf-8")) == set()


def test_checker_sees_an_unused_name() -> None:
    """The check counts a name only where it is used."""
    assert used("import passhat\nfrom passhat import Task, rules\npasshat.run(Task)") == {"run", "Task"}
