"""`passhat run`: run an agent on a suite, and judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from passhat.cli import completing, options, output
from passhat.cli.problems import Problems


@click.command()
@click.argument("suite", metavar="[SUITE]", default="passhat.toml", shell_complete=completing.files)
@options.agent
@click.option(
    "-n", "--trials", type=options.NUMBER, default=10, show_default=True, metavar="N", help="How often each task runs."
)
@click.option(
    "--under",
    multiple=True,
    metavar="CONDITION",
    help="Also under this, such as 'rate_limit(rate=0.2) & typos(0.05)'; may be given again.",
)
@click.option("--no-clean", is_flag=True, help="Leave out the clean condition.")
@click.option(
    "--seed", type=options.NUMBER, default=0, show_default=True, metavar="S", help="The root of all randomness."
)
@click.option("--same-seed", is_flag=True, help="One seed for all trials of a task, to see what the seed changes.")
@click.option(
    "--concurrency",
    type=options.NUMBER,
    default=8,
    show_default=True,
    metavar="C",
    help="How many trials at a time.",
)
@options.timeout(60.0, "Time for one trial.")
@click.option(
    "--time",
    type=click.Choice(["real", "virtual"]),
    default="real",
    show_default=True,
    help="Virtual time skips what an async agent waits for.",
)
@click.option("--resume", default=None, metavar="RUN", help="Go on with this run: only what it lacks is run.")
@click.option(
    "--label", default="", metavar="NAME", help="What the agent is called in the run [default: its function]."
)
@click.option("--agent-version", default="", metavar="TEXT", help="Which version of the agent this is.")
@options.judging
@options.store
@options.output("the verdict")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:  # noqa: ANN401 - click gives the options by name
    """Run an agent on every task of SUITE, many times, and judge what came of it.

    SUITE is a passhat.toml, and the one of this folder if not said; what is typed wins over what stands in it.

    Or SUITE is in Python, and named as file.py:name or module:name, as an agent in Python is; without a name, 'suite'
    and 'agent' are meant. An agent may as well be the URL of a service, or with --command a command in any language.
    """
    from passhat import api
    from passhat.cli import ending, progress
    from passhat.cli.configured import anybody, made, with_file

    problems = Problems()
    given, file = with_file(context, given, problems)
    how: api.How = options.how(given)
    problems.extend(ending.reading_problems(how, given["trials"]))
    rules = ending.rules_of(given["require"], problems)
    settings: api.Options = _settings(given, rules)
    suite, agent = made(given, problems, file)
    if problems:  # look at all the rest too, so that one try shows every problem
        if agent is anybody:  # whether the real one is fit for virtual time, nobody knows
            settings["time"] = "real"
        problems.noted(lambda: api.plan(suite, agent, **settings), None)
        problems.refuse()
    # What agents print outside a trial, from threads or processes of their own, is no result either.
    with progress.shown(quiet=given["quiet"] or given["as_json"]) as show, output.reserved():
        settings["progress"] = show
        run = api.run(suite, agent, **settings)
    summary, verdict = ending.judged(run, rules, how)
    return ending.show(summary, verdict, form="json" if given["as_json"] else "terminal", quiet=given["quiet"])


def _settings(given: Mapping[str, Any], rules: Sequence[Any]) -> Any:  # noqa: ANN401 - `api.Options`, which is loaded late
    from passhat.cli.agents import labels

    return {
        "under": given["under"],
        "clean": not given["no_clean"],
        "trials": given["trials"],
        "seed": given["seed"],
        "same_seed": given["same_seed"],
        "concurrency": given["concurrency"],
        "timeout": given["timeout"],
        "time": given["time"],
        "resume": given["resume"],
        **labels(given),
        "store": given["store"],
        "capture": True,
        "rules": rules,
    }
