"""What a run says of where it came from and how it was made: never an address and never the environment."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from passhat.model.base import Json


def provenance(*, timeout: float, virtual: bool = False) -> dict[str, Json]:
    """The versions that made this run, the seconds that a trial had, and that they are virtual where they are."""
    try:
        ours = version("passhat")
    except PackageNotFoundError:  # run from a source tree that was never installed
        ours = "unknown"
    found: dict[str, Json] = {
        "passhat": ours,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "timeout": timeout,
    }
    return {**found, "time": "virtual"} if virtual else found
