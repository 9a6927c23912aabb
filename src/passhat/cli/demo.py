"""`passhat demo`: the product's argument on one screen, offline, in seconds."""

from __future__ import annotations

import click

from passhat.cli import options


@click.command()
@click.option(
    "--seed", type=options.NUMBER, default=7, show_default=True, metavar="S", help="The root of all randomness."
)
@options.store
@options.output("the verdict")
def command(*, seed: int, store: str, quiet: bool, as_json: bool) -> int:
    """Run a bundled shop with an agent that has known weaknesses, clean and under rate limits.

    It goes through the real engine and the real store, and ends in a verdict. The demo itself exits 0, whatever the
    verdict is.
    """
    from passhat import api, rules
    from passhat.cli import ending, progress
    from passhat.demo import agents, story
    from passhat.demo.suite import suite

    with progress.shown(quiet=quiet or as_json) as show:
        run = api.run(suite, agents.hasty, under=[story.FAULT], trials=10, seed=seed, store=store, progress=show)
    summary, verdict = ending.judged(run, [rules.at_least("pass^5", 0.80)], 5)
    ending.show(summary, verdict, form="json" if as_json else "terminal", quiet=quiet)
    return 0
