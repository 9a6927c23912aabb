"""`passhat states`: the states that a stored run's clean trials ended in, as the ones that `end_state` accepts."""

from __future__ import annotations

from collections.abc import Sequence

import click

from passhat.cli import completing, options


@click.command()
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=completing.runs)
@click.option("--ignore", multiple=True, metavar="PATH", help="What may be anything; may be given again.")
@click.option("--unordered", multiple=True, metavar="PATH", help="A list without an order; may be given again.")
@click.option("--ids", multiple=True, metavar="PATH", help="Ids that are made up anew; may be given again.")
@options.store
@options.output("how many states there are")
def command(
    *,
    run: str,
    ignore: Sequence[str],
    unordered: Sequence[str],
    ids: Sequence[str],
    store: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Write the end states of RUN's clean trials that passed, as JSON for graders.end_state(like=...).

    RUN is an id, the beginning of one, or 'latest'. Give the paths that the grader has: each state is written once, in
    the form in which it is compared. Read the file before you believe in it.
    """
    from passhat import api
    from passhat.cli import output
    from passhat.errors import UsageError
    from passhat.graders import accepted_states, states_text

    del as_json  # it is JSON anyway
    stored = api.open_store(store, create=False).open(run)
    states = accepted_states(stored.trials, ignore=ignore, unordered=unordered, ids=ids)
    if not states:
        why = "no clean trial passed in a world with a snapshot(), so there is no state to accept"
        raise UsageError(f"run {stored.header.id}: {why}")
    output.write(f"{sum(map(len, states.values()))}\n" if quiet else states_text(states))
