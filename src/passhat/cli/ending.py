"""How `run`, `report` and `demo` end: measure, judge, show, and the exit code of the verdict."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from passhat import api
from passhat.api import parse_rule
from passhat.cli import output
from passhat.cli.problems import Problems
from passhat.errors import ExitCode
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.summary import Summary
from passhat.model.verdict import Status, Verdict
from passhat.rules import Rule, doubt

_NARROW, _USUAL, _WIDE = 72, 100, 160
_LEVEL = 0.95
CODES = {Status.PASS: ExitCode.PASS, Status.FAIL: ExitCode.FAIL, Status.INCONCLUSIVE: ExitCode.INCONCLUSIVE}


def rules_of(require: Sequence[str], problems: Problems) -> list[Rule]:
    """The rules that were written on the command line."""
    found: list[Rule] = []
    for text in require:
        found += problems.noted(lambda text=text: [parse_rule(text)], [])  # type: ignore[misc]
    return found


def k_problems(k: object, trials: object) -> list[str]:
    """Why *k* is none for so many trials of each task."""
    if k is None:
        return []
    if not isinstance(k, int) or k < 1:
        return [f"-k: a whole number from 1 on, not {k!r}"]
    if isinstance(trials, int) and 0 < trials < k:
        return [f"-k {k} needs at least {k} trials of each task, and {trials} are planned"]
    return []


def reading_problems(how: api.How, trials: object) -> list[str]:
    """What is wrong with how so many trials of each task are to be read, named as the options are."""
    level = how["confidence"]
    sound = isinstance(level, int | float) and 0 < level < 1
    wrong = [] if sound else [f"--confidence: a number above 0 and below 1, such as 0.95 or 95%, not {level!r}"]
    rest: api.How = {**how, "k": None, "confidence": how["confidence"] if sound else _LEVEL}
    return [*k_problems(how["k"], trials), *wrong, *api.reading_problems(**rest)]


def judged(run: Run, rules: Sequence[Rule], how: api.How) -> tuple[Summary, Verdict | None]:
    """What the run comes to; no verdict where no rule was asked, unless its trials could not carry any."""
    wanted: api.How = {**how, "needed": [name for rule in rules for name in rule.needs]}
    summary = api.measure(run, **wanted)
    return summary, api.judge(summary, *rules) if rules else doubt(summary)


def show(summary: Summary, verdict: Verdict | None, *, form: str, quiet: bool) -> int:
    """Write the report, and give the exit code. JSON stays JSON, however quiet it is."""
    if quiet and form != "json":
        output.write(_in_short(summary, verdict))
    else:
        options: dict[str, Any] = {"width": width(), "colour": colour()} if form == "terminal" else {}
        output.write(api.render(summary, verdict, format=form, **options))
    return CODES[verdict.status] if verdict is not None else ExitCode.PASS


def width() -> int:
    """The columns of the terminal that this goes to, within what is readable."""
    return max(_NARROW, min(shutil.get_terminal_size((_USUAL, 40)).columns, _WIDE))


def colour() -> bool:
    """True where standard output is a terminal that has colours, and its user has nothing against them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _in_short(summary: Summary, verdict: Verdict | None) -> str:
    """The verdict and what speaks against it; without one, how many trials passed."""
    if verdict is None:
        passed, trials = summary.tally.total(Outcome.PASS), sum(map(summary.tally.total, Outcome))
        return f"{passed:,} of {trials:,} trials passed; no rule was asked (--require 'pass^5 >= 0.80')\n"
    against = [f"  {finding.reason}" for finding in verdict.findings if finding.ok is not True]
    return "".join(f"{line}\n" for line in (verdict.status.value.upper(), *against))
