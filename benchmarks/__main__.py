"""Run the measurements that are named, or all, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

ALL = (
    "start",
    "guarded_call",
    "faulted_call",
    "trial_cost",
    "waiting",
    "outside",
    "reading_back",
    "bootstrap",
    "suite_means",
    "planning",
    "virtual",
)


def main() -> None:
    """Run them, and fail where one could not be measured."""
    wanted = sys.argv[1:] or ALL
    unknown = [name for name in wanted if name not in ALL]
    if unknown:
        sys.exit(f"there is no measurement called {unknown[0]!r}: there are {', '.join(ALL)}")
    failed = [
        name for name in wanted if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
    ]
    if failed:
        sys.exit(f"could not be measured: {', '.join(failed)}")


if __name__ == "__main__":
    main()
