"""What a run says of where it came from and how it was made: never an address and never the environment."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from passhat.engine.settings import Settings
from passhat.model.base import Json
from passhat.model.task import Task


def provenance(settings: Settings, tasks: Sequence[Task]) -> dict[str, Json]:
    """The versions that made this run, the seconds that a trial had, and that they are virtual where they are.

    Where one of *tasks* has a user, how many turns users had is said too.
    """
    try:
        ours = version("passhat")
    except PackageNotFoundError:  # run from a source tree that was never installed
        ours = "unknown"
    found: dict[str, Json] = {
        "passhat": ours,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "timeout": settings.timeout,
    }
    if settings.virtual:
        found["time"] = "virtual"
    if any(task.user is not None for task in tasks):
        found["turns"] = settings.turns
    return found
