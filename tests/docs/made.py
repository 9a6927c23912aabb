"""Texts in the documentation that passhat itself has made: run again and compared, the ids of runs aside.

`PASSHAT_WRITE_GOLDEN=1` writes them anew where they differ; without it they are only compared.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.children import LIMIT

RUN_ID = re.compile(r"\b(?P<before>[Rr]un|show)\s+(?P<mark>`?)[0-9a-f]{8}\b")
WRITE = os.environ.get("PASSHAT_WRITE_GOLDEN") == "1"


def without_ids(text: str) -> str:
    """*text* with every run's id made one, wherever its line was broken."""
    return RUN_ID.sub(r"\g<before> \g<mark>(id)", text)


def printed(command: str, folder: Path) -> str:
    """What *command* prints in *folder*, on a screen of 100 columns without colour."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=LIMIT,
    )
    return done.stdout


def same_as_made(path: Path, shown: str, made: str) -> None:
    """Fail where *shown*, which stands in the file at *path*, is not what was *made*."""
    if without_ids(shown) == without_ids(made):
        return
    if WRITE:
        path.write_text(path.read_text(encoding="utf-8").replace(shown, made), encoding="utf-8", newline="\n")
        return
    assert without_ids(shown) == without_ids(made), f"{path.name}: PASSHAT_WRITE_GOLDEN=1 writes it anew"
