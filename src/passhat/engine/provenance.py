"""What a run says of where it came from: versions and platform, never an address and never the environment."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from passhat.model.base import Json


def provenance() -> dict[str, Json]:
    """The versions that made this run."""
    try:
        ours = version("passhat")
    except PackageNotFoundError:  # run from a source tree that was never installed
        ours = "unknown"
    return {
        "passhat": ours,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
