"""What went wrong and where, in one line for a person."""

from __future__ import annotations

import traceback
from pathlib import Path

from passhat.engine.threads import Escaped
from passhat.model.plain import words

_PACKAGE = Path(__file__).parent.parent


def where(error: BaseException) -> str:
    """The error's kind and text, and the place in somebody's code that it came from."""
    error = error.error if isinstance(error, Escaped) else error
    text = words(error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not ours(frame.filename)]
    if not frames:
        return said
    return f"{said} ({Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name})"


def ours(filename: str) -> bool:
    """True for our own frames, which tell a user nothing; the demo and the testing agents stand in for a user's."""
    folders = Path(filename).parts[len(_PACKAGE.parts) :]
    return Path(filename).is_relative_to(_PACKAGE) and folders[:1] not in {("demo",), ("testing",)}
