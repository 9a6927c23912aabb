"""Run every known agent under every fault, write docs/classification.md, and fail where a word is wrong."""

from __future__ import annotations

import sys

from calibration.known.agents import AGENTS
from calibration.known.counts import FIXED, joined, tally_of, whole
from calibration.known.page import PAGE, never, tables
from calibration.page import with_part


def main() -> None:
    """The page is written also where something is wrong: it says how much."""
    small, large = joined(tally_of(agent, FIXED) for agent in AGENTS), whole()
    text = PAGE.read_text(encoding="utf-8")
    for name, made in (("never", never()), ("fixed", tables(small)), ("whole", tables(large))):
        text = with_part(text, name, made)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(tables(large))
    if problems := [*small.problems(all_met=False), *large.problems(all_met=True)]:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
