"""The tables of docs/classification.md: what was struck, which words were given, and what cannot meet what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from calibration.known.agents import AGENTS
from calibration.known.counts import Tally
from calibration.known.plans import MODES
from calibration.known.table import reasons

PAGE = Path(__file__).resolve().parents[2] / "docs" / "classification.md"
_WORDS = (
    "retry",
    "fallback",
    "user-handoff",
    "gave-up-honest",
    "crashed",
    "looped",
    "timed-out",
    "ignored",
    "unaffected",
)
_ENDS = ("recovered", "over_cautious", "safe_failure", "false_success", "silent_corruption", "loud_corruption")


def tables(found: Tally) -> str:
    """All tables of a run."""
    struck, wrong = sum(found.trials.values()), len(found.wrong)
    size = f"{len(AGENTS)} agents × {len(MODES)} faults × {found.seeds:,} seeds"
    return "\n\n".join(
        (
            "",
            f"{size}: {struck:,} trials in which something was struck, {struck - wrong:,} told right, {wrong:,} wrong.",
            _table(
                ("fault", "struck trials", "told right", "struck reads", "struck writes", "of these the last call"),
                (_fault_row(found, fault) for fault in MODES),
            ),
            "Struck calls of each agent, by the word that is theirs:",
            _table(("agent", *_WORDS), (_row(agent, found.words, agent, _WORDS) for agent in AGENTS)),
            "Trials of each agent, by the aftermath:",
            _table(
                ("agent", *(end.replace("_", " ") for end in _ENDS)),
                (_row(agent, found.ends, agent, _ENDS) for agent in AGENTS),
            ),
            "",
        )
    )


def never() -> str:
    """The table of what cannot be struck."""
    rows = [
        (f"`{fault}`", ", ".join(f"`{errand}`" for errand in errands), next(iter(errands.values())))
        for fault, errands in reasons().items()
    ]
    return "\n\n" + _table(("fault", "errands that it cannot strike", "because"), rows) + "\n\n"


def _fault_row(found: Tally, fault: str) -> Sequence[str]:
    trials = sum(found.trials[agent, fault] for agent in AGENTS)
    wrong = sum(f" under {fault}, " in one for one in found.wrong)
    kinds = [found.calls[fault, kind] for kind in ("read", "write", "last")]
    return (f"`{fault}`", *(f"{number:,}" for number in (trials, trials - wrong, *kinds)))


def _row(name: str, counted: dict[tuple[str, str], int], agent: str, columns: Sequence[str]) -> Sequence[str]:
    return (name, *(f"{counted.get((agent, column), 0):,}" for column in columns))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
