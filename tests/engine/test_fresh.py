"""Processes of their own: what each wrote comes back, and none outlives its time, nor does anything that it started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from passhat.engine.fresh import Ended, Processes
from tests.children import LIMIT

STAYS = """
import fcntl, os, signal, sys
held = open(sys.argv[1], "w")
fcntl.flock(held, fcntl.LOCK_EX)
if os.fork():
    sys.exit(0) if sys.argv[2] == "ends" else signal.pause()
signal.pause()
"""


def outputs(code: str, *words: str, times: int = 1, limit: float = LIMIT) -> list[Ended]:
    """What a Python program came to."""
    return list(Processes().outputs([sys.executable, "-I", "-S", "-c", code, *words], times, limit=limit))


def is_free(path: Path) -> bool:
    """True once nobody holds the lock any more; it is waited for, because a killed process takes a moment to go."""
    code = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'w'), fcntl.LOCK_EX)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, str(path)], timeout=LIMIT, check=False)
    return done.returncode == 0


def test_what_was_written_comes_back() -> None:
    """Exit code, standard output and standard error, of each process."""
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"

    assert outputs(code, times=3) == [Ended(3, "out\n", "err\n")] * 3


def test_much_is_written_without_a_jam() -> None:
    """A process that writes more than a pipe holds ends all the same."""
    (ended,) = outputs("print('x' * 1_000_000)")

    assert (ended.code, len(ended.out)) == (0, 1_000_001)


def test_a_process_has_no_input() -> None:
    """What asks for input gets none, and does not wait for a person."""
    assert outputs("input()")[0].err.splitlines()[-1].startswith("EOFError")


def test_time_that_is_over_ends_a_process_and_its_children(tmp_path: Path) -> None:
    """A process that does not end is killed with all that it started."""
    (ended,) = outputs(STAYS, str(tmp_path / "lock"), "stays", limit=2.0)

    assert ended.code is None
    assert is_free(tmp_path / "lock")


def test_what_a_process_leaves_behind_is_ended(tmp_path: Path) -> None:
    """A child of a process that has ended by itself is killed too."""
    (ended,) = outputs(STAYS, str(tmp_path / "lock"), "ends")

    assert ended.code == 0
    assert is_free(tmp_path / "lock")
