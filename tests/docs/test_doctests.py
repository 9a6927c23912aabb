"""The examples in docstrings are true, and every statistic has one."""

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import passhat

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Running a command line is no example.
NAMES = sorted(
    module.name
    for module in pkgutil.walk_packages(passhat.__path__, "passhat.")
    if not module.name.endswith("__main__")
)


def without_example(module: ModuleType) -> list[str]:
    """The public functions that *module* defines whose docstring shows no example."""
    return [
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_") and ">>>" not in (function.__doc__ or "")
    ]


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_true(name: str) -> None:
    """Every example in a docstring gives what it shows."""
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)

    assert failed == 0


def test_every_statistic_shows_an_example() -> None:
    """A public function of `passhat.stats` shows what it gives for numbers that a reader can check."""
    modules = [importlib.import_module(name) for name in NAMES if name.startswith("passhat.stats.")]

    assert modules
    assert {module.__name__: bare for module in modules if (bare := without_example(module))} == {}


def test_checker_sees_a_missing_example() -> None:
    """The check catches a public function without an example, and no private one."""
    module = ModuleType("made_up")
    source = "def f(): 'F.'\ndef g():\n    '''G.\n\n    >>> 1\n    1\n    '''\ndef _h(): 'H.'\n"
    exec(source, module.__dict__)  # noqa: S102  (the source stands in the line above)

    assert without_example(module) == ["f"]
