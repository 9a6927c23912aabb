"""A real PostgreSQL server for the tests: installed where there is none, one for all tests, ended with them.

It is a cluster of its own in a folder of its own, on a free port of the loopback, and knows nothing of any other that
the machine may have. Whoever asks for it gets a database of their own. Where none can be installed (no Debian, no
root), its tests are skipped, and say so; the build server takes no skips.
"""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import pytest

LIMIT = 600.0  # for installing; all else takes seconds
USER, PASSWORD = "passhat", "correct horse/battery@staple"
QUOTED = "correct%20horse%2Fbattery%40staple"
_SETTINGS = {
    "fsync": "off",  # the machine does not lose power in the middle of a test
    "shared_buffers": "16MB",
    "max_connections": "40",
    "listen_addresses": "127.0.0.1",
    "max_wal_size": "64MB",
    "lc_messages": "C",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
}
_numbers = count(1)


class MissingError(Exception):
    """There is no PostgreSQL, and none could be installed."""


class Cluster:
    """A server of our own. Only the processes that it has started are ever ended, by the number in its own folder."""

    def __init__(self, programs: Path) -> None:
        """A new cluster, not yet started."""
        self._programs = programs
        self._turn = threading.Lock()
        self._owner = "postgres" if os.getuid() == 0 else None  # the server refuses to be run by root
        # A short path, because a socket's has at most 107 characters.
        self.folder = Path(tempfile.mkdtemp(prefix="passhat-pg-", dir="/tmp"))
        if self._owner is not None:
            shutil.chown(self.folder, self._owner)
        self.port = _free_port()
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run(
            "initdb", "--auth-local=trust", "--auth-host=scram-sha-256", f"--username={USER}", f"--pwfile={secret}",
            "--encoding=UTF8", "--locale=C", "--no-sync",
        )  # fmt: skip
        settings = {**_SETTINGS, "port": str(self.port), "unix_socket_directories": str(self.folder)}
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self) -> None:
        """Start the server, and come back when it answers; nothing where it runs. One that is just ending may end."""
        with self._turn:
            if (self.folder / "data" / "postmaster.pid").exists():
                return
            self._run("pg_ctl", "start", "--wait", "--silent", f"--log={self.folder / 'data' / 'server.log'}")

    def stop(self, mode: str = "fast") -> None:
        """End the server, politely or (`immediate`) as if it had crashed; every connection is lost."""
        with self._turn:
            if not (self.folder / "data" / "postmaster.pid").exists():
                return
            self._run("pg_ctl", "stop", "--wait", "--silent", f"--mode={mode}")

    def remove(self) -> None:
        """End the server, and take its folder away."""
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def database(self, more: str = "") -> str:
        """A new, empty database, as what follows `postgresql://` names it."""
        name = f"shelf_{next(_numbers)}"
        self.ask(f"CREATE DATABASE {name} {more}")
        return f"{USER}:{QUOTED}@127.0.0.1:{self.port}/{name}"

    def ask(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """What a plain client gets for *statement*; one that gives no rows gives none."""
        with psycopg.connect(
            host=str(self.folder), port=self.port, user=USER, dbname=database, autocommit=True
        ) as client:
            cursor = client.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, f"--pgdata={self.folder / 'data'}", *words],
            user=self._owner,
            group=self._owner,
            extra_groups=[] if self._owner else None,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # and not a pipe, which the server would hold open
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{program} {' '.join(words)} ended with {done.returncode}")


@cache
def _cluster() -> Cluster | str:
    """The one server of this process, or why there is none: that is found out once, too."""
    try:
        made = Cluster(_programs())
    except MissingError as error:
        return str(error)
    ours = os.getpid()
    atexit.register(lambda: made.remove() if os.getpid() == ours else None)
    return made


def cluster() -> Cluster:
    """The server of this test session, which is started if it is not running; without one, the test is skipped."""
    made = _cluster()
    if isinstance(made, str):
        pytest.skip(f"NOT TESTED AGAINST POSTGRESQL: {made}")
    made.start()
    return made


def _programs() -> Path:
    """Where the server's programs are; they are installed where there are none."""
    found = _newest()
    if found is None:
        _install()
        found = _newest()
    if found is None:
        raise MissingError("the package is installed, and there is no initdb below /usr/lib/postgresql")
    return found


def _newest() -> Path | None:
    """The programs of the newest server that Debian's packages have installed, or those on the path."""
    homes = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if not homes and on_path:
        return Path(on_path).resolve().parent
    return max(homes, key=lambda home: float(home.parent.name), default=None)


def _install() -> None:
    """Install Debian's package, and have it make no cluster of its own."""
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        raise MissingError("it is not installed, and installing it takes root and apt: apt install postgresql")
    ours = Path("/etc/postgresql-common/createcluster.conf")
    if not ours.exists():
        ours.parent.mkdir(parents=True, exist_ok=True)
        ours.write_text("create_main_cluster = false\n")
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    keep = ("-o", "Dpkg::Options::=--force-confold")
    for words in (("update", "-q"), ("install", "-q", "-y", "--no-install-recommends", *keep, "postgresql")):
        done = subprocess.run(
            ["apt-get", *words], env=quietly, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise MissingError(f"'apt-get {words[0]}' failed: {done.stderr.strip()[-300:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
