"""`passhat rm`: delete a stored run."""

from __future__ import annotations

import click

from passhat.cli import options


@click.command()
@click.argument("run", metavar="RUN")
@options.store
def command(*, run: str, store: str) -> None:
    """Delete RUN and all its trials; what was deleted is overwritten.

    RUN is an id, the beginning of one, or 'latest'.
    """
    from passhat import api

    opened = api.open_store(store, create=False)
    header = opened.open(run).header
    opened.delete(header.id)
    click.echo(f"deleted run {header.id} ({header.suite}, {header.agent}) from {store}")
