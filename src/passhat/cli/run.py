"""`passhat run`: run an agent on a suite, and judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from passhat.cli import completing, options, output
from passhat.cli.problems import Problems
from passhat.model.forecast import Forecast


@click.command()
@click.argument("suite", metavar="[SUITE]", default="passhat.toml", shell_complete=completing.files)
@options.agent
@click.option(
    "-n",
    "--trials",
    type=options.NUMBER,
    default=None,
    metavar="N",
    help="How often each task runs [default: 10, or as the resumed run].",
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
    "--turns",
    type=options.NUMBER,
    default=20,
    show_default=True,
    metavar="N",
    help="How many turns the user of a task has at the most.",
)
@click.option(
    "--time",
    type=click.Choice(["real", "virtual"]),
    default="real",
    show_default=True,
    help="Virtual time skips what an async agent waits for.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    default=None,
    metavar="[RUN]",
    help="Go on with this run, or the latest: only what it lacks is run.",
)
@options.choosing
@click.option("--dry-run", is_flag=True, help="Show the plan, its cost and what it could show; run nothing.")
@options.spending
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
    from passhat.cli import again, ending, progress
    from passhat.cli.configured import anybody, made, with_file

    problems = Problems()
    given, file = with_file(context, given, problems)
    how: api.How = options.how(given)
    problems.extend(ending.reading_problems(how, _trials(given)))
    rules = ending.rules_of(given["require"], problems)
    settings: api.Options = _settings(given, rules, problems)
    suite, agent = made(given, problems, file)
    if problems:  # look at all the rest too, so that one try shows every problem
        if agent is anybody:  # whether the real one is fit for virtual time, nobody knows
            settings["time"] = "real"
        problems.noted(lambda: api.plan(suite, agent, **settings), None)
        problems.refuse()
    if given["dry_run"]:
        return _dry_run(api.forecast(suite, agent, **settings), given)
    # What agents print outside a trial, from threads or processes of their own, is no result either.
    with progress.shown(quiet=given["quiet"] or given["as_json"]) as show, output.reserved():
        settings["progress"] = show
        run = api.run(suite, agent, **settings)
    again.tell_of_the_budget(show.latest)
    summary, verdict = ending.judged(run, rules, how)
    return ending.show(summary, verdict, form="json" if given["as_json"] else "terminal", quiet=given["quiet"])


def _dry_run(forecast: Forecast, given: Mapping[str, Any]) -> int:
    """Show what would be run."""
    import msgspec

    from passhat.errors import ExitCode
    from passhat.reports import forecast_text

    if given["as_json"]:
        output.line(msgspec.json.format(msgspec.json.encode(forecast), indent=2).decode())
    elif given["quiet"]:
        output.line(str(forecast.planned - forecast.stored))
    else:
        output.write(forecast_text(forecast))
    return ExitCode.PASS


def _trials(given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - it may be anything that was typed
    """How many trials of each task there will be; a run that goes on knows it, and None is for nobody does."""
    from passhat import api
    from passhat.errors import UsageError

    more = given["top_up"]
    if (given["resume"] is None and more is None) or given["trials"] is not None:
        return 10 if given["trials"] is None else given["trials"]
    try:
        run = "latest" if given["resume"] is None else given["resume"]
        trials = api.open_store(given["store"]).open(run).header.trials
    except UsageError:  # it is told where the run is looked for in earnest
        return None
    return trials + more if isinstance(more, int) and more > 0 else trials


def _settings(given: Mapping[str, Any], rules: Sequence[Any], problems: Problems) -> Any:  # noqa: ANN401 - `api.Options`, which is loaded late
    from passhat.cli.agents import labels
    from passhat.cli.prices import read_prices

    none: Mapping[str, Any] = {}
    prices: Mapping[str, Any] = problems.noted(lambda: read_prices(given["prices"]), none)
    return {
        "under": given["under"],
        "clean": not given["no_clean"],
        "trials": given["trials"],
        "seed": given["seed"],
        "same_seed": given["same_seed"],
        "concurrency": given["concurrency"],
        "timeout": given["timeout"],
        "turns": given["turns"],
        "time": given["time"],
        "resume": given["resume"],
        **{name: given[name] for name in options.CHOICES},
        **{name: given[name] for name in options.BUDGET},
        "prices": prices,
        **labels(given),
        "store": given["store"],
        "folder": _folder(given["suite"]),
        "capture": True,
        "rules": rules,
    }


def _folder(suite: str) -> str:
    """Where the suite's file is; that of a module is where the command is used."""
    from pathlib import Path

    place = suite.rpartition(":")[0] or suite
    return str(Path(place).parent) if place.endswith((".py", ".toml")) else "."
