"""Where skips are forbidden, a skipped test is a failed one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT
from tests.children import LIMIT

SKIPS = {
    "mark": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_it(): pass\n",
    "call": "import pytest\ndef test_it(): pytest.skip('later')\n",
    "module": "import pytest\npytest.importorskip('no_such_module')\ndef test_it(): pass\n",
}
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail\ndef test_it(): assert 0\n"


def run(source: str, folder: Path, no_skips: str) -> int:
    """The exit code of pytest over *source* with the project's conftest."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_it.py").write_text(source + "\ndef test_other(): pass\n")
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        folder,
        folder,
    ]
    environment = os.environ | {"PASSHAT_NO_SKIPS": no_skips}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, timeout=LIMIT, check=False
    ).returncode


@pytest.mark.parametrize("source", SKIPS.values(), ids=SKIPS.keys())
def test_skip_fails_where_forbidden(source: str, tmp_path: Path) -> None:
    """A skip by mark, by call or of a whole module fails the run."""
    assert run(source, tmp_path, no_skips="1") != 0


def test_skip_passes_elsewhere(tmp_path: Path) -> None:
    """On a developer's own machine a skip is only a skip."""
    assert run(SKIPS["mark"], tmp_path, no_skips="") == 0


def test_expected_failure_is_no_skip(tmp_path: Path) -> None:
    """An expected failure ran, so it is let through."""
    assert run(EXPECTED_FAILURE, tmp_path, no_skips="1") == 0
