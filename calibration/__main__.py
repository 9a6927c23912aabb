"""Measure all of it, print the tables, write them to docs/calibration.md, and fail where a goal is missed."""

from __future__ import annotations

import sys

from calibration.goals import missed
from calibration.page import PAGE, fixed_part, whole_part, with_part
from calibration.runs import fixed, whole


def main() -> None:
    """The page is written also where a goal is missed: it says what was measured."""
    small, large = fixed(), whole()
    parts = {"fixed": fixed_part(small), "whole": whole_part(large)}
    text = PAGE.read_text(encoding="utf-8")
    for name, made in parts.items():
        print(made)
        text = with_part(text, name, made)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    if problems := missed(small, large):
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
