"""What a run says of where it came from, and what it keeps to itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from passhat.engine.checkout import checkout
from passhat.engine.provenance import frameworks_among, provenance

GIT = shutil.which("git") or "git"
NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """A repository with one commit, and a remote whose address holds a password."""

    def use(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        command = [GIT, "-C", str(tmp_path), *who, *words]
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
        return done.stdout.strip()

    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "suite.py").write_text("one")
    (tmp_path / "other.py").write_text("one")
    use("init", "-q")
    use("remote", "add", "origin", "https://anna:secret@example.com/shop.git")
    use("add", ".")
    use("commit", "-q", "-m", "one")
    return use


@NEEDS_GIT
def test_commit_is_read_wherever_git_keeps_it(git: Git, tmp_path: Path) -> None:
    """As a loose ref, a packed one, none at all, and from a second worktree."""
    commit = git("rev-parse", "HEAD")
    folder = tmp_path / "deep"

    found = [checkout(folder)]
    git("pack-refs", "--all")
    found.append(checkout(folder))
    git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    found.append(checkout(tmp_path / "second" / "deep"))
    git("checkout", "-q", "--detach")
    found.append(checkout(folder))

    assert found == [{"commit": commit, "dirty": False}] * 4


@NEEDS_GIT
def test_change_in_the_folder_makes_it_dirty(git: Git, tmp_path: Path) -> None:
    """One elsewhere does not, and neither does a file that git does not know, such as the store."""
    del git
    folder = tmp_path / "deep"
    (tmp_path / "other.py").write_text("two")
    (folder / "passhat.db").write_text("")
    before = checkout(folder)
    (folder / "suite.py").write_text("two")

    assert (before["dirty"], checkout(folder)["dirty"]) == (False, True)


@NEEDS_GIT
def test_no_address_and_no_path_is_told(git: Git, tmp_path: Path) -> None:
    """A remote's address may hold a password, and a path a person's name."""
    del git
    told = json.dumps(provenance(timeout=1.0, folder=tmp_path))

    assert '"commit"' in told
    assert "example.com" not in told
    assert str(tmp_path) not in told


def test_no_repository_is_nothing(tmp_path: Path) -> None:
    """A folder that looks like one and holds nothing is none either."""
    (tmp_path / ".git").mkdir()

    assert checkout(tmp_path) == {}
    assert "git" not in provenance(timeout=1.0, folder=tmp_path)


def test_frameworks_are_those_that_were_imported() -> None:
    """By their packages, with their versions; what is not installed is not told."""
    assert frameworks_among(["json", "no_such_framework"]) == {}
    assert set(frameworks_among(["openai", "smolagents"])) <= {"openai", "smolagents"}
