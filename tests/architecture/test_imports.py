"""The dependency rule: import-linter's contracts hold, and would notice if they did not."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGE, ROOT, Module, modules, parse
from tests.children import LIMIT

CONFIG = ROOT / "pyproject.toml"
LINT = Path(sys.executable).parent / "lint-imports"


def layers() -> list[str]:
    """The layers of the contract, top to bottom, as written."""
    contracts = tomllib.loads(CONFIG.read_text())["tool"]["importlinter"]["contracts"]
    (contract,) = (contract for contract in contracts if contract["type"] == "layers")
    return list(contract["layers"])


def named(rows: list[str]) -> list[str]:
    """The packages that the layers name."""
    return [name.strip(" ()") for row in rows for name in row.split("|")]


def lint(source: Path) -> subprocess.CompletedProcess[str]:
    """Hold the project's contracts against the tree under *source*."""
    command: list[str | Path] = [LINT, "--config", CONFIG, "--no-cache", "--no-logo"]
    environment = os.environ | {"PYTHONPATH": str(source), "COLUMNS": "200", "NO_COLOR": "1"}
    # Run from the tree itself: import-linter puts its working folder first.
    return subprocess.run(
        command, cwd=source, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def grow(root: Path, imports: dict[str, str]) -> Path:
    """A tree with every layer, in which each key of *imports* imports its value."""
    for name in named(layers()):
        folder = root / "passhat" / name
        folder.mkdir(parents=True)
        target = imports.get(name)
        (folder / "__init__.py").write_text(f"import passhat.{target}\n" if target else "")
    (root / "passhat" / "__init__.py").write_text("")
    return root


def typing_only_imports(module: Module) -> Iterator[str]:
    """Imports of our other packages under `if TYPE_CHECKING`, which the contracts do not see.

    Inside one package such an import only unties two files that name each other's types.
    """
    own = re.compile(rf"passhat\.(?!{module.package}\b)|passhat import (?!{module.package}\b)")
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            continue
        for line in ast.walk(node):
            if isinstance(line, ast.Import | ast.ImportFrom) and own.search(ast.unparse(line)):
                yield f"{module.path}:{line.lineno}: {ast.unparse(line)}"


def early_imports(module: Module) -> Iterator[str]:
    """Imports of passhat in *module* that happen as soon as it is loaded."""
    inside = {
        line
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for line in ast.walk(node)
    }
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Import | ast.ImportFrom) or node in inside:
            continue
        if "passhat" in ast.unparse(node):
            yield f"{module.path}:{node.lineno}"


def test_contracts_hold() -> None:
    """No package imports what stands above or beside it."""
    done = lint(ROOT / "src")

    assert done.returncode == 0, done.stdout + done.stderr


def test_contracts_name_every_package() -> None:
    """A new package has to be given its place in the layers."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    files = {path.stem for path in PACKAGE.glob("[!_]*.py")}

    optional = set(named([row for row in layers() if row.startswith("(")]))
    assert (packages | files) - optional == set(named(layers())) - optional


def test_only_the_root_imports_for_typing_alone() -> None:
    """An import of our own for a type is a dependency, so it stands where the contracts see it."""
    others = [module for module in modules() if module.path != "passhat/__init__.py"]

    assert [line for module in others for line in typing_only_imports(module)] == []


def test_plugin_does_not_import_passhat_early() -> None:
    """Our plugin is loaded in every project that has pytest: it imports passhat only when it is used."""
    plugin = [module for module in modules() if module.path == "passhat_pytest.py"]

    assert [line for module in plugin for line in early_imports(module)] == []


def test_contracts_let_a_right_tree_be(tmp_path: Path) -> None:
    """Imports downwards are allowed."""
    downwards = {"cli": "api", "api": "engine", "demo": "faults", "engine": "model", "faults": "shapes"}

    done = lint(grow(tmp_path, downwards))

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("errors", "model"),
        ("stats", "model"),
        ("rules", "reports"),
        ("metrics", "faults"),
        ("engine", "stores"),
    ],
)
def test_contracts_see_a_wrong_import(importer: str, imported: str, tmp_path: Path) -> None:
    """An import upwards, to a sibling, or across the waist breaks a contract."""
    done = lint(grow(tmp_path, {importer: imported}))

    assert done.returncode == 1
    assert f"passhat.{importer} -> passhat.{imported}" in done.stdout


def test_contracts_see_a_new_package(tmp_path: Path) -> None:
    """A package without a place in the layers breaks the contract."""
    tree = grow(tmp_path, {})
    (tree / "passhat" / "misc.py").write_text("")

    done = lint(tree)

    assert done.returncode == 1
    assert "passhat.misc" in done.stdout


def test_checkers_see_hidden_and_early_imports() -> None:
    """Both syntax checks catch what they are for, and no more."""
    lines = ["import numpy", "from passhat.model.task import Task", "from passhat.engine import Plan"]
    hidden = parse("if TYPE_CHECKING:\n    " + "\n    ".join(lines), package="model")
    early = parse("import pytest, passhat\ndef f():\n    import passhat.api")

    (found,) = typing_only_imports(hidden)
    assert "passhat.engine" in found
    assert len(list(early_imports(early))) == 1
