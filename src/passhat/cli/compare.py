"""`passhat compare`: one stored run held against another."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from passhat.cli import completing, options
from passhat.cli.problems import Problems
from passhat.model.protocols import Store
from passhat.model.run import Run


@click.command()
@click.argument("before", metavar="RUN", shell_complete=completing.runs)
@click.argument("after", metavar="[RUN]", default="latest", shell_complete=completing.runs)
@options.reading
@options.store
@options.output("what is to be noticed")
def command(*, before: str, after: str, store: str, quiet: bool, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - as in `run`
    """Hold the second RUN against the first: what rose, what fell, by how much, and how sure that is.

    RUN is an id, the beginning of one, or 'latest', which is the default of the second. There is no verdict, and the
    exit code is 0.
    """
    from passhat import api
    from passhat.cli import output
    from passhat.cli.ending import colour, reading_problems, width
    from passhat.model import codec
    from passhat.reports import comparison_text

    how: api.How = options.how(given)
    problems = Problems()
    opened = problems.noted(lambda: api.open_store(store, create=False), None)
    found: list[Run] = []
    if opened is not None:
        for name in (before, after):
            found += problems.noted(partial(_opened, opened, name), [])
    problems.extend(reading_problems(how, min((run.header.trials for run in found), default=None)))
    problems.refuse()
    comparison = api.compare(*found, **how)
    if as_json:
        output.line(codec.encode(comparison).decode())
    elif quiet:
        for text in comparison.notices:
            output.line(text)
    else:
        output.write(comparison_text(comparison, width=width(), colour=colour()))


def _opened(store: Store, name: str) -> list[Run]:
    return [store.open(name)]
