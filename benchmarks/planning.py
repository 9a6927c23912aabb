"""How long `passhat plan` takes, and how long an exact run count.

The floor of the formulas is a minimal program of the same command-line library, that of the exact counts the import of
`scipy.special`, which they need. Both are measured in turn with the command, so that a busy machine slows both. In the
process, the floor of an exact count is the power at every count from 1 to the safe one, which is what it replaces.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.base import folder, report
from passhat.stats import runs_to_detect

TURNS = 25
MINIMAL = """
import click


@click.command()
@click.option("--share", type=float)
def main(share):
    click.echo(share)


main()
"""
FORMULA = ("-m", "passhat", "plan", "--baseline", ".9", "--drop", ".05")
EXACT = (*FORMULA, "--method", "exact")


def in_turn(*commands: tuple[str, ...], path: Path) -> list[float]:
    """The milliseconds that this Python takes with each of *commands*, at best, byte code written and used."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(path)
    best = [float("inf")] * len(commands)
    for _ in range(TURNS):
        for place, command in enumerate(commands):
            begun = time.perf_counter()
            subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL, env=environment)
            best[place] = min(best[place], time.perf_counter() - begun)
    return [seconds * 1e3 for seconds in best]


def quickest(work: Callable[[], object]) -> float:
    """The milliseconds that *work* takes, at best."""
    taken = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken) * 1e3


def every_count(most: int, drop: float) -> object:
    """The power of the exact test at every count from 1 to *most*: what a search without bounds computes at least."""
    import numpy as np
    from scipy.special import betainc

    n = np.arange(1.0, most + 1)
    x = np.floor(n * (0.9 - drop / 2))
    return betainc(n - x, x + 1, 0.1), betainc(n - x, x + 1, 0.1 + drop)


def main() -> None:
    """Measure the command with formulas and with exact counts, then the counts alone."""
    with folder() as path:
        (path / "minimal").mkdir()
        (path / "minimal" / "__init__.py").write_text("")
        (path / "minimal" / "__main__.py").write_text(MINIMAL)
        compileall.compile_dir(path, quiet=1)
        smallest = ("-m", "minimal", "--share", ".05")
        special = ("-c", "import scipy.special")
        formula, exact, click_floor, scipy_floor = in_turn(FORMULA, EXACT, smallest, special, path=path)
    report("passhat plan, formula", formula, "ms", floor=click_floor, goal="ratio ≤ 1.5")
    report("passhat plan, exact", exact, "ms", floor=scipy_floor, goal="ratio ≤ 1.4")
    for drop in (0.1, 0.05, 0.02, 0.01):
        safe = runs_to_detect(0.9, drop, method="exact").runs
        taken = quickest(lambda drop=drop: runs_to_detect(0.9, drop, method="exact"))  # type: ignore[misc]
        floor = quickest(lambda drop=drop, safe=safe: every_count(safe, drop))  # type: ignore[misc]
        report("exact run count", taken, "ms", floor=floor, goal="value ≤ 5 ms", drop=drop, runs=float(safe))


if __name__ == "__main__":
    main()
