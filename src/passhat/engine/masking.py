"""The redactor of this process: what its environment holds of secrets is masked in whatever is kept or shown."""

from __future__ import annotations

import os
from pathlib import Path

from passhat.model.redact import Redactor


def own_redactor() -> Redactor:
    """What masks the secrets of this process's environment."""
    return Redactor.from_environment(os.environ, _is_there)


def _is_there(path: str) -> bool:
    """True where *path* leads to something; what is too long for a path, or has no home, is none."""
    try:
        return Path(path).expanduser().exists()
    except (OSError, RuntimeError):
        return False
