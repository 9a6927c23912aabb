"""Golden files: what a report looked like when somebody last read it and found it good.

`PASSHAT_WRITE_GOLDEN=1` writes them anew; without it they are only compared.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "golden"


def same_as_golden(name: str, text: str) -> None:
    """Fail where *text* is not what the golden file of this name holds."""
    path = FOLDER / name
    if os.environ.get("PASSHAT_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text
