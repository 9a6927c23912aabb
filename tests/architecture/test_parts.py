"""Every parts folder has one shape: the contract, one file a part, the list."""

import ast
import importlib
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGE, PARTS, modules, parts_folders

FOLDERS = parts_folders()


def part_names(folder: Path) -> set[str]:
    """The parts of *folder* by file name; `_helper.py` is no part."""
    names = {path.stem for path in folder.glob("*.py")}
    names |= {path.parent.name for path in folder.glob("*/__init__.py")}
    return {name for name in names if not name.startswith("_")} - {"base"}


def unlisted(package: str, folder: Path) -> set[str]:
    """The parts of *folder* that no name in the `__all__` of *package* comes from."""
    listing = importlib.import_module(package)
    homes = {getattr(getattr(listing, name), "__module__", "") for name in listing.__all__}
    return {
        part
        for part in part_names(folder)
        if part not in listing.__all__
        and not any(home == f"{package}.{part}" or home.startswith(f"{package}.{part}.") for home in homes)
    }


def undocumented(tree: ast.Module) -> list[str]:
    """The public classes and functions of a module that have no docstring."""
    public = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.name
        for node in tree.body
        if isinstance(node, public) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]


def test_every_parts_folder_is_there() -> None:
    """Every kind of part has its folder."""
    assert FOLDERS == PARTS


@pytest.mark.parametrize("folder", FOLDERS)
def test_folder_has_its_contract(folder: str) -> None:
    """A parts folder opens with `base.py`, the contract, and holds one real part at least."""
    assert (PACKAGE / folder / "base.py").is_file()
    assert part_names(PACKAGE / folder)


@pytest.mark.parametrize("folder", FOLDERS)
def test_list_is_documented(folder: str) -> None:
    """The list of a parts folder says what the parts are."""
    assert importlib.import_module(f"passhat.{folder}").__doc__


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_part_is_listed(folder: str) -> None:
    """A file in a parts folder that the list does not name is a part that nobody can use."""
    assert unlisted(f"passhat.{folder}", PACKAGE / folder) == set()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_part_is_documented(folder: str) -> None:
    """Every public class and function of a part has a docstring."""
    bare = {module.path: undocumented(module.tree) for module in modules() if module.package == folder}

    assert bare
    assert {path: names for path, names in bare.items() if names} == {}


def test_checker_sees_an_unlisted_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check catches a file that the list forgot, and no file that it names."""
    folder = tmp_path / "some_parts"
    folder.mkdir()
    (folder / "__init__.py").write_text("from some_parts.one import One as one\n__all__ = ['one']\n")
    (folder / "base.py").write_text("")
    (folder / "_help.py").write_text("")
    (folder / "one.py").write_text("class One: pass\n")
    (folder / "two.py").write_text("class Two: pass\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert unlisted("some_parts", folder) == {"two"}


def test_checker_sees_a_missing_docstring() -> None:
    """The check catches a public class and a public function without a docstring, and no private ones."""
    source = "class A: pass\ndef b(): pass\ndef _c(): pass\ndef d():\n    'D.'\n"

    assert undocumented(ast.parse(source)) == ["A", "b"]
