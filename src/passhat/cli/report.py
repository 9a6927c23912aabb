"""`passhat report`: measure, judge and show a stored run again."""

from __future__ import annotations

from typing import Any

import click

from passhat.cli import completing, options
from passhat.cli.problems import Problems


def _formats() -> list[str]:
    """The reports there are, those of installed packages too; none is loaded to name it."""
    from passhat.installed import Parts
    from passhat.reports import REPORTS

    return list(Parts("reports", REPORTS))


@click.command()
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=completing.runs)
@click.option(
    "--format",
    "form",
    type=click.Choice(_formats()),
    default="terminal",
    show_default=True,
    help="How to show it.",
)
@options.judging
@options.store
@options.output("the verdict")
def command(*, run: str, form: str, store: str, quiet: bool, as_json: bool, **given: Any) -> int:  # noqa: ANN401 - as in `run`
    """Measure and judge RUN again, and show it.

    RUN is an id, the beginning of one, or 'latest'.
    """
    from passhat import api
    from passhat.cli import ending

    how: api.How = options.how(given)
    problems = Problems()
    rules = ending.rules_of(given["require"], problems)
    found = problems.noted(lambda: api.open_store(store, create=False).open(run), None)
    planned = None if found is None else found.header.trials
    problems.extend(ending.reading_problems(how, planned))
    conditions = () if found is None else found.header.conditions
    problems.extend(problem for rule in rules if planned for problem in rule.problems(planned, conditions))
    problems.refuse()
    assert found is not None  # noqa: S101 - or it would have been refused
    summary, verdict = ending.judged(found, rules, how)
    return ending.show(summary, verdict, form="json" if as_json else form, quiet=quiet)
