"""`passhat rm`: delete a stored run."""

from __future__ import annotations

import click

from passhat.cli import completing, options


@click.command()
@click.argument("run", metavar="RUN", shell_complete=completing.runs)
@options.store
@options.output("its id")
def command(*, run: str, store: str, quiet: bool, as_json: bool) -> None:
    """Delete RUN and all its trials; what was deleted is overwritten.

    RUN is an id, the beginning of one, or 'latest'.
    """
    import json

    from passhat import api
    from passhat.cli import output

    opened = api.open_store(store, create=False, write=True)
    header = opened.open(run).header
    opened.delete(header.id)
    if as_json:
        output.line(json.dumps({"deleted": header.id}))
    elif quiet:
        output.line(header.id)
    else:
        output.line(f"deleted run {header.id} ({header.suite}, {header.agent}) from {output.without_password(store)}")
