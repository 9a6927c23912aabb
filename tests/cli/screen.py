"""What a terminal shows of what was written to it: as much of a terminal as the live line needs. Makes no assertion."""

from __future__ import annotations

import re

_PARTS = re.compile(r"\x1b\[[?\d;]*[A-Za-z]|.", flags=re.DOTALL)


def on_screen(written: str, width: int) -> list[str]:
    """The lines that are left of *written* on a terminal of so many columns; empty ones are left out."""
    lines, row, column = [""], 0, 0
    for part in _PARTS.findall(written):
        if part == "\n" or (column == width and not part.startswith(("\x1b", "\r"))):
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        if part == "\r":
            column = 0
        elif part == "\x1b[2K":
            lines[row] = ""
        elif part == "\x1b[1A":
            row -= 1
        elif part.isprintable():
            lines[row] = f"{lines[row][:column]:<{column}}{part}{lines[row][column + 1 :]}"
            column += 1
    return [line.rstrip() for line in lines if line.strip()]
