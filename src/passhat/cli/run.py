"""`passhat run`: run an agent on a suite, and judge it."""

from __future__ import annotations

from typing import Any

import click

from passhat.cli import options
from passhat.errors import UsageError


@click.command()
@click.argument("suite", metavar="SUITE")
@click.option("--agent", required=True, metavar="A", help="The agent: file.py:name or module:name.")
@click.option("-n", "--trials", type=int, default=10, show_default=True, metavar="N", help="How often each task runs.")
@click.option(
    "--under",
    multiple=True,
    metavar="CONDITION",
    help="Also under this, such as 'rate_limit(rate=0.2) & typos(0.05)'; may be given again.",
)
@click.option("--no-clean", is_flag=True, help="Leave out the clean condition.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The root of all randomness.")
@click.option("--concurrency", type=int, default=8, show_default=True, metavar="C", help="How many trials at a time.")
@click.option("--timeout", type=float, default=60.0, show_default=True, metavar="SECONDS", help="Time for one trial.")
@click.option("--resume", default=None, metavar="RUN", help="Go on with this run: only what it lacks is run.")
@options.judging
@options.store
@options.output
def command(**given: Any) -> int:  # noqa: ANN401 - click gives the options by name
    """Run an agent on every task of SUITE, many times, and judge what came of it.

    SUITE and the agent are named as file.py:name or module:name.
    """
    from passhat import api
    from passhat.cli import ending, progress
    from passhat.cli.load import load

    rules = ending.rules_of(given["require"])
    if given["k"] is not None and given["k"] > given["trials"]:
        raise UsageError(
            f"-k {given['k']} needs at least {given['k']} trials of each task, and {given['trials']} are planned"
        )
    suite = load(given["suite"], what="suite", default="suite")
    agent = load(given["agent"], what="agent", default="agent")
    settings: api.Options = {
        "under": given["under"],
        "clean": not given["no_clean"],
        "trials": given["trials"],
        "seed": given["seed"],
        "concurrency": given["concurrency"],
        "timeout": given["timeout"],
        "resume": given["resume"],
        "store": given["store"],
        "capture": True,
        "rules": rules,
    }
    with progress.shown(quiet=given["quiet"] or given["as_json"]) as show:
        settings["progress"] = show
        run = api.run(suite, agent, **settings)
    summary, verdict = ending.judged(run, rules, given["k"])
    return ending.show(summary, verdict, form="json" if given["as_json"] else "terminal", quiet=given["quiet"])
