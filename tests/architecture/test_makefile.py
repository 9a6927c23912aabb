"""The Makefile sets up where its user's shell stands in the way."""

import os
import shutil
import subprocess

from tests.architecture.tree import ROOT
from tests.children import LIMIT


def test_set_up_takes_the_machine_s_python() -> None:
    """With .venv first on the path, as the README has it, `make` does not take .venv's Python, which has no pip."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment = outside | {"PATH": f"{ROOT}/.venv/bin:{os.environ['PATH']}"}
    command = ["make", "--silent", "--eval=where: ; @command -v $(PYTHON)", "where"]
    assert shutil.which(command[0]) is not None

    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert not done.stdout.startswith(f"{ROOT}/.venv/")
