"""The wheel works alone: built, installed in a fresh environment, run from an empty folder."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT
from tests.children import LIMIT

pytestmark = pytest.mark.wheel

Done = subprocess.CompletedProcess[str]

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")


def _run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> Done:
    return subprocess.run(
        command,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=5 * LIMIT,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _checked(*command: str | Path) -> None:
    done = _run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a user's `pip wheel` builds it."""
    folder = tmp_path_factory.mktemp("dist")
    _checked(*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    (built,) = folder.glob("passhat-*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `passhat` of a fresh environment that holds the wheel and what it asks for."""
    home = tmp_path_factory.mktemp("fresh")
    # Without pip, because ensurepip may be missing: our own installs from outside.
    venv.create(home, with_pip=False, symlinks=True)
    _checked(*PIP, "--python", home / "bin" / "python", "install", wheel)
    return home / "bin" / "passhat"


@pytest.mark.parametrize("arguments", [["demo"], ["--help"]])
def test_wheel_works_alone(command: Path, arguments: list[str], tmp_path: Path) -> None:
    """The installed command runs in an empty folder, with nothing of ours in its environment."""
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}

    done = _run(command, *arguments, cwd=tmp_path, env=bare)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr


def test_wheel_holds_the_package_alone(wheel: Path) -> None:
    """The wheel is typed and brings no tests, no benchmarks and no second top-level package."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}

    assert "passhat/py.typed" in names
    assert {top for top in tops if not top.endswith(".dist-info")} <= {"passhat", "passhat_pytest.py"}
