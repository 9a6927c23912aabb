"""`passhat runs`: list the stored runs."""

from __future__ import annotations

import click

from passhat.cli import options


@click.command()
@options.store
@options.output("the ids")
def command(*, store: str, quiet: bool, as_json: bool) -> None:
    """List the stored runs, the newest first."""
    import msgspec

    from passhat import api
    from passhat.cli import output
    from passhat.cli.ending import colour, width
    from passhat.reports import runs_text

    listings = api.open_store(store, create=False).runs()
    if as_json:
        output.line(msgspec.json.format(msgspec.json.encode(listings), indent=2).decode())
    elif quiet:
        for listing in listings:
            output.line(listing.id)
    else:
        output.write(runs_text(listings, width=width(), colour=colour()))
