"""Pure packages decide and compute; they touch no file, clock, environment or global randomness.

The checker reads syntax alone. It is no sandbox: it catches what somebody writes without thinking.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.tree import Module, functions, modules, parse

PURE = frozenset(
    {"model", "stats", "shapes", "faults", "perturbations", "importers", "metrics", "rules", "reports", "sizing"}
)
MAY_AWAIT = frozenset({"engine", "surfaces", "agents", "clients", "stores", "graders", "testing", "demo", "api"})

# A name forbids what is below it as well. `importlib.metadata` is left out: lists of parts read entry points.
IMPURE_IMPORTS = frozenset(
    """
    aiohttp asyncio concurrent fileinput getpass glob http.client http.server httpx importlib.resources
    locale logging multiprocessing numpy.random os pathlib platform random requests secrets selectors
    shutil signal socket sqlite3 ssl subprocess tempfile threading time urllib.request uuid
    sys.argv sys.stderr sys.stdin sys.stdout io.open io.FileIO
    """.split()
)
IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "__import__"})
IMPURE_METHODS = frozenset(
    """
    now utcnow today
    open read_text read_bytes write_text write_bytes mkdir unlink
    """.split()
)
# Generators that are handed their seed are as pure as their seed.
SEEDED = frozenset({"Generator", "SeedSequence", "BitGenerator", "PCG64", "Philox", "default_rng"})
NUMPY_RANDOM = ("np.random", "numpy.random")


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as written, or an empty text for anything but names and dots."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, attribute):
            return f"{_dotted(value)}.{attribute}" if _dotted(value) else ""
        case _:
            return ""


def _is_impure_name(name: str) -> bool:
    parts = name.split(".")
    if name.startswith("numpy.random.") and parts[2] in SEEDED:
        return False
    return any(".".join(parts[:end]) in IMPURE_IMPORTS for end in range(1, len(parts) + 1))


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module or ''}.{alias.name}" for alias in node.names]


def _impure_call(call: ast.Call) -> bool:
    match call.func:
        case ast.Name("default_rng") | ast.Attribute(attr="default_rng"):
            return not call.args or ast.unparse(call.args[0]) == "None"
        case ast.Name("Console") | ast.Attribute(attr="Console"):
            # Without a file to write to, rich's console is the screen.
            return "file" not in {keyword.arg for keyword in call.keywords}
        case ast.Name(name):
            return name in IMPURE_CALLS
        case ast.Attribute(attr=name):
            return name in IMPURE_METHODS
        case _:
            return False


def _impure_attribute(node: ast.Attribute) -> bool:
    owner = _dotted(node.value)
    if owner in NUMPY_RANDOM:
        return node.attr not in SEEDED
    return owner in {"sys", "io"} and f"{owner}.{node.attr}" in IMPURE_IMPORTS


def impurities(module: Module) -> Iterator[str]:
    """What *module* does that a pure module may not, each as `path:line: what`."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                found = [name for name in _imported(node) if _is_impure_name(name)]
            case ast.Call() if _impure_call(node):
                found = [f"{ast.unparse(node.func)}()"]
            case ast.Attribute() if _impure_attribute(node):
                found = [ast.unparse(node)]
            case _:
                continue
        yield from (f"{module.path}:{node.lineno}: {name}" for name in found)


def _is_signature(function: ast.AsyncFunctionDef) -> bool:
    """A docstring or `...` and no more: a protocol's promise, which runs nothing."""
    return all(
        isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and line.value.value is not None
        for line in function.body
    )


def async_functions(module: Module) -> Iterator[str]:
    """The asynchronous functions of *module* that do something."""
    for function in functions(module):
        if isinstance(function, ast.AsyncFunctionDef) and not _is_signature(function):
            yield f"{module.path}:{function.lineno}: async def {function.name}"


def test_pure_packages_do_no_io() -> None:
    """No pure package reads a file, a clock, the environment or global randomness."""
    pure = [module for module in modules() if module.package in PURE]

    assert {module.package for module in pure} == PURE, "a pure package has gone or was renamed"
    assert [line for module in pure for line in impurities(module)] == []


def test_async_stays_where_waiting_happens() -> None:
    """Asynchronous code stands only in the packages that wait for something."""
    others = [module for module in modules() if module.package not in MAY_AWAIT]

    assert len(others) > len(PURE)
    assert [line for module in others for line in async_functions(module)] == []


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import os.path",
        "from os import environ",
        "import pathlib",
        "from pathlib import Path",
        "import socket, json",
        "import subprocess",
        "import time as t",
        "from time import monotonic",
        "import random",
        "import secrets",
        "import uuid",
        "import asyncio",
        "import threading",
        "import sqlite3",
        "import logging",
        "import tempfile",
        "import shutil",
        "import http.client",
        "from http import client",
        "import urllib.request",
        "from urllib import request",
        "import importlib.resources",
        "from importlib import resources",
        "import numpy.random",
        "from numpy import random",
        "from numpy.random import normal",
        "import numpy as np\nnp.random.seed(1)",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy as np\nnp.random.default_rng(None)",
        "from numpy.random import default_rng\ndefault_rng()",
        "from rich.console import Console\nConsole()",
        "from io import open",
        "import io\nio.open('x')",
        "import sys\nsys.stdout.write('x')",
        "from sys import argv",
        "open('x')",
        "print('x')",
        "input()",
        "eval('1')",
        "from datetime import datetime\ndatetime.now()",
        "import datetime\ndatetime.datetime.now(datetime.UTC)",
        "import datetime\ndatetime.date.today()",
        "def f(path):\n    return path.read_text()",
    ],
)
def test_checker_sees_impurity(source: str) -> None:
    """The checker catches each forbidden thing."""
    assert list(impurities(parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "from io import StringIO",
        "import io\nio.StringIO()",
        "from datetime import UTC, datetime, timedelta",
        "from urllib.parse import urlsplit",
        "from http import HTTPStatus",
        "import hashlib, json, sys\nsys.maxsize",
        "import numpy as np\nnp.random.default_rng(7)",
        "from numpy.random import Generator",
        "from rich.console import Console\nConsole(file=text)",
        "def f(printer):\n    printer.print('x')",
    ],
)
def test_checker_lets_pure_code_be(source: str) -> None:
    """The checker complains of nothing that a pure module needs."""
    assert list(impurities(parse(source))) == []


def test_checker_sees_async_code() -> None:
    """An asynchronous function is seen where it does something, and a protocol's signature is not."""
    body = parse("async def f():\n    return 1")
    signature = parse("class P(Protocol):\n    async def f(self) -> int:\n        '''One.'''\n        ...")

    assert list(async_functions(body))
    assert list(async_functions(signature)) == []
