"""What a run says of where it came from: versions and platform, never an address and never the environment."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from passhat.model.base import Json


def provenance(*, virtual: bool = False) -> dict[str, Json]:
    """The versions that made this run, and that its seconds are virtual where they are."""
    try:
        ours = version("passhat")
    except PackageNotFoundError:  # run from a source tree that was never installed
        ours = "unknown"
    found: dict[str, Json] = {
        "passhat": ours,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
    return {**found, "time": "virtual"} if virtual else found
