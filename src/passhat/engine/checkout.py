"""Which commit a folder is at, and whether it was changed since: what a run says of the code that it tested.

The commit is read from the files of git itself. Whether something was changed takes the program, where there is one;
nobody is asked over a network, and no address of a remote is read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from passhat.model.base import Json

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_PATIENCE = 5.0


def checkout(folder: Path) -> dict[str, Json]:
    """The `commit` of *folder*, and whether it is `dirty`, None where nobody knows; nothing outside of a repository."""
    whole = folder.absolute()
    for place in (whole, *whole.parents):
        found = _git_folder(place / ".git")
        if found is not None:
            commit = _commit(found)
            return {"commit": commit, "dirty": _dirty(whole)} if commit else {}
    return {}


def _git_folder(place: Path) -> Path | None:
    """The folder that *place* is, or names where it is a file, as in a second worktree."""
    if place.is_dir():
        return place
    named = _read(place)
    return (place.parent / named.removeprefix("gitdir:").strip()) if named.startswith("gitdir:") else None


def _commit(git: Path) -> str:
    """What HEAD is at; empty where it is at nothing yet, or git keeps it in a way that is not read here."""
    head = _read(git / "HEAD")
    if not head.startswith("ref:"):
        return head if _COMMIT.fullmatch(head) else ""
    name = head.removeprefix("ref:").strip()
    shared = git / (_read(git / "commondir") or ".")
    for place in (git, shared):
        found = _read(place / name)
        if _COMMIT.fullmatch(found):
            return found
    lines = (line.split(" ", 1) for line in _read(shared / "packed-refs").splitlines())
    return next((first for first, *rest in lines if rest == [name] and _COMMIT.fullmatch(first)), "")


def _dirty(folder: Path) -> bool | None:
    """Whether a file in *folder* that git knows differs from the commit."""
    git = shutil.which("git")
    if git is None:
        return None
    command = [git, "-C", str(folder), "-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no"]
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        asked = subprocess.run(  # noqa: S603 - git itself, and nothing that somebody typed is a word of it
            [*command, "--", "."], capture_output=True, timeout=_PATIENCE, check=False, env=quiet
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return bool(asked.stdout.strip()) if asked.returncode == 0 else None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
