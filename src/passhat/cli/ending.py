"""How `run`, `report` and `demo` end: measure, judge, show, and the exit code of the verdict."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from passhat import api
from passhat.api import parse_rule
from passhat.errors import ExitCode
from passhat.model.run import Run
from passhat.model.summary import Summary
from passhat.model.verdict import Status, Verdict
from passhat.rules import Rule

_NARROW, _USUAL, _WIDE = 72, 100, 160
_CODES = {Status.PASS: ExitCode.PASS, Status.FAIL: ExitCode.FAIL, Status.INCONCLUSIVE: ExitCode.INCONCLUSIVE}


def rules_of(require: Sequence[str]) -> list[Rule]:
    """The rules that were written on the command line."""
    return [parse_rule(text) for text in require]


def judged(run: Run, rules: Sequence[Rule], k: int | None) -> tuple[Summary, Verdict]:
    """What the run comes to."""
    summary = api.measure(run, k=k)
    return summary, api.judge(summary, *rules)


def show(summary: Summary, verdict: Verdict, *, form: str, quiet: bool) -> int:
    """Write the report, and give the exit code."""
    if quiet:
        click.echo(verdict.status.value.upper())
        for finding in verdict.findings:
            if finding.ok is not True:
                click.echo(f"  {finding.reason}")
    else:
        options: dict[str, Any] = {"width": width(), "colour": colour()} if form == "terminal" else {}
        click.echo(api.render(summary, verdict, format=form, **options), nl=False)
    return _CODES[verdict.status]


def width() -> int:
    """The columns of the terminal that this goes to, within what is readable."""
    return max(_NARROW, min(shutil.get_terminal_size((_USUAL, 40)).columns, _WIDE))


def colour() -> bool:
    """True where standard output is a terminal whose user has nothing against colour."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
