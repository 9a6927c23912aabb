"""Child processes of tests: they hear Ctrl-C whatever this process ignores, and none is waited for without end.

Where a script starts the tests in its background (`make test &`), SIGINT is ignored, and children inherit that.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TypeVar

LIMIT = 120.0
"""The seconds after which a child is stuck; each ends within a small part of it."""

_EXEC = "import os, signal, sys; signal.signal(signal.SIGINT, signal.{0}); os.execv(sys.argv[1], sys.argv[1:])"
_QUICK = (sys.executable, "-I", "-S", "-c")
T = TypeVar("T", str, bytes)


def hearing(*words: str) -> list[str]:
    """`python *words` in a process to which Ctrl-C means what it means at a terminal."""
    return [*_QUICK, _EXEC.format("SIG_DFL"), sys.executable, *words]


def deaf(*words: str) -> list[str]:
    """The same in a process that is started with SIGINT ignored, as in a script's background."""
    return [*_QUICK, _EXEC.format("SIG_IGN"), sys.executable, *words]


def limited(child: subprocess.Popen[T]) -> subprocess.Popen[T]:
    """*child*, which is killed when its time is over, so that whoever reads from it or waits for it goes on."""
    timer = threading.Timer(LIMIT, child.kill)  # of a child that has ended, `kill` does nothing
    timer.daemon = True
    timer.start()
    return child
