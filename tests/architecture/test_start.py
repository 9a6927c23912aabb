"""Starting loads only what the first word needs; speed itself is measured by the benchmarks."""

import json
import subprocess
import sys

import pytest

from tests.children import LIMIT

FRAMEWORKS = {"agents", "langchain_core", "langgraph", "openai", "pydantic_ai"}
HEAVY = {"numpy", "scipy", "rich", "jinja2"} | FRAMEWORKS
REPORT = "import atexit, json, sys; atexit.register(lambda: print('\\n' + json.dumps(list(sys.modules))));"
HELP = "import sys; sys.argv = ['passhat', '--help']; from passhat.__main__ import main; main()"


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after *code*, even where it exits."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT + code], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def test_import_loads_nothing_heavy() -> None:
    """`import passhat` loads neither the numeric libraries nor the screen nor the command line."""
    loaded = loaded_by("import passhat")

    assert "passhat" in loaded
    assert loaded & (HEAVY | {"click"}) == set()


def test_help_loads_click_alone() -> None:
    """`passhat --help` loads click and nothing heavier."""
    loaded = loaded_by(HELP)

    assert "click" in loaded
    assert loaded & (HEAVY | {"msgspec"}) == set()


@pytest.mark.parametrize(
    "words",
    [
        "--baseline .9 --drop .05",
        "--half-width .05 --trials 5 --icc .2",
        "--pass-hat-k 10 --at-least .9",
        "--field list",
    ],
)
def test_plan_loads_click_alone(words: str) -> None:
    """`passhat plan` with a formula loads click and nothing heavier."""
    arguments = ["passhat", "plan", *words.split()]

    loaded = loaded_by(f"import sys; sys.argv = {arguments!r}; from passhat.cli import main; main()")

    assert "click" in loaded
    assert loaded & (HEAVY | {"msgspec"}) == set()


def test_adapters_load_no_framework() -> None:
    """The list of agents names the adapters for frameworks, and imports none of those."""
    loaded = loaded_by("from passhat.agents import AGENTS, adapter_for; adapter_for(AGENTS)")

    assert loaded & FRAMEWORKS == set()


def test_listing_names_loads_nothing_heavy() -> None:
    """Completing names in a shell (`dir`) does not pay for what they stand for."""
    assert loaded_by("import passhat; dir(passhat)") & HEAVY == set()


@pytest.mark.parametrize("code", ["import rich", "import click", "import numpy; raise SystemExit(0)"])
def test_checker_sees_a_heavy_import(code: str) -> None:
    """The check sees what was loaded, also where the program exits by itself."""
    assert loaded_by(code) & (HEAVY | {"click"})
