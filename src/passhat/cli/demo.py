"""`passhat demo`: the product's argument on one screen, offline, in seconds."""

from __future__ import annotations

from shlex import quote

import click

from passhat.cli import options, output
from passhat.model.run import Tally


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

    made: api.Options = {"under": [story.FAULT], "trials": 10, "seed": seed, "store": store, "label": "hasty clerk"}
    with progress.shown(quiet=quiet or as_json) as show:
        made["progress"] = show
        run = api.run(suite, agents.hasty, **made)
    summary, verdict = ending.judged(run, [rules.at_least("pass^5", 0.80)], {"k": 5})
    ending.show(summary, verdict, form="json" if as_json else "terminal", quiet=quiet)
    if not quiet and not as_json:
        found = hints(summary.tally, store)
        line = " · ".join(found)
        for text in (line,) if len(line) <= ending.width() else found:
            output.line(click.style(text, dim=True) if ending.colour() else text)
    return 0


def hints(tally: Tally, store: str) -> tuple[str, str]:
    """What to do next: look at a task that really failed, and bring an agent of one's own."""
    conditions = range(len(tally.conditions))
    passed = [sum(tally.passed[tally.cell(task, one)] for one in conditions) for task in range(len(tally.tasks))]
    worst = tally.tasks[passed.index(min(passed))]
    where = "" if store == options.DEFAULT_STORE else f" --store {quote(output.without_password(store))}"
    return (
        f"see why one failed: passhat show {worst}{where}",
        "your own agent: passhat run suite.py --agent agent.py",
    )
