"""The shell that the tests are started from changes no result."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passhat.model.redact import named_like_a_secret
from tests.architecture.tree import ROOT
from tests.children import LIMIT

INSIDE = """
import os

def test_it():
    assert not {"SECRET_KEY", "PASSWORD", "NO_COLOR", "CI", "COLUMNS"} & set(os.environ)
    assert os.environ["PATH"]
"""


def test_no_variable_is_a_secret() -> None:
    """No test sees a variable whose value passhat might mask."""
    assert [name for name in os.environ if named_like_a_secret(name)] == []


@pytest.mark.parametrize("name", ["SECRET_KEY", "PASSWORD", "NO_COLOR", "CI", "COLUMNS"])
def test_variables_of_the_shell_are_left_out(name: str, tmp_path: Path) -> None:
    """A secret of whoever runs the tests, and what they say of their terminal, does not reach a test."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(INSIDE)
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        tmp_path,
        tmp_path,
    ]

    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {name: "passhat"},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )

    assert done.returncode == 0, done.stdout
