"""How long the command line takes to start. The floor is the interpreter itself, `python -c pass`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from benchmarks.base import report

TURNS = 15


def best(*arguments: str) -> float:
    """The milliseconds that this Python takes with *arguments*, at best; byte code is written and used."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    taken = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
        taken.append(time.perf_counter() - begun)
    return min(taken) * 1e3


def main() -> None:
    """Measure the help, and the import."""
    floor = best("-c", "pass")
    report("passhat --help", best("-m", "passhat", "--help"), "ms", floor=floor, goal="ratio ≤ 5")
    report("import passhat", best("-c", "import passhat"), "ms", floor=floor, goal="neither numpy nor rich")


if __name__ == "__main__":
    main()
