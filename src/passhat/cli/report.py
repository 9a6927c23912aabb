"""`passhat report`: measure, judge and show a stored run again."""

from __future__ import annotations

import click

from passhat.cli import options


def _formats() -> list[str]:
    """The reports there are, those of installed packages too; none is loaded to name it."""
    from passhat.installed import Parts
    from passhat.reports import REPORTS

    return list(Parts("reports", REPORTS))


@click.command()
@click.argument("run", metavar="[RUN]", default="latest")
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
@options.output
def command(
    *, run: str, form: str, k: int | None, require: tuple[str, ...], store: str, quiet: bool, as_json: bool
) -> int:
    """Measure and judge RUN again, and show it.

    RUN is an id, the beginning of one, or 'latest'.
    """
    from passhat import api
    from passhat.cli import ending

    rules = ending.rules_of(require)
    summary, verdict = ending.judged(api.open_store(store, create=False).open(run), rules, k)
    return ending.show(summary, verdict, form="json" if as_json else form, quiet=quiet)
