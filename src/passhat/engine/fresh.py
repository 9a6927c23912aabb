"""Trials in processes of their own, for agents and worlds that keep something from one trial to the next.

A command makes one trial and writes it to its standard output. Each process leads a group of its own, which is killed
when the process has ended, when its time is over, and when the search is stopped: nothing that it started outlives it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import IO, NamedTuple

_MOST_AT_ONCE = 4


class Ended(NamedTuple):
    """A process that has ended: its exit code (None where it was killed for its time), and what it wrote."""

    code: int | None
    out: str
    err: str


class Processes:
    """Runs commands in processes of their own, some at a time."""

    def __init__(self) -> None:
        """No process yet."""
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def outputs(self, command: Sequence[str], times: int, *, limit: float) -> Sequence[Ended]:
        """What *command* came to, *times* times; each process has *limit* seconds."""
        self._stopped = False
        with ThreadPoolExecutor(min(times, _MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
            futures = [pool.submit(self._run, command, limit) for _ in range(times)]
            try:
                return [future.result() for future in futures]
            finally:  # an interrupt may have come: then none goes on without us
                self._stop()
                pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, command: Sequence[str], limit: float) -> Ended:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = self._begun(command, out, err)
            if child is None:
                return Ended(None, "", "")
            code: int | None = None
            with suppress(subprocess.TimeoutExpired):
                code = child.wait(limit)
            _kill(child)
            child.wait()
            with self._lock:
                self._running.discard(child)
            return Ended(code, _text(out), _text(err))

    def _begun(self, command: Sequence[str], out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes] | None:
        """The process, unless all was stopped."""
        with self._lock:
            if self._stopped:
                return None
            child = subprocess.Popen(  # noqa: S603 - our own command line, in the user's own interpreter
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
            self._running.add(child)
            return child

    def _stop(self) -> None:
        """End all that runs, and begin no more."""
        with self._lock:
            self._stopped = True
            for child in self._running:
                _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started; of a group that has ended nothing is left to end."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode(errors="replace")
