"""The source tree as the architecture tests see it: its files, parsed. Makes no assertion."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "passhat"

PARTS = (
    "agents",
    "surfaces",
    "faults",
    "perturbations",
    "graders",
    "importers",
    "metrics",
    "rules",
    "reports",
    "stores",
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: its path below `src`, the package it stands in, its text and its syntax tree."""

    path: str
    package: str
    text: str
    tree: ast.Module


@cache
def modules() -> tuple[Module, ...]:
    """Every module under `src`; `package` is `faults` for faults/base.py and `api` for api.py."""
    return tuple(_module(path, ROOT / "src") for path in sorted((ROOT / "src").rglob("*.py")))


@cache
def modules_of_tests() -> tuple[Module, ...]:
    """Every module of the tests."""
    return tuple(_module(path, ROOT) for path in sorted((ROOT / "tests").rglob("*.py")))


def parts_folders() -> tuple[str, ...]:
    """The plural folders that exist."""
    return tuple(folder for folder in PARTS if (PACKAGE / folder).is_dir())


def parse(source: str, package: str = "snippet") -> Module:
    """A module made of *source*, to test a checker with."""
    return Module(f"passhat/{package}/snippet.py", package, source, ast.parse(source))


def functions(module: Module) -> tuple[Function, ...]:
    """Every function and method of *module*, nested ones too."""
    return tuple(node for node in ast.walk(module.tree) if isinstance(node, Function))


def _module(path: Path, root: Path) -> Module:
    relative = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    package = Path(relative.parts[1]).stem if len(relative.parts) > 1 else relative.stem
    return Module(relative.as_posix(), package, text, ast.parse(text, filename=str(relative)))
